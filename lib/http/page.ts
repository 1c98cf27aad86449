import * as z from 'zod/mini';
import { RESPONSE_BYTES_MAX } from '../shared/bounds.ts';
import { readBy } from '../schema/fields.ts';

/** Envelope and escapes fit beside it. */
const PAGE_BYTES_MAX = RESPONSE_BYTES_MAX / 4;

/** Bytes of stored rows that are read for a page at most. Written, rows have at least half as many. */
export const PAGE_READ_BYTES_MAX = 2 * PAGE_BYTES_MAX;

/** Writes up to `limit` items, fewer where they are long, one at least; `last` if more follow. @param found one more than `limit`, if there are */
export function pageOf<Item, Row>(
  found: readonly Item[],
  limit: number,
  write: (item: Item) => Row,
) {
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

/** In errors about a place. */
export const PLACE_EXPECTED = 'the next of the page before, unchanged';

/** The field of a place: `next` of the page before. */
export const place = <Place>(read: (value: unknown) => Place | undefined) =>
  z.optional(readBy('Place', read, PLACE_EXPECTED, 'The `next` of the page before, unchanged.'));

/** An id of a row has three texts of 256 characters at most, escaped. */
const PLACE_LENGTH_MAX = 8_192;

/** Writes where a page ended, for the next page: opaque, and fit for a query. */
export function placeText(order: number, id: string): string {
  return Buffer.from(JSON.stringify([order, id]), 'utf8').toString('base64url');
}

/** Reads where a page ended. */
export function readPlace(value: unknown): readonly [order: number, id: string] | undefined {
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

/** Reads where a page of rows with a time ended. */
export function readRowPlace(value: unknown): RowPlace | undefined {
  const [ms, id = ''] = readPlace(value) ?? [];
  const at = new Date(ms ?? NaN);
  return Number.isNaN(at.getTime()) ? undefined : { at, id };
}

/** Status, headers, and the members beside an answer's parts. */
const ENVELOPE_BYTES = 1_024;

/** Whether Lambda passes on an answer of these parts. All parts in one text may take more than a function's memory. */
export function fitsInResponse(parts: readonly object[]): boolean {
  let bytes = ENVELOPE_BYTES;
  for (const part of parts) {
    bytes += Buffer.byteLength(JSON.stringify(JSON.stringify(part)));
    if (bytes > RESPONSE_BYTES_MAX) return false;
  }
  return true;
}

/** The end of a page. Ids order the rows of one instant. */
export type RowPlace = { readonly at: Date; readonly id: string };
