import { CLOCK_BACK_MS, KEPT_BEYOND_MS, NEVER } from '../domain/bounds.ts';
import type { Expression, Fields } from './expression.ts';
import {
  above,
  all,
  allBut,
  atMost,
  bound,
  each,
  either,
  entriesOf,
  equal,
  first,
  firstOf,
  instantOf,
  isIn,
  itemAt,
  laidOver,
  largest,
  largestIn,
  literal,
  minus,
  newest,
  orEmpty,
  partsOf,
  plus,
  size,
  smallest,
  sumOf,
  those,
  when,
} from './expression.ts';

/**
 * What the updates of the general lane read of a document: its time, its buckets as a list, what
 * lapsed, and what still counts. Each uses what the stages before it worked out.
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

/** The document's buckets as a list: `k` is the name, `v` the sums. */
export const listed = entriesOf(firstOf('$buckets', literal({})));

/** The list with each bucket's counter and end, which its name says. */
export const buckets = each(
  listed,
  'bucket',
  bound(partsOf('$$bucket.k', ' '), 'parts', {
    k: '$$bucket.k',
    v: '$$bucket.v',
    counter: itemAt('$$parts', 0),
    until: instantOf(itemAt('$$parts', 2)),
  }),
);

/** Holds whose time is over. */
export const lapsed = those(orEmpty('$holds'), 'hold', atMost('$$hold.until', '$work.now'));

/** Holds whose time is not over. */
export const open = those(orEmpty('$holds'), 'hold', above('$$hold.until', '$work.now'));

/** The buckets once what lapsed holds held is released. */
export const released = when(
  equal('$work.lapsed', []),
  '$work.buckets',
  each(
    '$work.buckets',
    'bucket',
    bound(
      { gone: those('$work.lapsed', 'hold', isIn('$$bucket.k', '$$hold.buckets')) },
      'its',
      laidOver('$$bucket', {
        v: {
          amount: minus('$$bucket.v.amount', sumOf('$$its.gone', 'amount')),
          count: minus('$$bucket.v.count', sumOf('$$its.gone', 'count')),
          heldAmount: minus('$$bucket.v.heldAmount', sumOf('$$its.gone', 'amount')),
          heldCount: minus('$$bucket.v.heldCount', sumOf('$$its.gone', 'count')),
        },
      }),
    ),
  ),
);

/** When a window is over by every clock: the TTL index goes by another one than decisions do. */
export const surelyOver = (until: Expression): Expression =>
  smallest(plus(until, BigInt(KEPT_BEYOND_MS)), NEVER);

/**
 * A bucket holds something. A refund may have given back every count and left an amount; one without
 * currency that a conditional update made has none.
 */
export const holdsAny = (bucket: string): Expression =>
  either(above(`${bucket}.v.count`, 0n), above(`${bucket}.v.amount`, 0n));

/** Says whether a bucket counts: its window is not over, and there is something in it. */
export const counts = (bucket: string, now: Expression): Expression =>
  all(above(`${bucket}.until`, now), holdsAny(bucket));

/** The same once holds that lapsed are released, whose list it is given. */
export const countsWithout = (lapsedHolds: string, bucket: string, now: Expression): Expression =>
  all(
    above(`${bucket}.until`, now),
    bound(
      { gone: those(lapsedHolds, 'hold', isIn(`${bucket}.k`, '$$hold.buckets')) },
      'its',
      either(
        above(`${bucket}.v.count`, sumOf('$$its.gone', 'count')),
        above(`${bucket}.v.amount`, sumOf('$$its.gone', 'amount')),
      ),
    ),
  );

/**
 * Shares kept for late confirms, and the end of the latest one that had to go.
 *
 * @param changes whether any is added
 * @param kept all there is to keep, oldest first
 */
export const keeping = (changes: Expression, kept: string, most: Expression): Fields => {
  const overflows = all(changes, above(size(kept), most));
  return {
    kept: when(changes, newest(kept, most), '$kept'),
    forgotUntil: when(
      overflows,
      // Engines disagree about a maximum of which one value is missing.
      largest(
        firstOf('$forgotUntil', new Date(0)),
        largestIn(each(allBut(kept, most), 'share', '$$share.until')),
      ),
      '$forgotUntil',
    ),
  };
};

/** What is kept of a share whose time is over. */
export const keptOf = (share: string): Fields => ({
  id: `${share}.id`,
  nonce: `${share}.nonce`,
  amount: `${share}.amount`,
  count: `${share}.count`,
  until: `${share}.until`,
  buckets: `${share}.buckets`,
  home: `${share}.home`,
});
