import { BUCKETS_MAX, NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import { namesIn } from './document-reading.ts';
import {
  all,
  either,
  not,
  equal,
  differ,
  above,
  atMost,
  firstOf,
  orEmpty,
  plus,
  size,
  each,
  bound,
  those,
  joined,
  isTrueOfAll,
  isTrueOfAny,
  sumOf,
  stepStart,
  named,
} from './expression.ts';

/**
 * What a check of one order reads beside `document-reading.ts`: expressions over the stored document
 * and the request, each using what the stages before it in `check-pipeline.ts` worked out.
 */

/** What the document knows of this order. */
export const entries = joined(ofThisOrder('$holds'), ofThisOrder('$settled'));

function ofThisOrder(list: string): Expression {
  return those(orEmpty(list), 'entry', equal('$$entry.id', '$work.request.id'));
}

/** An entry stands in the way unless it is this very order's hold, expired: that is decided anew. */
export const known = isTrueOfAny(
  '$work.entries',
  'entry',
  either(
    above(firstOf('$$entry.until', NEVER), '$work.now'),
    differ('$$entry.digest', '$work.request.digest'),
  ),
);

/** A hold of this order that another call left incomplete is taken over, not made again. */
export const takesOver = isTrueOfAny(
  '$work.entries',
  'entry',
  all(
    '$work.request.takesOver',
    equal('$$entry.pending', true),
    above('$$entry.until', '$work.now'),
    equal('$$entry.digest', '$work.request.digest'),
    differ('$$entry.nonce', '$work.request.nonce'),
  ),
);

/** When the bucket of a counter begins in which the server's instant lies. */
const start = firstOf('$$counter.start', stepStart('$work.now', '$$counter.stepMs'));

/** The order fits on top of the counter's buckets, which are called `mine`. */
const hasRoom = all(
  atMost(
    plus(
      sumOf('$$mine', 'usedAmount'),
      sumOf('$$mine', 'heldAmount'),
      firstOf('$$counter.amount', 0n),
    ),
    '$$counter.maxAmount',
  ),
  atMost(
    plus(sumOf('$$mine', 'usedCount'), sumOf('$$mine', 'heldCount'), '$work.request.count'),
    '$$counter.maxCount',
  ),
);

/** Each counter of the plan with the bucket in which the server's instant lies, and whether it has room. */
export const targets = each(
  '$work.plan.counters',
  'counter',
  bound(those('$work.buckets', 'bucket', equal('$$bucket.counter', '$$counter.counter')), 'mine', {
    counter: '$$counter.counter',
    start,
    until: firstOf('$$counter.until', plus(start, '$$counter.keepMs')),
    amount: '$$counter.amount',
    shadow: '$$counter.shadow',
    fits: hasRoom,
  }),
);

/** Names of the buckets that are there. */
export const existing = namesIn('$work.buckets');

/** Buckets that the order enters: every rule in force has room, and so has what shadow rules use. */
export const entered = each(those('$work.targets', 'target', '$$target.fits'), 'target', {
  counter: '$$target.counter',
  start: '$$target.start',
  until: '$$target.until',
});

/** Counters that shadow rules alone use and that had no room. */
export const leftOut = each(
  those('$work.targets', 'target', not('$$target.fits')),
  'target',
  '$$target.counter',
);

/** Buckets to enter that are not there yet. */
export const missing = those(
  '$work.targets',
  'target',
  all('$$target.fits', not(named('$$target', '$work.existing'))),
);

/** The decision: the order is new, no rule says no, and the document has room. */
export const fits = all(
  not('$work.known'),
  not('$work.plan.barred'),
  isTrueOfAll('$work.targets', 'target', either('$$target.shadow', '$$target.fits')),
  either('$work.request.capture', above('$work.request.openHoldsMax', size('$work.open'))),
  atMost(plus(size('$work.buckets'), size('$work.missing')), BUCKETS_MAX),
);
