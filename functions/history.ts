import { history } from './handlers.ts';
import { startService } from './service.ts';

export const handler = history(startService(process.env));
