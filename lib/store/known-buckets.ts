import { COUNTER_SUM_MAX } from '../domain/bounds.ts';
import type { StoredSums } from '../pipeline/stored-document.ts';
import { keepNewest } from './newest.ts';

/** Documents whose buckets are remembered at a time; the one that was learned first goes first. */
const DOCUMENTS_MAX = 1_000;

/** Of buckets that a document had, by name: whether a count is so large that what is exact may end. */
export type Known = ReadonlyMap<string, { readonly isLarge: boolean }>;

const NONE: Known = new Map();

/**
 * The buckets that documents had when they were last asked. What is known may be out of date, so a
 * filter holds the document to it: where it is, the general lane decides.
 *
 * A document that many calls meet at makes no new bucket with most of them, and need not be tidied for
 * those: without this, all calls under way would have to turn to the general lane at once whenever
 * tidying is due. And a count without a maximum need not be asked about while it is far from the largest
 * there may be: no process misses the tens of millions of calls between. Of amounts five calls may be as
 * many.
 */
export class KnownBuckets {
  readonly #known = new Map<string, Known>();

  of(documentId: string): Known {
    return this.#known.get(documentId) ?? NONE;
  }

  /** @param names of one call, at most one for each of its rules */
  learn(
    documentId: string,
    names: readonly string[],
    sums: Readonly<Record<string, StoredSums>> = {},
  ): void {
    const known = new Map(names.map((name) => [name, { isLarge: isLarge(sums[name]) }]));
    keepNewest(this.#known, documentId, known, DOCUMENTS_MAX);
  }

  forget(documentId: string): void {
    this.#known.delete(documentId);
  }
}

function isLarge({ count }: StoredSums = {}): boolean {
  return Number(count ?? 0) > COUNTER_SUM_MAX / 2;
}
