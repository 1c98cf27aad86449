import { RESPONSE_BYTES_MAX } from '../shared/bounds.ts';
import type { RowPlace } from '../audit/history/history.ts';
import { readBy } from './fields.ts';

/** Bytes of a page of changes: envelope and escapes fit beside it. */
const PAGE_BYTES_MAX = RESPONSE_BYTES_MAX / 4;

/**
 * Bytes of rows, as they are stored, of which a page is made at most: the row in which they are reached is
 * read, and is not on the page. Written, rows have at least half as many.
 */
export const PAGE_READ_BYTES_MAX = 2 * PAGE_BYTES_MAX;

/** A page of a longer list, and the one after which the next page begins; undefined at the end. */
export type Page<Item, Row> = { readonly rows: readonly Row[]; readonly last: Item | undefined };

/**
 * Writes a page: as many as were asked for, fewer where they are long, and one at least.
 *
 * @param found one more than were asked for, where there are more
 */
export function pageOf<Item, Row>(
  found: readonly Item[],
  limit: number,
  write: (item: Item) => Row,
): Page<Item, Row> {
  const rows: Row[] = [];
  let bytes = 0;
  for (const each of found.slice(0, limit)) {
    const row = write(each);
    bytes += Buffer.byteLength(JSON.stringify(row));
    if (rows.length > 0 && bytes > PAGE_BYTES_MAX) break;
    rows.push(row);
  }
  return { rows, last: rows.length < found.length ? found[rows.length - 1] : undefined };
}

/** What a caller reads that sends no place. */
export const PLACE_EXPECTED = 'the next of the page before, unchanged';

/** An id of a row has three texts of 256 characters at most, escaped. */
const PLACE_LENGTH_MAX = 8_192;

/** Writes where a page ended, for the next one to go on: opaque, and fit for a query. */
export function placeText(order: number, id: string): string {
  return Buffer.from(JSON.stringify([order, id]), 'utf8').toString('base64url');
}

/** Reads where a page ended; undefined where it is nothing that `next` ever said. */
function readPlace(value: unknown): readonly [order: number, id: string] | undefined {
  if (typeof value !== 'string' || value.length > PLACE_LENGTH_MAX) return undefined;
  try {
    const read: unknown = JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
    const [order, id] = Array.isArray(read) ? (read as readonly unknown[]) : [];
    if (typeof order !== 'number' || typeof id !== 'string') return undefined;
    return placeText(order, id) === value ? [order, id] : undefined;
  } catch {
    return undefined;
  }
}

/** Where a page ended: what `next` of it says. */
export const place = (expected: string, description: string) =>
  readBy('Place', readPlace, expected, description);

/** Where a page of what happened ended. */
export function readRowPlace(value: unknown): RowPlace | undefined {
  const [ms, id = ''] = readPlace(value) ?? [];
  const at = new Date(ms ?? NaN);
  return Number.isNaN(at.getTime()) ? undefined : { at, id };
}

/** What stands around an answer: status, headers, and the members beside its parts. */
const ENVELOPE_BYTES = 1_024;

/**
 * Says whether the parts of an answer are within what a function may return, written into a text that is
 * itself a member of the envelope's JSON. Lambda would put an error of its own in the place of a longer
 * answer. All parts in one text may be more than a function has memory for.
 */
export function fitsInResponse(parts: readonly object[]): boolean {
  let bytes = ENVELOPE_BYTES;
  for (const part of parts) {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
    if (bytes > RESPONSE_BYTES_MAX) return false;
  }
  return true;
}
