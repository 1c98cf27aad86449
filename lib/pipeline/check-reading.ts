import { BUCKETS_MAX, NEVER } from '../domain/bounds.ts';
import type { CheckKind } from './check-data.ts';
import { lapsed, live, open, plan, released } from './document-reading.ts';
import type { Expression, Fields } from './expression.ts';
import {
  above,
  all,
  atMost,
  differ,
  each,
  either,
  equal,
  firstOf,
  isIn,
  isTrueOfAny,
  joined,
  laidOver,
  not,
  orEmpty,
  plus,
  size,
  stepStart,
  sumOf,
  those,
  when,
} from './expression.ts';

/**
 * What a check of one order reads beside `document-reading.ts`: expressions over the stored document
 * and the request, each using what the stages before it worked out.
 */

export const ID = '$work.request.own.id';

/** The document knows this order, as a hold or as an outcome. */
const met = either(isIn(ID, orEmpty('$holds.id')), isIn(ID, orEmpty('$settled.id')));

/** What it knows of this order. */
const entries = when(
  '$work.met',
  those(joined(orEmpty('$holds'), orEmpty('$settled')), 'entry', equal('$$entry.id', ID)),
  [],
);

const NONCE = '$work.request.own.nonce';

/** An entry stands in the way unless it is this very order's hold, expired: that is decided anew. */
const stands = either(
  differ('$$entry.digest', '$work.request.own.digest'),
  all(differ('$$entry.state', 'expired'), above(firstOf('$$entry.until', NEVER), '$work.now')),
);

const known = ({ renews }: CheckKind): Expression =>
  isTrueOfAny(
    '$work.entries',
    'entry',
    renews ? all(differ('$$entry.nonce', NONCE), stands) : stands,
  );

/** What counts no longer where a hold of this call is decided anew: as if its time were over. */
const given = those(
  orEmpty('$holds'),
  'hold',
  either(equal('$$hold.nonce', NONCE), atMost('$$hold.until', '$work.now')),
);
const kept = those(
  orEmpty('$holds'),
  'hold',
  all(differ('$$hold.nonce', NONCE), above('$$hold.until', '$work.now')),
);

/** A hold of this order that another call left incomplete is taken over, not made again. */
const takesOver = isTrueOfAny(
  '$work.entries',
  'entry',
  all(
    equal('$$entry.pending', true),
    above('$$entry.until', '$work.now'),
    equal('$$entry.digest', '$work.request.own.digest'),
    differ('$$entry.nonce', NONCE),
  ),
);

const start = stepStart('$work.now', '$$counter.stepMs');

/** The counters of the plan, each with the name of the bucket in which the instant lies. */
const named = each(
  orEmpty('$work.plan.counters'),
  'counter',
  when(
    '$$counter.stepMs',
    laidOver('$$counter', {
      name: {
        counter: '$$counter.name.counter',
        start,
        until: plus(start, '$$counter.keepMs'),
      },
    }),
    '$$counter',
  ),
);

/** Counters, each with its buckets, called `mine`. */
const withBuckets = (counters: Expression): Expression =>
  each(
    counters,
    'counter',
    laidOver('$$counter', {
      mine: those(
        '$work.buckets',
        'bucket',
        equal('$$bucket.name.counter', '$$counter.name.counter'),
      ),
    }),
  );

const counted = (what: 'Amount' | 'Count'): Expression =>
  plus(sumOf('$$counter.mine', `used${what}`), sumOf('$$counter.mine', `held${what}`));

/** Counters in which the order does not fit. */
const crowded = those(
  '$work.counters',
  'counter',
  either(
    above(counted('Amount'), '$$counter.roomAmount'),
    above(counted('Count'), '$$counter.roomCount'),
  ),
);

/** Those of them that are of rules in force. */
const tight = those('$work.crowded', 'counter', not('$$counter.shadow'));

/** Counters that the order enters, where rules on trial have no room for it. */
const entered = those(
  '$work.counters',
  'counter',
  not(isIn('$$counter.name', '$work.crowded.name')),
);

/** Counters whose bucket is not there yet. */
const missing = (counters: string): Expression =>
  those(counters, 'counter', not(isIn('$$counter.name', '$$counter.mine.name')));

/** Where the pipeline of a kind keeps the counters that the order enters. */
export function enteredIn({ shadowed }: CheckKind): '$work.entered' | '$work.counters' {
  return shadowed ? '$work.entered' : '$work.counters';
}

/** The decision: the order is new, no rule says no, and the document has room. */
const fits = ({ captures, shadowed }: CheckKind): Expression =>
  all(
    '$work.plan.open',
    not('$work.known'),
    equal(shadowed ? '$work.tight' : '$work.crowded', []),
    ...(captures ? [] : [above('$work.request.openHoldsMax', size('$work.open'))]),
    atMost(plus(size('$work.buckets'), size('$work.missing')), BUCKETS_MAX),
  );

/** Says whether a check tells an expired hold of its order from what stands in the way. */
export function looksCloser({ again, takesOver: over, renews }: CheckKind): boolean {
  return again || over || renews;
}

/**
 * The stages in which a check reads and decides.
 *
 * @param outcomes what the memory would be, from what lapsed and what is known of the order
 */
export function reading(kind: CheckKind, outcomes: Expression): readonly Fields[] {
  const closer = looksCloser(kind);
  return [
    {
      plan,
      lapsed: kind.renews ? given : lapsed,
      live,
      met,
      until: plus('$work.now', '$work.request.holdMs'),
    },
    {
      buckets: released,
      open: kind.renews ? kept : open,
      ...(closer ? { entries } : { known: '$work.met' }),
      ...(kind.stepped ? { named } : {}),
    },
    {
      counters: withBuckets(kind.stepped ? '$work.named' : orEmpty('$work.plan.counters')),
      ...(closer ? { known: known(kind) } : {}),
      ...(kind.takesOver ? { takesOver } : {}),
    },
    { crowded, ...(kind.shadowed ? {} : { missing: missing('$work.counters') }) },
    ...(kind.shadowed ? [{ tight, entered }, { missing: missing('$work.entered') }] : []),
    { fits: fits(kind), outcomes },
  ];
}
