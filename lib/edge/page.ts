import { RESPONSE_BYTES_MAX } from '../domain/bounds.ts';
import type { JsonObject } from './answers.ts';

/** Bytes of a page of changes: envelope and escapes fit beside it. */
const PAGE_BYTES_MAX = RESPONSE_BYTES_MAX / 4;

/** A page of a longer list, and the one after which the next page begins; undefined at the end. */
export type Page<Item> = { readonly rows: readonly JsonObject[]; readonly last: Item | undefined };

/**
 * Writes a page: as many as were asked for, fewer where they are long, and one at least.
 *
 * @param found one more than were asked for, where there are more
 */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  write: (item: Item) => JsonObject,
): Page<Item> {
  const rows: JsonObject[] = [];
  let bytes = 0;
  for (const each of found.slice(0, limit)) {
    const row = write(each);
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (rows.length > 0 && bytes > PAGE_BYTES_MAX) break;
    rows.push(row);
  }
  return { rows, last: rows.length < found.length ? found[rows.length - 1] : undefined };
}
