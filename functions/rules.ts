import { rules } from './handlers.ts';
import { startService } from './service.ts';

/** The function `rules`. */
export const handler = rules(startService(process.env));
