import type { Expression } from './expression.ts';
import { holdsAny } from './document-reading.ts';
import {
  above,
  all,
  atMost,
  each,
  equal,
  isIn,
  largest,
  literal,
  orEmpty,
  size,
  those,
  when,
} from './expression.ts';

/** What a view is asked for. */
export type ViewAsk = {
  /** Ids of the holds that the view is about. */
  readonly ids: readonly string[];
  /** Keys of the counters asked about, or all. */
  readonly counters: readonly string[] | 'all';
  /** Whether buckets that no longer count are left out of their number. */
  readonly countsLive: boolean;
};

/** An open hold as the answers to many orders need it: the buckets that holds name are most of their bytes. */
const WITHOUT_BUCKETS: Expression = {
  id: '$$entry.id',
  nonce: '$$entry.nonce',
  digest: '$$entry.digest',
  amount: '$$entry.amount',
  count: '$$entry.count',
  leftOut: '$$entry.leftOut',
  at: '$$entry.at',
  until: '$$entry.until',
  pending: '$$entry.pending',
  others: '$$entry.others',
  home: '$$entry.home',
};

/**
 * The projection of what an answer needs, and little more: decoding a whole grown document costs more
 * than deciding. `document-view.ts` reads what it gives.
 */
export function viewProjection(
  { ids, counters, countsLive }: ViewAsk,
  now: Expression,
): Readonly<Record<string, Expression>> {
  const latest = largest(now, '$seen');
  const [id] = ids;
  const one = ids.length === 1 && id !== undefined;
  const isMine = one ? equal('$$entry.id', literal(id)) : isIn('$$entry.id', literal(ids));
  const mine = (list: string): Expression => those(orEmpty(list), 'entry', isMine);
  return {
    _id: 0,
    now,
    seen: 1,
    holds:
      one || counters === 'all' ? mine('$holds') : each(mine('$holds'), 'entry', WITHOUT_BUCKETS),
    settled: one
      ? when(isIn(literal(id), orEmpty('$settled.id')), mine('$settled'), [])
      : mine('$settled'),
    ...(counters.length === 0 ? {} : { buckets: bucketsOf(counters) }),
    lapsed: when(
      atMost('$due', latest),
      those(orEmpty('$holds'), 'hold', atMost('$$hold.until', latest)),
      [],
    ),
    holdCount: size(orEmpty('$holds')),
    bucketCount: size(
      countsLive
        ? those(
            orEmpty('$buckets'),
            'bucket',
            all(above('$$bucket.name.until', latest), holdsAny('$$bucket')),
          )
        : orEmpty('$buckets'),
    ),
    forgot: 1,
  };
}

function bucketsOf(counters: ViewAsk['counters']): Expression {
  if (counters === 'all') return 1;
  return those(orEmpty('$buckets'), 'bucket', isIn('$$bucket.name.counter', literal(counters)));
}
