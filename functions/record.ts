import { record } from './handlers.ts';
import { startService } from './service.ts';

/** The function `record`. */
export const handler = record(startService(process.env));
