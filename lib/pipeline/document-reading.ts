import { NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import {
  literal,
  when,
  all,
  equal,
  above,
  atMost,
  firstOf,
  orEmpty,
  plus,
  minus,
  each,
  bound,
  those,
  first,
  sumOf,
  laidOver,
  named,
  nameOf,
} from './expression.ts';

/**
 * What every check reads of a document, whether it is about one order or many: the plan of this
 * instant, what lapsed, and what still counts. Each uses what the stages before it worked out.
 */

const NO_PLAN: Expression = literal({ barred: true, counters: [] });

/** The plan in which the server's instant lies; without one nothing may be held. */
export const plan = firstOf(
  first(
    those(
      '$work.request.plans',
      'candidate',
      all(atMost('$$candidate.from', '$work.now'), above('$$candidate.until', '$work.now')),
    ),
  ),
  NO_PLAN,
);

/** Holds whose time is over; looked for only once `due` has passed. */
export const lapsed = when(
  atMost(firstOf('$due', NEVER), '$work.now'),
  those(orEmpty('$holds'), 'hold', atMost('$$hold.until', '$work.now')),
  [],
);

/** The ordinary case, in which nothing has to be released. */
export const NOTHING_LAPSED = equal('$work.lapsed', []);

/** What a bucket counts. */
export const countOf = (bucket: string): Expression =>
  plus(`${bucket}.usedCount`, `${bucket}.heldCount`);

/** Buckets that still count and are not empty. */
export const live = those(
  orEmpty('$buckets'),
  'bucket',
  all(above('$$bucket.until', '$work.now'), above(countOf('$$bucket'), 0n)),
);

/** Live buckets, once what lapsed holds held is released. */
export const released = when(
  NOTHING_LAPSED,
  '$work.live',
  each(
    '$work.live',
    'bucket',
    bound(
      those('$work.lapsed', 'hold', named('$$bucket', namesIn('$$hold.buckets'))),
      'gone',
      laidOver('$$bucket', {
        heldAmount: minus('$$bucket.heldAmount', sumOf('$$gone', 'amount')),
        heldCount: minus('$$bucket.heldCount', sumOf('$$gone', 'count')),
      }),
    ),
  ),
);

/** The names in a list of buckets or references. */
export function namesIn(references: Expression): Expression {
  return each(references, 'reference', nameOf('$$reference'));
}

/** Holds whose time is not over. */
export const open = when(
  NOTHING_LAPSED,
  orEmpty('$holds'),
  those('$holds', 'hold', above('$$hold.until', '$work.now')),
);
