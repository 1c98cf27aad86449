import { proposals } from './handlers.ts';
import { startService } from './service.ts';

export const handler = proposals(startService(process.env));
