import {
  BUCKETS_MAX,
  EMPTY_DOCUMENT_MS,
  MEMORY_MS,
  RULES_PER_CHECK_MAX,
  UNTIDIED_MAX,
} from '../domain/bounds.ts';
import { holdsAny, keeping, keptOf, surelyOver } from './document-reading.ts';
import type { Expression, Fields } from './expression.ts';
import {
  above,
  all,
  atMost,
  bound,
  differ,
  each,
  either,
  equal,
  first,
  firstOf,
  isIn,
  joined,
  laidOver,
  largest,
  largestIn,
  mapOf,
  newest,
  not,
  orEmpty,
  plus,
  size,
  sumOf,
  textOf,
  those,
  when,
  writing,
} from './expression.ts';

/** What a check writes once it is decided which orders are taken. */

/** What a list of orders adds to the sums of a bucket; 64-bit integers, even of an empty list. */
const shareOf = (orders: Expression): Expression =>
  bound({ all: orders, held: those(orders, 'order', not('$$order.capture')) }, 'part', {
    amount: plus(0n, sumOf('$$part.all', 'amount')),
    count: plus(0n, sumOf('$$part.all', 'count')),
    heldAmount: plus(0n, sumOf('$$part.held', 'amount')),
    heldCount: plus(0n, sumOf('$$part.held', 'count')),
  });

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
  above('$$target.share.count', 0n),
);

const ofBucket = first(those('$work.entered', 'target', equal('$$target.name', '$$bucket.k')));

const enteredNames = each('$work.entered', 'target', '$$target.name');

/** Buckets that are still needed: their window is not over and they hold something, or a hold names them. */
export const tidy = those(
  '$work.released',
  'bucket',
  either(
    above('$$bucket.v.heldCount', 0n),
    all(above('$$bucket.until', '$work.now'), holdsAny('$$bucket')),
  ),
);

const newBuckets = those(
  '$work.entered',
  'target',
  not(isIn('$$target.name', each('$work.tidy', 'bucket', '$$bucket.k'))),
);

/** The buckets with what is given to them, and those that the orders are the first to enter. */
export const filled = joined(
  each('$work.tidy', 'bucket', {
    k: '$$bucket.k',
    v: when(
      isIn('$$bucket.k', enteredNames),
      bound(ofBucket, 'target', {
        amount: plus('$$bucket.v.amount', '$$target.share.amount'),
        count: plus('$$bucket.v.count', '$$target.share.count'),
        heldAmount: plus('$$bucket.v.heldAmount', '$$target.share.heldAmount'),
        heldCount: plus('$$bucket.v.heldCount', '$$target.share.heldCount'),
      }),
      '$$bucket.v',
    ),
  }),
  each(newBuckets, 'target', {
    k: '$$target.name',
    v: {
      amount: when('$$target.sumsAmounts', '$$target.share.amount', null),
      count: '$$target.share.count',
      heldAmount: when('$$target.sumsAmounts', '$$target.share.heldAmount', null),
      heldCount: '$$target.share.heldCount',
    },
  }),
);

/** The buckets that an order enters; not each order enters shadow counters that are full. */
const namesFor = (order: string): Expression =>
  each(
    those('$work.targets', 'target', not(isIn('$$target.counter', orEmpty(`${order}.leftOut`)))),
    'target',
    '$$target.name',
  );

/** Counters that the order does not enter, where there are any. */
const leftOut = when(equal(orEmpty('$$order.leftOut'), []), {}, { leftOut: '$$order.leftOut' });

/** The holds of the orders that are taken. */
export const ownHolds = each(
  those('$work.taken', 'order', not('$$order.capture')),
  'order',
  laidOver('$$order.own', leftOut, {
    until: firstOf('$$order.until', plus('$work.now', '$$order.holdMs')),
    buckets: namesFor('$$order'),
  }),
);

/** Where else the order has shares, and until when; nothing of an order of one document. */
export const elsewhere = (order: string, others: string): Expression =>
  when(equal(orEmpty(others), []), {}, { until: `${order}.until`, others });

const ownOutcomes = each(
  those('$work.taken', 'order', '$$order.capture'),
  'order',
  laidOver(
    {
      id: '$$order.own.id',
      is: textOf('c', '$$order.own.nonce', '$$order.own.digest'),
      amount: '$$order.own.amount',
      count: '$$order.own.count',
    },
    leftOut,
    elsewhere('$$order', '$$order.own.others'),
  ),
);

/** Ids of the orders that are taken where this is home: what was known of them is over. */
export const endedIds = when(
  '$work.request.beside',
  [],
  each('$work.taken', 'order', '$$order.own.id'),
);

const isHome = (hold: string): Expression => equal(firstOf(`${hold}.home`, null), null);

/** What lapsed of orders whose home this is. */
export const lapsedHere = those('$work.lapsed', 'hold', isHome('$$hold'));

/** What lapsed of orders whose home is another document. */
export const lapsedBeside = those('$work.lapsed', 'hold', not(isHome('$$hold')));

/** All outcomes there are to remember, oldest first. */
export const outcomes = joined(
  those(orEmpty('$settled'), 'outcome', not(isIn('$$outcome.id', '$work.endedIds'))),
  each(
    those('$work.lapsedHere', 'hold', not(isIn('$$hold.id', '$work.endedIds'))),
    'hold',
    laidOver('$$hold', { expired: true }),
  ),
  ownOutcomes,
);

/** All shares there are to keep for late confirms, oldest first. */
export const kept = joined(
  orEmpty('$kept'),
  each('$work.lapsedBeside', 'share', keptOf('$$share')),
);

const isAnyTaken = differ('$work.taken', []);

/** How many outcomes there are more than before. */
const ended = plus(
  size('$work.lapsedHere'),
  size(those('$work.taken', 'order', '$$order.capture')),
);

/** The conditional updates may go on until then; not where they could pass the bound on buckets. */
const untidied = when(
  atMost(size('$work.filled'), BUCKETS_MAX - UNTIDIED_MAX - RULES_PER_CHECK_MAX),
  0,
  UNTIDIED_MAX,
);

/** When the last window that is entered is over, and no clock can say that it is not. */
const lastEnd = largestIn(each('$work.entered', 'target', surelyOver('$$target.until')));

const longest = firstOf(
  largestIn(
    each('$work.taken', 'order', firstOf('$$order.until', plus('$work.now', '$$order.holdMs'))),
  ),
  '$work.now',
);

/** Everything that the orders that are taken change; of a new document, when it may go. */
export const written: Fields = {
  ...writing(isAnyTaken, {
    buckets: mapOf('$work.filled'),
    holds: joined('$work.open', '$work.ownHolds'),
    settled: newest('$work.outcomes', '$work.request.outcomesMax'),
    remembered: plus(firstOf('$remembered', 0n), ended),
  }),
  ...keeping(
    all(isAnyTaken, differ('$work.lapsedBeside', [])),
    '$work.kept',
    '$work.request.outcomesMax',
  ),
  ...writing(isAnyTaken, { untidied, seen: '$work.now' }),
  expireAt: when(
    isAnyTaken,
    largest(firstOf('$expireAt', '$work.now'), plus(longest, MEMORY_MS), lastEnd),
    firstOf('$expireAt', plus('$work.now', EMPTY_DOCUMENT_MS)),
  ),
};
