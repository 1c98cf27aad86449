import { EMPTY_DOCUMENT_MS, KEPT_BEYOND_MS, MEMORY_MS, NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import {
  NOTHING_LAPSED,
  countOf,
  due,
  expired,
  holdsAny,
  remembering,
} from './document-reading.ts';
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
  smallest,
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
  differ,
  writing,
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
  not(isIn('$$target.name.counter', orEmpty('$$order.leftOut'))),
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

const ofBucket = first(those('$work.entered', 'target', equal('$$target.name', '$$bucket.name')));

const bucketsWithShares = joined(
  each(
    '$work.buckets',
    'bucket',
    when(
      isIn('$$bucket.name', '$work.entered.name'),
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
  each(
    those('$work.entered', 'target', not(isIn('$$target.name', '$work.buckets.name'))),
    'target',
    {
      name: '$$target.name',
      usedAmount: when('$$target.sumsAmounts', '$$target.share.usedAmount', null),
      usedCount: '$$target.share.usedCount',
      heldAmount: when('$$target.sumsAmounts', '$$target.share.heldAmount', null),
      heldCount: '$$target.share.heldCount',
    },
  ),
);

/** Buckets that a release emptied go with the second order that is taken, as they would one by one. */
const buckets = when(
  either(NOTHING_LAPSED, atMost(size('$work.taken'), 1)),
  bucketsWithShares,
  those(bucketsWithShares, 'bucket', holdsAny('$$bucket')),
);

/** The buckets that all orders enter; which, with shadow counters that are full, not each does. */
const references = '$work.targets.name';

const own = {
  id: '$$order.id',
  nonce: '$$order.nonce',
  digest: '$$order.digest',
  amount: '$$order.amount',
  count: '$$order.count',
  others: '$$order.others',
  home: '$$order.home',
  at: '$work.now',
};

/** Counters that the order does not enter, where there are any. */
const leftOut = when(equal(orEmpty('$$order.leftOut'), []), {}, { leftOut: '$$order.leftOut' });

/** The holds of the orders that are taken. */
export const ownHolds = each(
  those('$work.taken', 'order', not('$$order.capture')),
  'order',
  laidOver(own, leftOut, when('$work.request.pending', { pending: true }, {}), {
    until: plus('$work.now', '$$order.holdMs'),
    buckets: when(
      equal(orEmpty('$$order.leftOut'), []),
      references,
      those(references, 'name', not(isIn('$$name.counter', '$$order.leftOut'))),
    ),
  }),
);

const ownOutcomes = each(
  those('$work.taken', 'order', '$$order.capture'),
  'order',
  laidOver(own, leftOut, { state: 'confirmed', late: false }),
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
  expired(those('$work.lapsed', 'hold', staysRemembered('$$hold'))),
  ownOutcomes,
);

/** The ordinary case, in which the memory stays as it is. */
export const memoryStays = all(
  NOTHING_LAPSED,
  equal('$work.entries', []),
  equal('$work.share.usedCount', 0n), // nothing captured
);

/** The memory where it changes; nothing in the ordinary case, which leaves it alone. */
export const outcomes = when('$work.memoryStays', [], remembered);

/** Ids of the orders that are taken. */
export const takenIds = each('$work.taken', 'order', '$$order.id');

/** The longest hold of those that are taken, in milliseconds. */
export const longest = largestIn(each('$work.taken', 'order', '$$order.holdMs'));

const isAnyTaken = differ('$work.taken', []);

/** Everything that the orders that are taken change; of a new document, when it may go. */
export const written = {
  ...writing(isAnyTaken, { buckets, holds: joined('$work.open', '$work.ownHolds') }),
  ...remembering(all(isAnyTaken, not('$work.memoryStays')), '$work.outcomes'),
  ...writing(isAnyTaken, {
    due: firstOf(smallest(due, smallestIn('$work.ownHolds.until')), NEVER),
    seen: '$work.now',
  }),
  expireAt: when(
    isAnyTaken,
    largest(
      firstOf('$expireAt', '$work.now'),
      plus('$work.now', '$work.longest', MEMORY_MS),
      plus(firstOf(largestIn('$work.entered.name.until'), '$work.now'), KEPT_BEYOND_MS),
    ),
    firstOf('$expireAt', plus('$work.now', EMPTY_DOCUMENT_MS)),
  ),
};
