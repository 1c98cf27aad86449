import { settlements } from './handlers.ts';
import { startService } from './service.ts';

/** The function `settlements`. */
export const handler = settlements(startService(process.env));
