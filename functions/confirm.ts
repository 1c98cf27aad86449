import { confirm } from './handlers.ts';
import { startService } from './service.ts';

/** The function `confirm`. */
export const handler = confirm(startService(process.env));
