import { health } from './handlers.ts';
import { startService } from './service.ts';

export const handler = health(startService(process.env));
