import { MEMORY_MS, NEVER, SETTLED_MAX } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import { NOTHING_LAPSED, countOf } from './document-reading.ts';
import {
  when,
  all,
  either,
  not,
  equal,
  above,
  atMost,
  firstOf,
  orEmpty,
  plus,
  largest,
  largestIn,
  smallestIn,
  size,
  each,
  bound,
  those,
  first,
  joined,
  newest,
  isIn,
  sumOf,
  laidOver,
  named,
  nameOf,
} from './expression.ts';

/** What a check of many orders writes once it is decided which are taken. */

/** What a list of orders adds to the sums; 64-bit integers, even of an empty list. */
const shareOf = (orders: Expression): Expression =>
  bound(
    {
      used: those(orders, 'order', '$$order.capture'),
      held: those(orders, 'order', not('$$order.capture')),
    },
    'part',
    {
      usedAmount: plus(0n, sumOf('$$part.used', 'amount')),
      usedCount: plus(0n, sumOf('$$part.used', 'count')),
      heldAmount: plus(0n, sumOf('$$part.held', 'amount')),
      heldCount: plus(0n, sumOf('$$part.held', 'count')),
    },
  );

/** The share of all orders that are taken. */
export const share = shareOf('$work.taken');

const entering = those(
  '$work.taken',
  'order',
  not(isIn('$$target.counter', orEmpty('$$order.leftOut'))),
);

/** Buckets that any order enters, each with what it is given. */
export const entered = those(
  each(
    '$work.targets',
    'target',
    laidOver('$$target', { share: when('$$target.shadow', shareOf(entering), '$work.share') }),
  ),
  'target',
  above(countOf('$$target.share'), 0n),
);

/** The names of the buckets that are entered. */
export const enteredNames = each('$work.entered', 'target', nameOf('$$target'));

const ofBucket = first(
  those('$work.entered', 'target', equal(nameOf('$$target'), nameOf('$$bucket'))),
);

const bucketsWithShares = joined(
  each(
    '$work.buckets',
    'bucket',
    when(
      named('$$bucket', '$work.enteredNames'),
      bound(
        ofBucket,
        'target',
        laidOver('$$bucket', {
          usedAmount: plus('$$bucket.usedAmount', '$$target.share.usedAmount'),
          usedCount: plus('$$bucket.usedCount', '$$target.share.usedCount'),
          heldAmount: plus('$$bucket.heldAmount', '$$target.share.heldAmount'),
          heldCount: plus('$$bucket.heldCount', '$$target.share.heldCount'),
        }),
      ),
      '$$bucket',
    ),
  ),
  each(those('$work.entered', 'target', not(named('$$target', '$work.bucketNames'))), 'target', {
    counter: '$$target.counter',
    start: '$$target.start',
    until: '$$target.until',
    usedAmount: when('$$target.sumsAmounts', '$$target.share.usedAmount', null),
    usedCount: '$$target.share.usedCount',
    heldAmount: when('$$target.sumsAmounts', '$$target.share.heldAmount', null),
    heldCount: '$$target.share.heldCount',
  }),
);

/** Buckets that a release emptied go with the second order that is taken, as they would one by one. */
const buckets = when(
  either(NOTHING_LAPSED, atMost(size('$work.taken'), 1)),
  bucketsWithShares,
  those(bucketsWithShares, 'bucket', above(countOf('$$bucket'), 0n)),
);

/** The buckets that all orders enter; which, with shadow counters that are full, not each does. */
export const references = each('$work.targets', 'target', {
  counter: '$$target.counter',
  start: '$$target.start',
  until: '$$target.until',
});

const own = {
  id: '$$order.id',
  nonce: '$$order.nonce',
  digest: '$$order.digest',
  amount: '$$order.amount',
  count: '$$order.count',
  leftOut: orEmpty('$$order.leftOut'),
  at: '$work.now',
};

const ownHolds = each(
  those('$work.taken', 'order', not('$$order.capture')),
  'order',
  laidOver(own, {
    until: plus('$work.now', '$$order.holdMs'),
    pending: '$work.request.pending',
    buckets: when(
      equal(orEmpty('$$order.leftOut'), []),
      '$work.references',
      those('$work.references', 'reference', not(isIn('$$reference.counter', '$$order.leftOut'))),
    ),
  }),
);

const ownOutcomes = each(
  those('$work.taken', 'order', '$$order.capture'),
  'order',
  laidOver(own, { state: 'confirmed', late: false }),
);

/**
 * An expired hold of an order that is taken is forgotten, since the order has a new one; but not
 * while that is pending, for it may yet be withdrawn.
 */
const staysRemembered = (outcome: string): Expression =>
  either('$work.request.pending', not(isIn(`${outcome}.id`, '$work.takenIds')));

/** The memory, with what expired since. */
const remembered = joined(
  those(orEmpty('$settled'), 'outcome', staysRemembered('$$outcome')),
  each(
    those('$work.lapsed', 'hold', staysRemembered('$$hold')),
    'hold',
    laidOver('$$hold', { state: 'expired', late: false }),
  ),
  ownOutcomes,
);

const memoryStays = all(
  NOTHING_LAPSED,
  equal('$work.entries', []),
  equal('$work.share.usedCount', 0n), // nothing captured
);

/** The memory where it changes; null in the ordinary case, which leaves it alone. */
export const outcomes = when(memoryStays, null, remembered);

/** Ids of the orders that are taken. */
export const takenIds = each('$work.taken', 'order', '$$order.id');

/** The longest hold of those that are taken, in milliseconds. */
export const longest = largestIn(each('$work.taken', 'order', '$$order.holdMs'));

/** Open holds, those of the orders that are taken among them. */
export const holds = joined('$work.open', ownHolds);

/** Everything that the orders that are taken change; nothing where none is. */
export const change = when(equal('$work.taken', []), null, {
  buckets,
  holds: '$work.holds',
  settled: when(equal('$work.outcomes', null), null, newest('$work.outcomes', SETTLED_MAX)),
  forgot: either(firstOf('$forgot', false), above(size(orEmpty('$work.outcomes')), SETTLED_MAX)),
  due: firstOf(smallestIn('$work.holds.until'), NEVER),
  expireAt: largest(
    firstOf('$expireAt', '$work.now'),
    plus('$work.now', '$work.longest', MEMORY_MS),
    firstOf(largestIn('$work.entered.until'), '$work.now'),
  ),
});
