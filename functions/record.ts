import { record } from './handlers.ts';
import { startService } from './service.ts';

export const handler = record(startService(process.env));
