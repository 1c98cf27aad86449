import { MEMORY_MS, NEVER, SETTLED_MAX } from '../domain/bounds.ts';
import { NOTHING_LAPSED, namesIn } from './check-reading.ts';
import type { Expression } from './expression.ts';
import {
  above,
  differ,
  each,
  either,
  equal,
  firstOf,
  inOrder,
  joined,
  laidOver,
  largest,
  largestIn,
  minus,
  named,
  newest,
  not,
  orEmpty,
  plus,
  size,
  smallest,
  smallestIn,
  those,
  when,
} from './expression.ts';

/** What a check writes once it is decided: the fields that an admitted order changes. */

/** The order's share in the sums: held, or used at once. */
export const share = inOrder(
  [{ zero: minus('$$request.count', '$$request.count') }],
  when(
    '$$request.capture',
    {
      usedAmount: '$$request.amount',
      usedCount: '$$request.count',
      heldAmount: '$$zero',
      heldCount: '$$zero',
    },
    {
      usedAmount: '$$zero',
      usedCount: '$$zero',
      heldAmount: '$$request.amount',
      heldCount: '$$request.count',
    },
  ),
);

const bucketsWithShare = joined(
  each(
    '$$buckets',
    'bucket',
    when(
      named('$$bucket', namesIn('$$entered')),
      laidOver('$$bucket', {
        usedAmount: plus('$$bucket.usedAmount', '$$share.usedAmount'),
        usedCount: plus('$$bucket.usedCount', '$$share.usedCount'),
        heldAmount: plus('$$bucket.heldAmount', '$$share.heldAmount'),
        heldCount: plus('$$bucket.heldCount', '$$share.heldCount'),
      }),
      '$$bucket',
    ),
  ),
  each('$$missing', 'target', {
    counter: '$$target.counter',
    start: '$$target.start',
    until: '$$target.until',
    usedAmount: when(equal('$$target.amount', null), null, '$$share.usedAmount'),
    usedCount: '$$share.usedCount',
    heldAmount: when(equal('$$target.amount', null), null, '$$share.heldAmount'),
    heldCount: '$$share.heldCount',
  }),
);

const own = {
  id: '$$request.id',
  nonce: '$$request.nonce',
  digest: '$$request.digest',
  amount: '$$request.amount',
  count: '$$request.count',
  leftOut: '$$leftOut',
  at: '$$now',
};
const ownHold = [
  laidOver(own, { until: '$$until', pending: '$$request.pending', buckets: '$$entered' }),
];
const ownOutcome = [laidOver(own, { state: 'confirmed', late: false })];

/**
 * An expired hold of this very order is forgotten, since the order has a new one; but not while that
 * is pending, for it may yet be withdrawn.
 */
const staysRemembered = (outcome: string): Expression =>
  either('$$request.pending', differ(`${outcome}.id`, '$$request.id'));

/** The memory, with what expired since. */
const remembered = joined(
  those(orEmpty('$settled'), 'outcome', staysRemembered('$$outcome')),
  each(
    those('$$lapsed', 'hold', staysRemembered('$$hold')),
    'hold',
    laidOver('$$hold', { state: 'expired', late: false }),
  ),
  when('$$request.capture', ownOutcome, []),
);

/** Everything that an admitted order changes. */
export const written = inOrder(
  [
    { share, until: plus('$$now', '$$request.holdMs') },
    {
      outcomes: when(
        either('$$request.capture', not(NOTHING_LAPSED), differ('$$entries', [])),
        remembered,
        orEmpty('$settled'),
      ),
    },
  ],
  {
    buckets: bucketsWithShare,
    holds: when('$$request.capture', '$$open', joined('$$open', ownHold)),
    settled: newest('$$outcomes', SETTLED_MAX),
    forgot: either(firstOf('$forgot', false), above(size('$$outcomes'), SETTLED_MAX)),
    due: when(
      '$$request.capture',
      firstOf(smallestIn('$$open.until'), NEVER),
      smallest(smallestIn('$$open.until'), '$$until'),
    ),
    expireAt: largest('$expireAt', plus('$$until', MEMORY_MS), largestIn('$$entered.until')),
  },
);

/** All that changes when a pending hold is taken over: whose it is. */
export const takenOver = {
  holds: each(
    '$holds',
    'hold',
    when(
      equal('$$hold.id', '$$request.id'),
      laidOver('$$hold', { nonce: '$$request.nonce' }),
      '$$hold',
    ),
  ),
};
