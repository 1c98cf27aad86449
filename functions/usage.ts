import { usage } from './handlers.ts';
import { startService } from './service.ts';

export const handler = usage(startService(process.env));
