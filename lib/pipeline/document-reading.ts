import { CLOCK_BACK_MS, SETTLED_MAX } from '../domain/bounds.ts';
import type { Expression, Fields } from './expression.ts';
import {
  above,
  all,
  atMost,
  bound,
  each,
  equal,
  first,
  firstOf,
  isIn,
  laidOver,
  largest,
  minus,
  newest,
  orEmpty,
  plus,
  size,
  smallest,
  smallestIn,
  sumOf,
  those,
  when,
} from './expression.ts';

/**
 * What every update reads of a document, whether it is about one order or many: its time, the plan of
 * this instant, what lapsed, and what still counts. Each uses what the stages before it worked out.
 */

/**
 * The document's time: the server's, but never before the latest instant that the document has seen,
 * unless the server's clock stepped back by more than CLOCK_BACK_MS. `domain/document-time.ts` says
 * the same in TypeScript.
 *
 * @param now the server's instant, or another in its place in tests and local mode
 */
export const documentTime = (now: Expression): Expression =>
  largest(now, smallest(firstOf('$seen', now), plus(now, BigInt(CLOCK_BACK_MS))));

/** The plan in which the instant lies; without one nothing may be held. */
export const plan = first(
  those(
    '$work.request.plans',
    'candidate',
    all(atMost('$$candidate.from', '$work.now'), above('$$candidate.until', '$work.now')),
  ),
);

/** Holds whose time is over; looked for only once `due` has passed. */
export const lapsed = when(
  atMost('$due', '$work.now'),
  those(orEmpty('$holds'), 'hold', atMost('$$hold.until', '$work.now')),
  [],
);

/** The ordinary case, in which nothing has to be released. */
export const NOTHING_LAPSED = equal('$work.lapsed', []);

/** What a bucket counts. */
export const countOf = (bucket: string): Expression =>
  plus(`${bucket}.usedCount`, `${bucket}.heldCount`);

/** A bucket holds something. A refund may have given back every count and left an amount. */
export const holdsAny = (bucket: string): Expression =>
  above(largest(`${bucket}.usedAmount`, countOf(bucket)), 0n);

/** Buckets that still count and are not empty. */
export const live = those(
  orEmpty('$buckets'),
  'bucket',
  all(above('$$bucket.name.until', '$work.now'), holdsAny('$$bucket')),
);

/** Live buckets, once what lapsed holds held is released. */
export const released = when(
  NOTHING_LAPSED,
  '$work.live',
  each(
    '$work.live',
    'bucket',
    bound(
      those('$work.lapsed', 'hold', isIn('$$bucket.name', '$$hold.buckets')),
      'gone',
      laidOver('$$bucket', {
        heldAmount: minus('$$bucket.heldAmount', sumOf('$$gone', 'amount')),
        heldCount: minus('$$bucket.heldCount', sumOf('$$gone', 'count')),
      }),
    ),
  ),
);

/** Holds whose time is not over. */
export const open = when(
  NOTHING_LAPSED,
  orEmpty('$holds'),
  those('$holds', 'hold', above('$$hold.until', '$work.now')),
);

/** No hold that was open before expires before this instant; kept while it lies ahead. */
export const due = when(above('$due', '$work.now'), '$due', smallestIn('$work.open.until'));

/** Holds as the memory keeps them once they lapsed. */
export const expired = (holds: Expression): Expression =>
  each(holds, 'hold', laidOver('$$hold', { state: 'expired', late: false }));

/** How the memory keeps a hold that was settled. */
export const outcomeOf = (
  hold: string,
  { state, amount, late }: Readonly<Record<'state' | 'amount' | 'late', Expression>>,
): Fields => ({
  id: `${hold}.id`,
  nonce: `${hold}.nonce`,
  digest: `${hold}.digest`,
  state,
  amount,
  count: `${hold}.count`,
  at: `${hold}.at`,
  late,
  others: `${hold}.others`,
});

/**
 * What becomes of the memory.
 *
 * @param changes whether it changes at all
 * @param outcomes all there is to remember, oldest first
 */
export const remembering = (changes: Expression, outcomes: string): Fields => ({
  settled: when(changes, newest(outcomes, SETTLED_MAX), '$settled'),
  forgot: when(all(changes, above(size(outcomes), SETTLED_MAX)), true, '$forgot'),
});
