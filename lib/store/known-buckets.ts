/** Documents whose buckets are remembered at a time; the one that was learned first goes first. */
const DOCUMENTS_MAX = 1_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * The names of buckets that documents had when they were last asked. What is known may be out of date,
 * so a filter holds the document to it: where it is, the general lane decides.
 *
 * A document that many calls meet at makes no new bucket with most of them, and need not be tidied for
 * those: without this, all calls under way would have to turn to the general lane at once whenever
 * tidying is due.
 */
export class KnownBuckets {
  readonly #names = new Map<string, ReadonlySet<string>>();

  of(documentId: string): ReadonlySet<string> {
    return this.#names.get(documentId) ?? NONE;
  }

  /** @param names of one call, at most some for each of its rules */
  learn(documentId: string, names: readonly string[]): void {
    this.#names.delete(documentId);
    this.#names.set(documentId, new Set(names));
    const [oldest] = this.#names.keys();
    if (this.#names.size > DOCUMENTS_MAX && oldest !== undefined) this.#names.delete(oldest);
  }

  forget(documentId: string): void {
    this.#names.delete(documentId);
  }
}
