import { backtests } from './handlers.ts';
import { startService } from './service.ts';

export const handler = backtests(startService(process.env));
