import { subjects } from './handlers.ts';
import { startService } from './service.ts';

/** The function `subjects`. */
export const handler = subjects(startService(process.env));
