import { BUCKETS_MAX, NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
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
  literal,
  minus,
  named,
  nameOf,
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
 * What a check reads: expressions over the stored document and the request, each using the variables
 * that the ones before it are bound to in `check-pipeline.ts`.
 */

const NO_PLAN: Expression = literal({ barred: true, counters: [] });

/** The plan in which the server's instant lies; without one nothing may be held. */
export const plan = firstOf(
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
export const lapsed = when(
  atMost(firstOf('$due', NEVER), '$$now'),
  those(orEmpty('$holds'), 'hold', atMost('$$hold.until', '$$now')),
  [],
);

/** The ordinary case, in which nothing has to be released. */
export const NOTHING_LAPSED = equal('$$lapsed', []);

/** Buckets that still count and are not empty. */
export const live = those(
  orEmpty('$buckets'),
  'bucket',
  all(
    above('$$bucket.until', '$$now'),
    above(plus('$$bucket.usedCount', '$$bucket.heldCount'), 0n),
  ),
);

/** What the document knows of this order. */
export const entries = joined(ofThisOrder('$holds'), ofThisOrder('$settled'));

function ofThisOrder(list: string): Expression {
  return those(orEmpty(list), 'entry', equal('$$entry.id', '$$request.id'));
}

/** Live buckets, once what lapsed holds held is released. */
export const released = when(
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

/** The names in a list of buckets or references. */
export function namesIn(references: string): Expression {
  return each(references, 'reference', nameOf('$$reference'));
}

/** Holds whose time is not over. */
export const open = when(
  NOTHING_LAPSED,
  orEmpty('$holds'),
  those('$holds', 'hold', above('$$hold.until', '$$now')),
);

/** An entry stands in the way unless it is this very order's hold, expired: that is decided anew. */
export const known = isTrueOfAny(
  '$$entries',
  'entry',
  either(
    above(firstOf('$$entry.until', NEVER), '$$now'),
    differ('$$entry.digest', '$$request.digest'),
  ),
);

/** A hold of this order that another call left incomplete is taken over, not made again. */
export const takesOver = isTrueOfAny(
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
export const targets = each(
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
export const entered = each(those('$$targets', 'target', '$$target.fits'), 'target', {
  counter: '$$target.counter',
  start: '$$target.start',
  until: '$$target.until',
});

/** Counters that shadow rules alone use and that had no room. */
export const leftOut = each(
  those('$$targets', 'target', not('$$target.fits')),
  'target',
  '$$target.counter',
);

/** Buckets to enter that are not there yet. */
export const missing = those(
  '$$targets',
  'target',
  all('$$target.fits', not(named('$$target', namesIn('$$buckets')))),
);

/** The decision: the order is new, no rule says no, and the document has room. */
export const fits = all(
  not('$$known'),
  not('$$plan.barred'),
  isTrueOfAll('$$targets', 'target', either('$$target.shadow', '$$target.fits')),
  either('$$request.capture', above('$$request.openHoldsMax', size('$$open'))),
  atMost(plus(size('$$buckets'), size('$$missing')), BUCKETS_MAX),
);
