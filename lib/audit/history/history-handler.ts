import type { RowsPage } from './history.ts';
import type {
  DaySummary,
  HistoryBook,
  SummaryQuery,
  UsageHistory,
  UsageHistoryQuery,
} from './history-book.ts';
import type { Call, LambdaHandler, Surroundings } from '../../http/handler.ts';
import { answered, createHandler } from '../../http/handler.ts';
import { summaryJson, transactionsJson, usageHistoryJson } from './history-answer.ts';
import type { TransactionsRequest } from './history-request.ts';
import { readSummary, readTransactions, readUsageHistory } from './history-request.ts';
import { TRANSACTIONS_FIELDS, USAGE_HISTORY_FIELDS } from './history-request.ts';
import { createRoutes } from '../../http/routed.ts';
import type { Language } from '../../http/sentences/language.ts';
import { subjectsQuery } from '../../usage/usage-request.ts';

/** Operations of a direct invocation, by the routes of HTTP. */
const ROUTES = {
  'GET /v1/transactions': 'transactions',
  'GET /v1/usage/history': 'usageHistory',
  'GET /v1/summary': 'summary',
} as const;

/** Everybody's orders are told, as `usage` tells what everybody counted. */
const READING = {
  name: 'history',
  needs: ['usage:read'],
  tell: answered,
} as const;

/** Makes the one function that tells of the past; a direct invocation says its `operation`. */
export function createHistoryHandler(book: HistoryBook, surroundings: Surroundings): LambdaHandler {
  return createRoutes(
    'history',
    ROUTES,
    {
      transactions: createHandler(transactionsCall(book), surroundings),
      usageHistory: createHandler(usageHistoryCall(book), surroundings),
      summary: createHandler(summaryCall(book), surroundings),
    },
    surroundings,
  );
}

function transactionsCall(
  book: HistoryBook,
): Call<TransactionsRequest, { readonly page: RowsPage; readonly language: Language }> {
  return {
    ...READING,
    readQuery(query) {
      const { subjects, ...asked } = subjectsQuery(TRANSACTIONS_FIELDS)(query);
      return Object.keys(subjects).length === 0 ? asked : { subjects, ...asked };
    },
    read: (text, _appId, envelope) => readTransactions(text, envelope),
    run: async ({ language, ...query }) => ({ page: await book.transactions(query), language }),
    write: ({ page, language }) => transactionsJson(page, language),
    frame: ({ language }) => ({ headers: { 'content-language': language } }),
  };
}

function usageHistoryCall(book: HistoryBook): Call<UsageHistoryQuery, UsageHistory> {
  return {
    ...READING,
    readQuery: subjectsQuery(USAGE_HISTORY_FIELDS),
    read: (text) => readUsageHistory(text),
    run: book.usageHistory,
    write: (answer) => usageHistoryJson(answer),
  };
}

function summaryCall(book: HistoryBook): Call<SummaryQuery, DaySummary> {
  return {
    ...READING,
    // It names no subjects: whatever stands there is a field.
    readQuery: (query) => ({
      ...subjectsQuery([...query.keys()])(query),
      subjects: undefined,
    }),
    read: (text) => readSummary(text),
    run: book.summary,
    write: (answer) => summaryJson(answer),
  };
}
