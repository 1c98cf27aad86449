import { near } from './handlers.ts';
import { startService } from './service.ts';

/** The function `near`. */
export const handler = near(startService(process.env));
