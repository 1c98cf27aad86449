import {
  summarySchema,
  transactionsSchema,
  usageHistorySchema,
} from '../../lib/audit/history/history-request.ts';
import { HISTORY_EXAMPLES } from './history-examples.ts';
import type { Operation } from './operation.ts';
import { CONTENT_LANGUAGE } from './operation.ts';

/** The calls that tell of the past. */

const tag = 'History';
const FROM_AUDIT = 'Read from the audit: of what has no row, nothing is told.';
const CODES = ['AUDIT_OFF', 'TOO_MANY_ROWS'] as const;

/** By operationId. */
export const HISTORY_OPERATIONS: Readonly<Record<string, Operation>> = {
  transactions: {
    ...{ method: 'get', path: '/v1/transactions', tag, takes: transactionsSchema },
    summary: 'What happened to a subject',
    description: `Every operation on an order that concerns all subjects in the query, newest first: of any application. Without a subject, with \`decision=refused\` or a \`rule\`: everybody's refused checks. ${FROM_AUDIT}`,
    answers: 'A page; one with very long rows has fewer than `limit`.',
    codes: CODES,
    example: HISTORY_EXAMPLES.transactions,
    headers: CONTENT_LANGUAGE,
  },
  usageHistory: {
    ...{ method: 'get', path: '/v1/usage/history', tag, takes: usageHistorySchema },
    summary: 'What was counted, window by window',
    description: `Of all payments that concern the subjects in the query, or of those that one rule counted. A payment counts in the window of its check, as limits count it; what was refunded is taken off there. ${FROM_AUDIT}`,
    answers: 'Every window that reaches into the stretch, empty ones too.',
    codes: [...CODES, 'NO_SUCH_RULE'],
    example: HISTORY_EXAMPLES.usageHistory,
  },
  summary: {
    ...{ method: 'get', path: '/v1/summary', tag, takes: summarySchema },
    summary: 'What happened on a day to a kind of subject',
    description: `What was confirmed and refunded, by currency, and refused, by rule, of all orders that name a subject of the kind. ${FROM_AUDIT}`,
    answers: 'The sums of the day; of today, so far.',
    codes: CODES,
    example: HISTORY_EXAMPLES.summary,
  },
};
