import { MEMORY_MS, NEVER, SETTLED_MAX } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import { NOTHING_LAPSED, namesIn } from './document-reading.ts';
import {
  when,
  all,
  either,
  not,
  equal,
  differ,
  above,
  firstOf,
  orEmpty,
  plus,
  largest,
  smallest,
  largestIn,
  smallestIn,
  size,
  each,
  those,
  joined,
  newest,
  laidOver,
  named,
} from './expression.ts';

/** What a check writes once it is decided: the fields that an admitted order changes. */

/** The order's share in the sums: held, or used at once. */
export const share = when(
  '$work.request.capture',
  {
    usedAmount: '$work.request.amount',
    usedCount: '$work.request.count',
    heldAmount: 0n,
    heldCount: 0n,
  },
  {
    usedAmount: 0n,
    usedCount: 0n,
    heldAmount: '$work.request.amount',
    heldCount: '$work.request.count',
  },
);

const bucketsWithShare = joined(
  each(
    '$work.buckets',
    'bucket',
    when(
      named('$$bucket', '$work.enteredNames'),
      laidOver('$$bucket', {
        usedAmount: plus('$$bucket.usedAmount', '$work.share.usedAmount'),
        usedCount: plus('$$bucket.usedCount', '$work.share.usedCount'),
        heldAmount: plus('$$bucket.heldAmount', '$work.share.heldAmount'),
        heldCount: plus('$$bucket.heldCount', '$work.share.heldCount'),
      }),
      '$$bucket',
    ),
  ),
  each('$work.missing', 'target', {
    counter: '$$target.counter',
    start: '$$target.start',
    until: '$$target.until',
    usedAmount: when(equal('$$target.amount', null), null, '$work.share.usedAmount'),
    usedCount: '$work.share.usedCount',
    heldAmount: when(equal('$$target.amount', null), null, '$work.share.heldAmount'),
    heldCount: '$work.share.heldCount',
  }),
);

const own = {
  id: '$work.request.id',
  nonce: '$work.request.nonce',
  digest: '$work.request.digest',
  amount: '$work.request.amount',
  count: '$work.request.count',
  leftOut: '$work.leftOut',
  at: '$work.now',
};
const ownHold = [
  laidOver(own, {
    until: '$work.until',
    pending: '$work.request.pending',
    buckets: '$work.entered',
  }),
];
const ownOutcome = [laidOver(own, { state: 'confirmed', late: false })];

/**
 * An expired hold of this very order is forgotten, since the order has a new one; but not while that
 * is pending, for it may yet be withdrawn.
 */
const staysRemembered = (outcome: string): Expression =>
  either('$work.request.pending', differ(`${outcome}.id`, '$work.request.id'));

/** The memory, with what expired since. */
const remembered = joined(
  those(orEmpty('$settled'), 'outcome', staysRemembered('$$outcome')),
  each(
    those('$work.lapsed', 'hold', staysRemembered('$$hold')),
    'hold',
    laidOver('$$hold', { state: 'expired', late: false }),
  ),
  when('$work.request.capture', ownOutcome, []),
);

/** The memory where it changes; null in the ordinary case, which leaves it alone. */
export const outcomes = when(
  all(
    '$work.fits',
    either('$work.request.capture', not(NOTHING_LAPSED), differ('$work.entries', [])),
  ),
  remembered,
  null,
);

/** The first instant at which the order's hold no longer counts. */
export const until = plus('$work.now', '$work.request.holdMs');

/** The names of the buckets that the order enters. */
export const enteredNames = namesIn('$work.entered');

/** Everything that an admitted order changes. */
const written = {
  buckets: bucketsWithShare,
  holds: when('$work.request.capture', '$work.open', joined('$work.open', ownHold)),
  settled: when(equal('$work.outcomes', null), null, newest('$work.outcomes', SETTLED_MAX)),
  forgot: either(firstOf('$forgot', false), above(size(orEmpty('$work.outcomes')), SETTLED_MAX)),
  due: when(
    '$work.request.capture',
    firstOf(smallestIn('$work.open.until'), NEVER),
    smallest(smallestIn('$work.open.until'), '$work.until'),
  ),
  expireAt: largest('$expireAt', plus('$work.until', MEMORY_MS), largestIn('$work.entered.until')),
};

/** All that changes when a pending hold is taken over: whose it is, and that it was. */
const takenOver = {
  holds: each(
    '$holds',
    'hold',
    when(
      equal('$$hold.id', '$work.request.id'),
      laidOver('$$hold', { nonce: '$work.request.nonce', takenOver: true }),
      '$$hold',
    ),
  ),
};

/** What the check changes: all that an admitted order does, whose a pending hold is, or nothing. */
export const change = when('$work.fits', written, when('$work.takesOver', takenOver, null));
