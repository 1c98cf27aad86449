import { rules } from './handlers.ts';
import { startService } from './service.ts';

export const handler = rules(startService(process.env));
