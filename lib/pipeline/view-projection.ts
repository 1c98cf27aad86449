import { buckets, countsWithout, listed } from './document-reading.ts';
import type { Expression } from './expression.ts';
import {
  atMost,
  bound,
  either,
  firstOf,
  isIn,
  itemAt,
  largest,
  literal,
  mapOf,
  orEmpty,
  partsOf,
  size,
  those,
} from './expression.ts';

/** What a view is asked for. */
export type ViewAsk = {
  /** Ids of the orders that the view is about. */
  readonly ids: readonly string[];
  /** Nonces of shares that may be kept for a late confirm. */
  readonly nonces: readonly string[];
  /** Keys of the counters asked about, or all. */
  readonly counters: readonly string[] | 'all';
  /** Whether it is asked how many buckets count: only where room for more is the question. */
  readonly room: boolean;
};

/**
 * The projection of what an answer of the general lane needs, and little more: decoding a whole grown
 * document costs more than deciding. `stored-document.ts` reads what it gives, and reads a document
 * without it as well: a write that the driver repeats is answered with the whole stored image.
 */
export function viewProjection(
  { ids, nonces, counters, room }: ViewAsk,
  now: Expression,
): Readonly<Record<string, Expression>> {
  const latest = largest(now, firstOf('$seen', now));
  const isMine = (one: string): Expression => isIn(`${one}.id`, literal([...ids]));
  return {
    _id: 1,
    now,
    seen: 1,
    holds: those(
      orEmpty('$holds'),
      'hold',
      either(isMine('$$hold'), atMost('$$hold.until', latest)),
    ),
    settled: those(orEmpty('$settled'), 'outcome', isMine('$$outcome')),
    ...(nonces.length === 0
      ? {}
      : { kept: those(orEmpty('$kept'), 'share', isIn('$$share.nonce', literal([...nonces]))) }),
    ...(counters.length === 0 ? {} : { buckets: bucketsOf(counters) }),
    holdCount: size(orEmpty('$holds')),
    ...(room ? { bucketCount: liveBuckets(latest) } : {}),
    remembered: 1,
    forgotUntil: 1,
    terms: 1,
  };
}

/** How many buckets count once what lapsed is released. */
function liveBuckets(latest: Expression): Expression {
  return bound(
    those(orEmpty('$holds'), 'hold', atMost('$$hold.until', latest)),
    'lapsed',
    size(those(buckets, 'bucket', countsWithout('$$lapsed', '$$bucket', latest))),
  );
}

/** The filter of documents that are looked at. */
export const amongIds = (
  documentIds: readonly string[],
): { readonly _id: { readonly $in: string[] } } => ({
  _id: { $in: [...documentIds] },
});

function bucketsOf(counters: ViewAsk['counters']): Expression {
  if (counters === 'all') return 1;
  const counter = itemAt(partsOf('$$bucket.k', ' '), 0);
  return mapOf(those(listed, 'bucket', isIn(counter, literal([...counters]))));
}
