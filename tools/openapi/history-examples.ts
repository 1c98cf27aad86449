import type { Example } from './examples.ts';

/** An answer of each call that tells of the past: those of docs/history.md. */

const now = '2026-11-21T10:12:09.402Z';
const day = { start: '2026-11-20T16:00:00.000Z', end: '2026-11-21T16:00:00.000Z' };

/** One check, in the nineteenth hour. */
const HOURLY = Array.from({ length: 24 }, (_, hour) => (hour === 18 ? 1 : 0));

/** By operationId. */
export const HISTORY_EXAMPLES = {
  transactions: {
    answer: {
      subjects: { user: 'u-2' },
      transactions: [
        {
          orderId: 'o-3',
          app: 'default',
          subjects: { user: 'u-2' },
          type: 'PAYMENT',
          at: '2026-11-21T10:10:57.901Z',
          operation: 'check',
          outcome: 'refused',
          amount: 2_000_000,
          count: 1,
          currency: 'CNY',
          requestId: '8d0c9833-3e1a-4a5b-9b0f-2c6a1f1f7a10',
          violations: ['user-day'],
          refusals: [
            {
              rule: 'user-day',
              sentence:
                'user-day allows at most ¥50,000.00 a day in Asia/Shanghai: used ¥0.00, held ¥40,000.00, asked ¥20,000.00. The window ends Nov 22, 2026, 00:00 Asia/Shanghai',
              outcome: 'exceeded',
              version: 1,
              currency: 'CNY',
              window: { kind: 'calendar', unit: 'day', timeZone: 'Asia/Shanghai', ...day },
              max: { amount: 5_000_000, count: 100 },
              used: { amount: 0, count: 0 },
              held: { amount: 4_000_000, count: 2 },
            },
          ],
        },
      ],
      next: null,
    },
  },
  usageHistory: {
    answer: {
      subjects: { user: 'u-3' },
      rule: 'user-day',
      unit: 'day',
      timeZone: 'Asia/Shanghai',
      windows: [
        { start: '2026-11-19T16:00:00.000Z', end: '2026-11-20T16:00:00.000Z', sums: [] },
        {
          ...day,
          sums: [{ currency: 'CNY', amount: 300_000, count: 1, refunded: 200_000 }],
        },
      ],
      now,
    },
  },
  summary: {
    answer: {
      kind: 'user',
      date: '2026-11-21',
      timeZone: 'Asia/Shanghai',
      ...day,
      sums: [
        {
          currency: 'CNY',
          confirmed: { amount: 2_400_000, count: 2 },
          recorded: { amount: 0, count: 0 },
          refunded: { amount: 200_000, count: 0 },
        },
      ],
      refused: 1,
      refusals: [{ rule: 'user-day', count: 1, hourly: HOURLY }],
      now,
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
