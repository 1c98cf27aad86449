import type { BucketFields } from '../counter/name.ts';
import { bucketFields, readBucketName } from '../counter/name.ts';
import type { BucketReference } from '../counter/sums.ts';
import type { BucketList } from './document.ts';
import { listOf } from './document.ts';

/** Names of buckets that are remembered, in all lists: up to 1 MB. The list that was learned first goes first. */
const NAMES_MAX = 2_000;

/** The buckets that a reservation names, read, and where a document has them. */
export type NamedBuckets = {
  readonly names: readonly string[];
  readonly buckets: readonly BucketReference[];
  readonly list: BucketList;
  readonly fields: readonly BucketFields[];
};

/** Remembers what names of buckets mean: subjects of the same rules name the same, from call to call. */
export class KnownLists {
  readonly #known = new Map<string, NamedBuckets>();
  #size = 0;

  of(names: readonly string[]): NamedBuckets {
    const key = names.join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const list = listOf({ names });
    const fields = names.map(bucketFields);
    const read = { names, buckets: names.map(readBucketName), list, fields };
    this.#known.set(key, read);
    this.#size += 1 + names.length;
    for (const [oldest, { names: gone }] of this.#known) {
      if (this.#size <= NAMES_MAX) break;
      this.#known.delete(oldest);
      this.#size -= 1 + gone.length;
    }
    return read;
  }
}
