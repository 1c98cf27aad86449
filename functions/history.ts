import { createHistoryHandler } from '../lib/audit/history/history-handler.ts';
import { historyBookOf } from './history-book.ts';
import { startService } from './service.ts';

const service = startService(process.env);

/** GET /v1/transactions, /v1/usage/history and /v1/summary, and the same by direct invocation. */
export const handler = createHistoryHandler(historyBookOf(service), service);
