import { BUCKETS_MAX } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import {
  when,
  not,
  equal,
  atMost,
  firstOf,
  orEmpty,
  plus,
  minus,
  smallestIn,
  size,
  each,
  bound,
  those,
  joined,
  isIn,
  sumOf,
  stepStart,
} from './expression.ts';

/**
 * What a check of many orders reads: expressions over the stored document and the request, each using
 * what the stages before it in `check-many-pipeline.ts` worked out. They say for many
 * orders what the check of one says for one.
 */

/** Room where nothing limits it; more than all orders of a call can ask together. */
const UNLIMITED = 4_611_686_018_427_387_904n; // 2^62

/** Goes through a list with a value that each item, `$$this`, may change. */
export const carried = (input: Expression, initialValue: Expression, next: Expression) =>
  ({ $reduce: { input, initialValue, in: next } }) as const;

/** What the document knows of any of these orders. */
export const entries = joined(ofTheseOrders('$holds'), ofTheseOrders('$settled'));

function ofTheseOrders(list: string): Expression {
  return those(orEmpty(list), 'entry', isIn('$$entry.id', '$work.request.ids'));
}

/** Each counter of the plan with the bucket in which the server's instant lies, and its room. */
export const targets = each(
  orEmpty('$work.plan.counters'),
  'counter',
  bound(
    {
      mine: those('$work.buckets', 'bucket', equal('$$bucket.name.counter', '$$counter.counter')),
      start: firstOf('$$counter.start', stepStart('$work.now', '$$counter.stepMs')),
    },
    'found',
    {
      name: {
        counter: '$$counter.counter',
        start: '$$found.start',
        until: firstOf('$$counter.until', plus('$$found.start', '$$counter.keepMs')),
      },
      sumsAmounts: '$$counter.sumsAmounts',
      shadow: '$$counter.shadow',
      amount: when(
        '$$counter.sumsAmounts',
        minus(
          '$$counter.maxAmount',
          plus(sumOf('$$found.mine', 'usedAmount'), sumOf('$$found.mine', 'heldAmount')),
        ),
        UNLIMITED,
      ),
      count: minus(
        '$$counter.maxCount',
        plus(sumOf('$$found.mine', 'usedCount'), sumOf('$$found.mine', 'heldCount')),
      ),
    },
  ),
);

const enforced = those('$work.targets', 'target', not('$$target.shadow'));

const roomOf = (field: 'amount' | 'count'): Expression =>
  firstOf(smallestIn(each(enforced, 'target', `$$target.${field}`)), UNLIMITED);

/** What the tightest rules in force still allow. */
export const room = { amount: roomOf('amount'), count: roomOf('count') };

/** What is left of the counters that shadow rules alone use; they never refuse. */
export const shadows = each(those('$work.targets', 'target', '$$target.shadow'), 'target', {
  counter: '$$target.name.counter',
  amount: '$$target.amount',
  count: '$$target.count',
});

/** The document has room for a bucket of each counter. */
export const bucketsFit = atMost(
  plus(
    size('$work.buckets'),
    size(those('$work.targets', 'target', not(isIn('$$target.name', '$work.buckets.name')))),
  ),
  BUCKETS_MAX,
);
