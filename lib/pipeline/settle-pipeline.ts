import { MEMORY_MS, SETTLED_MAX } from '../domain/bounds.ts';
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
  isIn,
  joined,
  last,
  laidOver,
  largest,
  literal,
  minus,
  named,
  nameOf,
  newest,
  not,
  orEmpty,
  plus,
  present,
  changing,
  size,
  those,
  when,
} from './expression.ts';

/** The data of a confirm, a rollback, or the withdrawal of a pending hold. */
export type SettleData = {
  readonly id: string;
  /** A withdrawn hold never was: an older, expired one of the order stays remembered. */
  readonly to: 'confirmed' | 'rolledBack' | 'withdrawn';
  /** Whether the outcome is remembered here: home remembers, other documents only count. */
  readonly remembers: boolean;
  /** Final amount; null for what was held. */
  readonly amount: bigint | null;
  /** Only the hold of this call; null for any. */
  readonly nonce: string | null;
};

const confirms = equal('$$request.to', 'confirmed');

const open = first(those(orEmpty('$holds'), 'hold', equal('$$hold.id', '$$request.id')));

const withdraws = equal('$$request.to', 'withdrawn');

/** The last hold of this order that expired, if it is still remembered. */
const expired = last(
  those(
    orEmpty('$settled'),
    'outcome',
    all(equal('$$outcome.id', '$$request.id'), equal('$$outcome.state', 'expired')),
  ),
);

/** The hold that is meant is there, open or expired. */
const found = all(
  present(when(withdraws, '$$open', '$$hold')),
  either(equal('$$request.nonce', null), equal('$$request.nonce', '$$hold.nonce')),
);

const zero = minus('$$hold.count', '$$hold.count');

/** What a confirm adds to used, and what leaves held: nothing where the hold was released before. */
const moves = {
  usedAmount: when(confirms, '$$final', zero),
  usedCount: when(confirms, '$$hold.count', zero),
  heldAmount: when(present('$$open'), '$$hold.amount', zero),
  heldCount: when(present('$$open'), '$$hold.count', zero),
};

const movedBuckets = each(
  orEmpty('$buckets'),
  'bucket',
  when(
    named('$$bucket', '$$names'),
    laidOver('$$bucket', {
      usedAmount: plus('$$bucket.usedAmount', '$$moves.usedAmount'),
      usedCount: plus('$$bucket.usedCount', '$$moves.usedCount'),
      heldAmount: minus('$$bucket.heldAmount', '$$moves.heldAmount'),
      heldCount: minus('$$bucket.heldCount', '$$moves.heldCount'),
    }),
    '$$bucket',
  ),
);

/**
 * Buckets that a late confirm counts in and that were swept, empty, since the hold expired. A counter
 * without currency gets amounts here too; nothing reads them.
 */
const revivedBuckets = when(
  confirms,
  each(
    those(
      '$$hold.buckets',
      'reference',
      all(
        above('$$reference.until', '$$now'),
        not(isIn(nameOf('$$reference'), each(orEmpty('$buckets'), 'bucket', nameOf('$$bucket')))),
      ),
    ),
    'reference',
    laidOver('$$reference', {
      usedAmount: '$$final',
      usedCount: '$$hold.count',
      heldAmount: zero,
      heldCount: zero,
    }),
  ),
  [],
);

const others = (list: string): Expression =>
  those(orEmpty(list), 'other', differ('$$other.id', '$$request.id'));

const outcome = {
  id: '$$hold.id',
  nonce: '$$hold.nonce',
  digest: '$$hold.digest',
  state: '$$request.to',
  amount: '$$final',
  count: '$$hold.count',
  at: '$$hold.at',
  late: all(confirms, atMost('$$hold.until', '$$now')),
};

/** The memory with this outcome in place of what was remembered of the order. */
const outcomes = joined(
  when(withdraws, orEmpty('$settled'), others('$settled')),
  when('$$request.remembers', [outcome], []),
);

const written = inOrder(
  [
    {
      final: firstOf('$$request.amount', '$$hold.amount'),
      names: each('$$hold.buckets', 'reference', nameOf('$$reference')),
    },
    { moves, outcomes },
  ],
  {
    buckets: joined(movedBuckets, revivedBuckets),
    holds: others('$holds'),
    settled: newest('$$outcomes', SETTLED_MAX),
    forgot: either(firstOf('$forgot', false), above(size('$$outcomes'), SETTLED_MAX)),
    expireAt: largest('$expireAt', plus('$$now', MEMORY_MS)),
  },
);

const decision = inOrder(
  [{ open, expired }, { hold: firstOf('$$open', '$$expired', null) }, { found }],
  when('$$found', written, null),
);

/**
 * The update of `confirm` and `rollback`. A constant: the request arrives as data.
 *
 * 1. Lay down the request and the server's instant.
 * 2. Find the hold: an open one, or an expired one still remembered.
 * 3. See whether it is the one that is meant.
 * 4. Only then move its share, in the windows of the check, and remember the outcome; otherwise
 *    leave every byte as it is.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function settlePipeline(request: SettleData, now: Expression): readonly PipelineStage[] {
  return changing(inOrder([{ request: literal(request), now }], decision), {});
}

/**
 * The update that completes a check over several documents: home's hold is no longer pending, if it
 * is still the hold of this call.
 */
export function completePipeline(request: {
  readonly id: string;
  readonly nonce: string;
}): readonly PipelineStage[] {
  const mine = all(equal('$$hold.id', '$$request.id'), equal('$$hold.nonce', '$$request.nonce'));
  const holds = each(
    '$holds',
    'hold',
    when(mine, laidOver('$$hold', { pending: false }), '$$hold'),
  );
  return changing(inOrder([{ request: literal(request) }], { holds }), {});
}
