import type { HistoryBook } from './history.ts';
import { TRANSACTIONS_DEFAULT } from './history.ts';
import type { LambdaHandler } from '../../http/handler.ts';
import type { RoutesSurroundings } from '../../http/routed.ts';
import { createRoutes, route } from '../../http/routed.ts';
import { summaryJson, transactionsJson, usageHistoryJson } from './history-answer.ts';
import {
  lastOf,
  mistakesInTransactions,
  summarySchema,
  transactionsSchema,
  usageHistorySchema,
} from './history-request.ts';

/** It shows orders of every application, as `usage` shows the sums of all. */
const READS = { needs: ['usage:read'] } as const;

/** Makes the one function that tells of the past; a direct invocation says its `operation`. */
export function createHistoryHandler(
  book: HistoryBook,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  const transactions = route({
    ...{ route: 'GET /v1/transactions', ...READS, takes: transactionsSchema },
    between: mistakesInTransactions,
    async run({ subjects = {}, limit = TRANSACTIONS_DEFAULT, language = 'en', ...asked }) {
      const page = await book.transactions({ ...asked, subjects, limit });
      const headers = { 'content-language': language };
      return { answer: transactionsJson(page, language), headers };
    },
  });
  const usageHistory = route({
    ...{ route: 'GET /v1/usage/history', ...READS, takes: usageHistorySchema },
    run: async (asked, { at }) => ({
      answer: usageHistoryJson(await book.usageHistory({ ...asked, last: lastOf(asked) }, at)),
    }),
  });
  const summary = route({
    ...{ route: 'GET /v1/summary', ...READS, takes: summarySchema },
    run: async ({ zone = 'UTC', ...asked }, { at }) => ({
      answer: summaryJson(await book.summary({ ...asked, zone }, at)),
    }),
  });
  return createRoutes('history', { transactions, usageHistory, summary }, surroundings);
}
