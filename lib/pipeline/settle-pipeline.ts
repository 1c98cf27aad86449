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
  isIn,
  joined,
  laidOver,
  largest,
  last,
  minus,
  named,
  nameOf,
  newest,
  not,
  orEmpty,
  plus,
  present,
  size,
  those,
  updating,
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

const confirms = equal('$work.request.to', 'confirmed');

/** The hold of this order, if it is open. */
const open = first(those(orEmpty('$holds'), 'hold', equal('$$hold.id', '$work.request.id')));

const withdraws = equal('$work.request.to', 'withdrawn');

/** The last hold of this order that expired, if it is still remembered. */
const expired = last(
  those(
    orEmpty('$settled'),
    'outcome',
    all(equal('$$outcome.id', '$work.request.id'), equal('$$outcome.state', 'expired')),
  ),
);

/**
 * The hold that is meant is there, open or expired. Beside home, a share that was taken over is the
 * order's whatever its nonce; one that was not came too late, from a call that was given up.
 */
const found = all(
  present(when(withdraws, '$work.open', '$work.hold')),
  either(
    equal('$work.request.nonce', null),
    equal('$work.request.nonce', '$work.hold.nonce'),
    all(confirms, not('$work.request.remembers'), equal('$work.hold.takenOver', true)),
  ),
);

/** What a confirm adds to used, and what leaves held: nothing where the hold was released before. */
const moves = {
  usedAmount: when(confirms, '$work.final', 0n),
  usedCount: when(confirms, '$work.hold.count', 0n),
  heldAmount: when(present('$work.open'), '$work.hold.amount', 0n),
  heldCount: when(present('$work.open'), '$work.hold.count', 0n),
};

const movedBuckets = each(
  orEmpty('$buckets'),
  'bucket',
  when(
    named('$$bucket', '$work.names'),
    laidOver('$$bucket', {
      usedAmount: plus('$$bucket.usedAmount', '$work.moves.usedAmount'),
      usedCount: plus('$$bucket.usedCount', '$work.moves.usedCount'),
      heldAmount: minus('$$bucket.heldAmount', '$work.moves.heldAmount'),
      heldCount: minus('$$bucket.heldCount', '$work.moves.heldCount'),
    }),
    '$$bucket',
  ),
);

/**
 * Buckets that a late confirm counts in and that were swept, empty, since the hold expired. A counter
 * without currency gets amounts here too; nothing reads them.
 */
const revivedBuckets = when(
  all(confirms, not(present('$work.open'))),
  each(
    those(
      '$work.hold.buckets',
      'reference',
      all(
        above('$$reference.until', '$work.now'),
        not(isIn(nameOf('$$reference'), each(orEmpty('$buckets'), 'bucket', nameOf('$$bucket')))),
      ),
    ),
    'reference',
    laidOver('$$reference', {
      usedAmount: '$work.final',
      usedCount: '$work.hold.count',
      heldAmount: 0n,
      heldCount: 0n,
    }),
  ),
  [],
);

const others = (list: string): Expression =>
  those(orEmpty(list), 'other', differ('$$other.id', '$work.request.id'));

const outcome = {
  id: '$work.hold.id',
  nonce: '$work.hold.nonce',
  digest: '$work.hold.digest',
  state: '$work.request.to',
  amount: '$work.final',
  count: '$work.hold.count',
  at: '$work.hold.at',
  late: all(confirms, atMost('$work.hold.until', '$work.now')),
};

/** The memory with this outcome in place of what was remembered of the order. */
const outcomes = joined(
  when(withdraws, orEmpty('$settled'), others('$settled')),
  when('$work.request.remembers', [outcome], []),
);

const written = {
  buckets: joined(movedBuckets, revivedBuckets),
  holds: others('$holds'),
  settled: newest('$work.outcomes', SETTLED_MAX),
  forgot: either(firstOf('$forgot', false), above(size('$work.outcomes'), SETTLED_MAX)),
  expireAt: largest('$expireAt', plus('$work.now', MEMORY_MS)),
};

const whenFound = (value: Expression): Expression => when('$work.found', value, null);

const GROUPS = [
  { open, expired },
  { hold: firstOf('$work.open', '$work.expired', null) },
  { found },
  {
    final: firstOf('$work.request.amount', '$work.hold.amount'),
    names: whenFound(each('$work.hold.buckets', 'reference', nameOf('$$reference'))),
  },
  { moves: whenFound(moves), outcomes: whenFound(outcomes) },
  { change: whenFound(written) },
];

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
  return updating(request, now, GROUPS, {});
}

/**
 * The update that completes a check over several documents: home's hold is no longer pending, if it
 * is still the hold of this call.
 */
export function completePipeline(request: {
  readonly id: string;
  readonly nonce: string;
}): readonly PipelineStage[] {
  const mine = all(
    equal('$$hold.id', '$work.request.id'),
    equal('$$hold.nonce', '$work.request.nonce'),
  );
  const holds = each(
    '$holds',
    'hold',
    when(mine, laidOver('$$hold', { pending: false }), '$$hold'),
  );
  return updating(request, null, [{ change: { holds } }], {});
}
