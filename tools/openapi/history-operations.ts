import {
  summarySchema,
  transactionsSchema,
  usageHistorySchema,
} from '../../lib/audit/history/history-request.ts';
import type { CallId } from '../../contract/calls.ts';
import { HISTORY_EXAMPLES } from './history-examples.ts';
import { CONTENT_LANGUAGE, type Operation } from './operation.ts';

/** The calls that tell of the past. */

const tag = 'History';
const FROM_AUDIT =
  'Headroom reads it from the audit: without a row it does not know of an operation.';
const CODES = ['AUDIT_OFF', 'TOO_MANY_ROWS'] as const;

/** By operationId. */
export const HISTORY_OPERATIONS = {
  transactions: {
    tag,
    takes: transactionsSchema,
    summary: 'The operations of a subject',
    description: `Lists every operation of any application on orders that name all subjects of the query. The newest comes first. Without a subject, and with \`decision=refused\` or a \`rule\`, it lists the refused checks of all subjects. ${FROM_AUDIT}`,
    answers: 'A page. If rows are very long, it has fewer than `limit`.',
    codes: CODES,
    example: HISTORY_EXAMPLES.transactions,
    headers: CONTENT_LANGUAGE,
  },
  usageHistory: {
    tag,
    takes: usageHistorySchema,
    summary: 'The sums of subjects, window by window',
    description: `Sums all payments of the subjects of the query, or only those that one rule counted. A payment counts in the window of its check. Its refunds are subtracted there. ${FROM_AUDIT}`,
    answers: 'Every window of the period, including empty ones.',
    codes: [...CODES, 'NO_SUCH_RULE'],
    example: HISTORY_EXAMPLES.usageHistory,
  },
  summary: {
    tag,
    takes: summarySchema,
    summary: 'The sums of one day for a kind of subject',
    description: `Sums all orders that name a subject of the kind: confirmed and refunded by currency, refused by rule. ${FROM_AUDIT}`,
    answers: 'The sums of the day. For today: the sums so far.',
    codes: [...CODES, 'CLUSTER_TOO_OLD'],
    example: HISTORY_EXAMPLES.summary,
  },
} satisfies Readonly<Partial<Record<CallId, Operation>>>;
