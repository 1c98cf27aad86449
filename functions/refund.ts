import { refund } from './handlers.ts';
import { startService } from './service.ts';

export const handler = refund(startService(process.env));
