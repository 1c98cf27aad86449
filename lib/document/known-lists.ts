import { bucketFields, readBucketName } from '../counter/name.ts';
import type { Places } from './document.ts';
import { namesInText, placesOf } from './document.ts';

/**
 * Names of buckets that are remembered, in all lists: 1 or 2 MB, and 5 MB with 600 reason codes in each. The list that was
 * learned first goes first.
 */
const NAMES_MAX = 2_000;

/** Remembers what names of buckets mean: subjects of the same rules name the same, from call to call. */
export class KnownLists {
  readonly #known = new Map<string, Places>();
  #size = 0;

  /** The buckets that a reservation names. */
  of(text: string): Places {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const names = namesInText(text);
    const places = placesOf(names.map(readBucketName), names);
    const read = { ...places, fields: names.map(bucketFields) };
    this.#known.set(text, read);
    this.#size += 1 + names.length;
    for (const [oldest, { names: gone }] of this.#known) {
      if (this.#size <= NAMES_MAX) break;
      this.#known.delete(oldest);
      this.#size -= 1 + gone.length;
    }
    return read;
  }
}
