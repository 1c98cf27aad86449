import { NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import { countOf } from './document-reading.ts';
import {
  literal,
  when,
  all,
  above,
  atMost,
  firstOf,
  orEmpty,
  size,
  each,
  those,
  joined,
  isIn,
  laidOver,
} from './expression.ts';

/**
 * The projection of what the answers to many orders need, and no more.
 *
 * @param ids the holds' ids
 * @param counters keys of the counters asked about; null for all, and for the buckets of the holds
 */
export function manyViewProjection(
  ids: readonly string[],
  counters: readonly string[] | null,
  now: Expression,
): Readonly<Record<string, Expression>> {
  const mine = (list: string): Expression =>
    those(orEmpty(list), 'entry', isIn('$$entry.id', literal(ids)));
  const counts = all(above('$$bucket.until', now), above(countOf('$$bucket'), 0n));
  const due = atMost(firstOf('$due', NEVER), now);
  // The buckets that holds name are most of their bytes, and a check does not need them.
  const openHold =
    counters === null
      ? laidOver('$$entry', { state: 'open' })
      : {
          id: '$$entry.id',
          nonce: '$$entry.nonce',
          digest: '$$entry.digest',
          amount: '$$entry.amount',
          count: '$$entry.count',
          leftOut: '$$entry.leftOut',
          at: '$$entry.at',
          until: '$$entry.until',
          pending: '$$entry.pending',
          buckets: [],
          state: 'open',
        };
  return {
    _id: 0,
    now,
    entries: joined(each(mine('$holds'), 'entry', openHold), mine('$settled')),
    buckets: those(
      orEmpty('$buckets'),
      'bucket',
      counters === null ? counts : all(counts, isIn('$$bucket.counter', literal(counters))),
    ),
    lapsed: when(due, those(orEmpty('$holds'), 'hold', atMost('$$hold.until', now)), []),
    openHolds: size(
      when(due, those(orEmpty('$holds'), 'hold', above('$$hold.until', now)), orEmpty('$holds')),
    ),
    liveBuckets: size(those(orEmpty('$buckets'), 'bucket', counts)),
    forgot: firstOf('$forgot', false),
  };
}
