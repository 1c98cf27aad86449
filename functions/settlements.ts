import { settlements } from './handlers.ts';
import { startService } from './service.ts';

export const handler = settlements(startService(process.env));
