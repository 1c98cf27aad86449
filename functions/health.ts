import { health } from './handlers.ts';
import { startService } from './service.ts';

/** The function `health`. */
export const handler = health(startService(process.env));
