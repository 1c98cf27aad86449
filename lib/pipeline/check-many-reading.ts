import { BUCKETS_MAX, NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import {
  literal,
  when,
  all,
  not,
  equal,
  above,
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
  first,
  joined,
  isIn,
  sumOf,
  laidOver,
  stepStart,
  named,
  nameOf,
} from './expression.ts';

/**
 * What a check of many orders reads: expressions over the stored document and the request, each using
 * what the stages before it in `check-many-pipeline.ts` worked out. They say for many
 * orders what the check of one says for one.
 */

/** Room where nothing limits it; more than all orders of a call can ask together. */
const UNLIMITED = 4_611_686_018_427_387_904n; // 2^62

const NO_PLAN: Expression = literal({ barred: true, counters: [] });

/** Goes through a list with a value that each item, `$$this`, may change. */
export const carried = (input: Expression, initialValue: Expression, next: Expression) =>
  ({ $reduce: { input, initialValue, in: next } }) as const;

/** The plan in which the server's instant lies; without one nothing may be held. */
export const plan = firstOf(
  first(
    those(
      '$work.request.plans',
      'one',
      all(atMost('$$one.from', '$work.now'), above('$$one.until', '$work.now')),
    ),
  ),
  NO_PLAN,
);

/** Holds whose time is over; looked for only once `due` has passed. */
export const lapsed = when(
  atMost(firstOf('$due', NEVER), '$work.now'),
  those(orEmpty('$holds'), 'hold', atMost('$$hold.until', '$work.now')),
  [],
);

/** The ordinary case, in which nothing has to be released. */
export const NOTHING_LAPSED = equal('$work.lapsed', []);

/** What a bucket counts. */
export const countOf = (bucket: string): Expression =>
  plus(`${bucket}.usedCount`, `${bucket}.heldCount`);

/** Buckets that still count and are not empty. */
export const live = those(
  orEmpty('$buckets'),
  'bucket',
  all(above('$$bucket.until', '$work.now'), above(countOf('$$bucket'), 0n)),
);

/** What the document knows of any of these orders. */
export const entries = joined(ofTheseOrders('$holds'), ofTheseOrders('$settled'));

function ofTheseOrders(list: string): Expression {
  return those(orEmpty(list), 'entry', isIn('$$entry.id', '$work.request.ids'));
}

/** Live buckets, once what lapsed holds held is released. */
export const released = when(
  NOTHING_LAPSED,
  '$work.live',
  each(
    '$work.live',
    'bucket',
    bound(
      { gone: those('$work.lapsed', 'hold', named('$$bucket', namesIn('$$hold.buckets'))) },
      'its',
      laidOver('$$bucket', {
        heldAmount: minus('$$bucket.heldAmount', sumOf('$$its.gone', 'amount')),
        heldCount: minus('$$bucket.heldCount', sumOf('$$its.gone', 'count')),
      }),
    ),
  ),
);

/** The names in a list of buckets or references. */
export function namesIn(references: Expression): Expression {
  return each(references, 'reference', nameOf('$$reference'));
}

/** Holds whose time is not over. */
export const open = when(
  NOTHING_LAPSED,
  orEmpty('$holds'),
  those('$holds', 'hold', above('$$hold.until', '$work.now')),
);

/** Each counter of the plan with the bucket in which the server's instant lies, and its room. */
export const targets = each(
  '$work.plan.counters',
  'counter',
  bound(
    {
      mine: those('$work.buckets', 'bucket', equal('$$bucket.counter', '$$counter.counter')),
      start: firstOf('$$counter.start', stepStart('$work.now', '$$counter.stepMs')),
    },
    'found',
    {
      counter: '$$counter.counter',
      start: '$$found.start',
      until: firstOf('$$counter.until', plus('$$found.start', '$$counter.keepMs')),
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
  counter: '$$target.counter',
  amount: '$$target.amount',
  count: '$$target.count',
});

/** The document has room for a bucket of each counter. */
export const bucketsFit = atMost(
  plus(
    size('$work.buckets'),
    size(those('$work.targets', 'target', not(named('$$target', '$work.bucketNames')))),
  ),
  BUCKETS_MAX,
);
