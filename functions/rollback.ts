import { rollback } from './handlers.ts';
import { startService } from './service.ts';

export const handler = rollback(startService(process.env));
