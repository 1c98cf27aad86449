import { MEMORY_MS, SETTLED_MAX } from '../domain/bounds.ts';
import { documentTime, outcomeOf } from './document-reading.ts';
import type { Expression, Fields, PipelineStage } from './expression.ts';
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
  newest,
  madeOnce,
  not,
  orEmpty,
  plus,
  size,
  those,
  updating,
  when,
  writing,
} from './expression.ts';

/** The data of a confirm, a rollback, or the withdrawal of a pending hold. */
export type SettleData = {
  readonly id: string;
  /** Final amount; null for what was held. */
  readonly amount: bigint | null;
  /** Only the hold of this call; null for any. */
  readonly nonce: string | null;
};

/** What a settlement is. */
export type SettleKind = {
  /** A withdrawn hold never was: an older, expired one of the order stays remembered. */
  readonly to: 'confirmed' | 'rolledBack' | 'withdrawn';
  /** Whether the outcome is remembered here: home remembers, other documents only count. */
  readonly remembers: boolean;
  /** Whether only the hold of one call is meant. */
  readonly ofOneCall: boolean;
};

const ID = '$work.request.id';

/** The hold of this order, if it is open. */
const open = first(those(orEmpty('$holds'), 'hold', equal('$$hold.id', ID)));

/** The last hold of this order that expired, if it is still remembered. */
const expired = when(
  isIn(ID, orEmpty('$settled.id')),
  last(
    those(
      '$settled',
      'outcome',
      all(equal('$$outcome.id', ID), equal('$$outcome.state', 'expired')),
    ),
  ),
  null,
);

/**
 * The hold that is meant is there, open or expired. Asked as home, a share whose home is elsewhere is
 * none. Beside home, a share that was taken over is the order's whatever its nonce; one that was not
 * came too late, from a call that was given up.
 */
function found(kind: SettleKind): Expression {
  return kind.remembers ? all(ofCall(kind), not('$work.hold.home')) : ofCall(kind);
}

function ofCall({ to, remembers, ofOneCall }: SettleKind): Expression {
  if (!ofOneCall) return '$work.hold.id';
  const ofThisCall = equal('$work.request.nonce', '$work.hold.nonce');
  return to === 'confirmed' && !remembers
    ? either(ofThisCall, equal('$work.hold.takenOver', true))
    : ofThisCall;
}

/** Nothing leaves held where the hold was released before. */
const released = {
  heldAmount: minus('$$bucket.heldAmount', firstOf('$work.open.amount', 0n)),
  heldCount: minus('$$bucket.heldCount', firstOf('$work.open.count', 0n)),
};

const counted = {
  usedAmount: plus('$$bucket.usedAmount', '$work.final'),
  usedCount: plus('$$bucket.usedCount', '$work.hold.count'),
};

/**
 * Buckets that a late confirm counts in and that were swept, empty, since the hold expired. A counter
 * without currency gets amounts here too; nothing reads them.
 */
const revivedBuckets = when(
  '$work.open.id',
  [],
  each(
    those(
      '$work.hold.buckets',
      'name',
      all(above('$$name.until', '$work.now'), not(isIn('$$name', orEmpty('$buckets.name')))),
    ),
    'name',
    {
      name: '$$name',
      usedAmount: '$work.final',
      usedCount: '$work.hold.count',
      heldAmount: 0n,
      heldCount: 0n,
    },
  ),
);

function buckets({ to }: SettleKind): Expression {
  const confirms = to === 'confirmed';
  const moved = each(
    orEmpty('$buckets'),
    'bucket',
    when(
      isIn('$$bucket.name', '$work.hold.buckets'),
      laidOver('$$bucket', confirms ? { ...counted, ...released } : released),
      '$$bucket',
    ),
  );
  return confirms ? joined(moved, revivedBuckets) : moved;
}

const others = (list: string): Expression =>
  those(orEmpty(list), 'other', differ('$$other.id', ID));

/** What is remembered of other orders; of this one there is nothing unless a hold of it expired. */
const otherOutcomes = when('$work.expired.id', others('$settled'), orEmpty('$settled'));

function outcome({ to }: SettleKind): Expression {
  const late = to === 'confirmed' ? atMost('$work.hold.until', '$work.now') : false;
  return outcomeOf('$work.hold', { state: to, amount: '$work.final', late });
}

/** The memory, with this outcome in place of what was remembered of the order. */
function memory(kind: SettleKind): Fields {
  if (kind.to === 'withdrawn') return {};
  if (!kind.remembers) return writing('$work.found', { settled: otherOutcomes });
  const isFull = atMost(SETTLED_MAX, size(orEmpty('$settled')));
  return {
    ...writing('$work.found', {
      settled: newest(joined(otherOutcomes, [outcome(kind)]), SETTLED_MAX),
    }),
    forgot: when(all('$work.found', not('$work.expired.id'), isFull), true, '$forgot'),
  };
}

const updateOf = madeOnce((kind: SettleKind) => {
  const withdraws = kind.to === 'withdrawn';
  return updating(
    [
      withdraws ? { open } : { open, expired },
      { hold: withdraws ? '$work.open' : firstOf('$work.open', '$work.expired', null) },
      {
        found: found(kind),
        final: firstOf('$work.request.amount', '$work.hold.amount'),
      },
    ],
    {
      ...writing('$work.found', { buckets: buckets(kind), holds: others('$holds') }),
      ...memory(kind),
      ...writing('$work.found', {
        expireAt: largest('$expireAt', plus('$work.now', MEMORY_MS)),
        seen: '$work.now',
      }),
    },
  );
});

/**
 * The update of `confirm` and `rollback`. A constant for each kind: the request arrives as data.
 *
 * 1. Lay down the request and the document's time.
 * 2. Find the hold: an open one, or an expired one still remembered.
 * 3. See whether it is the one that is meant.
 * 4. Only then move its share, in the windows of the check, and remember the outcome; otherwise
 *    leave every byte as it is.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export function settlePipeline(
  request: SettleData,
  kind: SettleKind,
  now: Expression,
): readonly PipelineStage[] {
  return updateOf(kind)(request, documentTime(now));
}

const isMine = all(equal('$$hold.id', ID), equal('$$hold.nonce', '$work.request.nonce'));

const complete = updating(
  [],
  writing(isIn(ID, orEmpty('$holds.id')), {
    holds: each('$holds', 'hold', when(isMine, laidOver('$$hold', { pending: false }), '$$hold')),
  }),
);

/**
 * The update that completes a check over several documents: home's hold is no longer pending, if it
 * is still the hold of this call.
 */
export function completePipeline(request: {
  readonly id: string;
  readonly nonce: string;
}): readonly PipelineStage[] {
  return complete(request, null);
}
