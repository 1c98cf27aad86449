import { nearSchema } from '../../lib/near/near-call.ts';
import type { Operation } from './operation.ts';

/** The list of those who are near a maximum. */

const row = {
  rule: 'merchant-day',
  mode: 'enforce',
  subjects: { merchant: 'm-1' },
  currency: 'CNY',
  share: 0.8,
  max: { amount: 5_000_000 },
  overridden: false,
  taken: { amount: 4_120_000, count: 17 },
  start: '2026-11-20T16:00:00.000Z',
  until: '2026-11-21T16:00:00.000Z',
  at: '2026-11-21T10:10:57.782Z',
  now: {
    used: { amount: 3_900_000, count: 15 },
    held: { amount: 100_000, count: 1 },
    max: { amount: 5_000_000 },
    overridden: false,
    share: 0.8,
  },
};

/** The call. */
export const NEAR_OPERATION: Operation = {
  tag: 'Limits',
  takes: nearSchema,
  summary: 'Subjects near a maximum',
  description:
    'Lists subjects that reached 50, 80, 95 or 100 % of a maximum in its window, those that reached most first. `now` says what each has used and held at this moment. Rows can be missing after a failure. A scan of the counters adds them.',
  answers: 'A page of the list.',
  codes: ['NO_SUCH_RULE'],
  example: {
    answer: {
      near: [row],
      next: null,
      kept: true,
      scannedAt: null,
      now: '2026-11-21T10:11:02.104Z',
    },
  },
};
