import { status } from './handlers.ts';
import { startService } from './service.ts';

export const handler = status(startService(process.env));
