import { NEVER } from '../domain/bounds.ts';
import type { Expression } from './expression.ts';
import { countOf } from './document-reading.ts';
import {
  literal,
  when,
  all,
  equal,
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
 * The projection of what an answer needs, and no more: decoding a whole grown document costs more
 * than deciding.
 *
 * @param id the hold's id
 * @param counters keys of the counters asked about; null for all
 */
export function viewProjection(
  id: string,
  counters: readonly string[] | null,
  now: Expression,
): Readonly<Record<string, Expression>> {
  const mine = (list: string): Expression =>
    those(orEmpty(list), 'entry', equal('$$entry.id', literal(id)));
  const counts = all(above('$$bucket.until', now), above(countOf('$$bucket'), 0n));
  const due = atMost(firstOf('$due', NEVER), now);
  return {
    _id: 0,
    now,
    entries: joined(
      each(mine('$holds'), 'entry', laidOver('$$entry', { state: 'open' })),
      mine('$settled'),
    ),
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
