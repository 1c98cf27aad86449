import { status } from './handlers.ts';
import { startService } from './service.ts';

/** The function `status`. */
export const handler = status(startService(process.env));
