import { proposals } from './handlers.ts';
import { startService } from './service.ts';

/** The function `proposals`. */
export const handler = proposals(startService(process.env));
