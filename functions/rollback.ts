import { rollback } from './handlers.ts';
import { startService } from './service.ts';

/** The function `rollback`. */
export const handler = rollback(startService(process.env));
