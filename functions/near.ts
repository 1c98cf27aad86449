import { near } from './handlers.ts';
import { startService } from './service.ts';

export const handler = near(startService(process.env));
