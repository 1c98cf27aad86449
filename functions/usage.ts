import { usage } from './handlers.ts';
import { startService } from './service.ts';

/** The function `usage`. */
export const handler = usage(startService(process.env));
