import { COUNTED_STATES } from '../lib/shared/states.ts';
import { COUNTER_SUM_MAX } from '../lib/shared/bounds.ts';
import * as say from './words.ts';

/** The part of a maximum that counts. */
export const usedQuantity = say.named(
  'UsedQuantity',
  'An amount in minor units, and a count.',
  {},
  {
    amount: say.whole(
      'Minor units. Below zero if more was taken off by `minus` than counts.',
      -COUNTER_SUM_MAX,
      COUNTER_SUM_MAX,
    ),
    count: say.sum('The number of transactions, or the sum of the `count` of the checks.'),
  },
);

/** The ends of orders that a rule counts, where these are not confirms alone. */
export const countedEnds = {
  outcomes: say.list(
    say.oneOf(COUNTED_STATES, 'An outcome of an order.'),
    'The outcomes with which orders count. Absent if only those count that are confirmed.',
  ),
  reasonCodes: say.list(
    say.text('A reason code.'),
    'A rollback counts only if its reason code is one of these. Absent if each counts.',
  ),
};
