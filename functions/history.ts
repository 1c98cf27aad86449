import { history } from './handlers.ts';
import { startService } from './service.ts';

/** The function `history`. */
export const handler = history(startService(process.env));
