import { confirm } from './handlers.ts';
import { startService } from './service.ts';

export const handler = confirm(startService(process.env));
