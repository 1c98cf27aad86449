import { BUCKETS_MAX, EMPTY_DOCUMENT_MS, MEMORY_MS, NEVER, SETTLED_MAX } from '../domain/bounds.ts';
import type { Expression, PipelineStage } from './expression.ts';
import {
  above,
  all,
  atMost,
  differ,
  each,
  either,
  equal,
  first,
  firstOf,
  inOrder,
  isTrueOfAll,
  isTrueOfAny,
  joined,
  laidOver,
  largest,
  largestIn,
  literal,
  minus,
  named,
  nameOf,
  newest,
  not,
  orEmpty,
  plus,
  changing,
  size,
  smallest,
  smallestIn,
  stepStart,
  sumOf,
  those,
  when,
} from './expression.ts';

/** The data of a check for one document. 64-bit integers are bigint; absent amounts are null. */
export type CheckData = {
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amount: bigint;
  readonly count: bigint;
  /** Milliseconds. */
  readonly holdMs: bigint;
  readonly capture: boolean;
  /** One of several documents: the hold is not complete until home says so. */
  readonly pending: boolean;
  /** Whether a pending hold of this order that another call made is made this call's. */
  readonly takesOver: boolean;
  readonly openHoldsMax: number;
  readonly plans: readonly {
    readonly from: Date;
    readonly until: Date;
    readonly barred: boolean;
    readonly counters: readonly CounterData[];
  }[];
};

/** One counter of a plan: its bucket fixed (`start`, `until`) or stepped (`stepMs`, `keepMs`). */
export type CounterData = {
  readonly counter: string;
  /** What enters the sums of amounts; null where amounts are not summed. */
  readonly amount: bigint | null;
  readonly maxAmount: bigint;
  readonly maxCount: bigint;
  readonly shadow: boolean;
} & (
  | { readonly start: Date; readonly until: Date }
  | { readonly stepMs: bigint; readonly keepMs: bigint }
);

const NO_PLAN: Expression = literal({ barred: true, counters: [] });

/** The plan in which the server's instant lies; without one nothing may be held. */
const plan = firstOf(
  first(
    those(
      '$$request.plans',
      'plan',
      all(atMost('$$plan.from', '$$now'), above('$$plan.until', '$$now')),
    ),
  ),
  NO_PLAN,
);

/** Holds whose time is over; looked for only once `due` has passed. */
const lapsed = when(
  atMost(firstOf('$due', NEVER), '$$now'),
  those(orEmpty('$holds'), 'hold', atMost('$$hold.until', '$$now')),
  [],
);

const NOTHING_LAPSED = equal('$$lapsed', []);

/** Buckets that still count and are not empty. */
const live = those(
  orEmpty('$buckets'),
  'bucket',
  all(
    above('$$bucket.until', '$$now'),
    above(plus('$$bucket.usedCount', '$$bucket.heldCount'), 0n),
  ),
);

/** What the document knows of this order. */
const entries = joined(ofThisOrder('$holds'), ofThisOrder('$settled'));

function ofThisOrder(list: string): Expression {
  return those(orEmpty(list), 'entry', equal('$$entry.id', '$$request.id'));
}

/** Live buckets, once what lapsed holds held is released. */
const released = when(
  NOTHING_LAPSED,
  '$$live',
  each(
    '$$live',
    'bucket',
    inOrder(
      [{ gone: those('$$lapsed', 'hold', named('$$bucket', namesIn('$$hold.buckets'))) }],
      laidOver('$$bucket', {
        heldAmount: minus('$$bucket.heldAmount', sumOf('$$gone', 'amount')),
        heldCount: minus('$$bucket.heldCount', sumOf('$$gone', 'count')),
      }),
    ),
  ),
);

function namesIn(references: string): Expression {
  return each(references, 'reference', nameOf('$$reference'));
}

const open = when(
  NOTHING_LAPSED,
  orEmpty('$holds'),
  those('$holds', 'hold', above('$$hold.until', '$$now')),
);

/** An entry stands in the way unless it is this very order's hold, expired: that is decided anew. */
const known = isTrueOfAny(
  '$$entries',
  'entry',
  either(
    above(firstOf('$$entry.until', NEVER), '$$now'),
    differ('$$entry.digest', '$$request.digest'),
  ),
);

/** A hold of this order that another call left incomplete is taken over, not made again. */
const takesOver = isTrueOfAny(
  '$$entries',
  'entry',
  all(
    '$$request.takesOver',
    equal('$$entry.pending', true),
    above('$$entry.until', '$$now'),
    equal('$$entry.digest', '$$request.digest'),
    differ('$$entry.nonce', '$$request.nonce'),
  ),
);

/** Each counter of the plan with the bucket in which the server's instant lies, and whether it has room. */
const targets = each(
  '$$plan.counters',
  'counter',
  inOrder(
    [
      {
        mine: those('$$buckets', 'bucket', equal('$$bucket.counter', '$$counter.counter')),
        start: firstOf('$$counter.start', stepStart('$$now', '$$counter.stepMs')),
      },
    ],
    {
      counter: '$$counter.counter',
      start: '$$start',
      until: firstOf('$$counter.until', plus('$$start', '$$counter.keepMs')),
      amount: '$$counter.amount',
      shadow: '$$counter.shadow',
      fits: all(
        atMost(
          plus(
            sumOf('$$mine', 'usedAmount'),
            sumOf('$$mine', 'heldAmount'),
            firstOf('$$counter.amount', 0n),
          ),
          '$$counter.maxAmount',
        ),
        atMost(
          plus(sumOf('$$mine', 'usedCount'), sumOf('$$mine', 'heldCount'), '$$request.count'),
          '$$counter.maxCount',
        ),
      ),
    },
  ),
);

/** Buckets that the order enters: every rule in force has room, and so has what shadow rules use. */
const entered = each(those('$$targets', 'target', '$$target.fits'), 'target', {
  counter: '$$target.counter',
  start: '$$target.start',
  until: '$$target.until',
});

/** Counters that shadow rules alone use and that had no room. */
const leftOut = each(
  those('$$targets', 'target', not('$$target.fits')),
  'target',
  '$$target.counter',
);

const missing = those(
  '$$targets',
  'target',
  all('$$target.fits', not(named('$$target', namesIn('$$buckets')))),
);

const fits = all(
  not('$$known'),
  not('$$plan.barred'),
  isTrueOfAll('$$targets', 'target', either('$$target.shadow', '$$target.fits')),
  either('$$request.capture', above('$$request.openHoldsMax', size('$$open'))),
  atMost(plus(size('$$buckets'), size('$$missing')), BUCKETS_MAX),
);

/** The order's share in the sums: held, or used at once. */
const share = inOrder(
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
const written = inOrder(
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

const takenOver = {
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

const decision = inOrder(
  [
    { plan, lapsed, live, entries },
    { buckets: released, open, known, takesOver },
    { targets },
    { entered, leftOut, missing },
    { fits },
  ],
  when('$$fits', written, when('$$takesOver', takenOver, null)),
);

/**
 * The update of `check`. A constant: the request arrives as data.
 *
 * 1. Lay down the request and the server's instant.
 * 2. Find the plan of this instant, what lapsed, the buckets that count, what is known of the order.
 * 3. Release what lapsed; see whether the order stands already, or was left incomplete.
 * 4. Find each counter's bucket and whether it has room.
 * 5. List the buckets to enter, and those to make.
 * 6. Decide: not known, no rule says no, room for the hold and its buckets.
 * 7. Only when it fits, write; otherwise leave every byte as it is. (A document that did not exist
 *    gets the date at which it may go.)
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function checkPipeline(request: CheckData, now: Expression): readonly PipelineStage[] {
  return changing(inOrder([{ request: literal(request), now }], decision), {
    expireAt: plus(now, EMPTY_DOCUMENT_MS),
  });
}
