import { subjects } from './handlers.ts';
import { startService } from './service.ts';

export const handler = subjects(startService(process.env));
