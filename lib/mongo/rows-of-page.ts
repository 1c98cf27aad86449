/**
 * Rows that the server sends at once where they may be large: two of the largest are several megabytes,
 * and it would send up to 16.
 */
export const LARGE_ROWS_BATCH = 2;

/**
 * Reads rows until they have more bytes than a page, as JSON: a hundred of the largest are hundreds of
 * megabytes, for which no call has the time.
 *
 * @param bytesMax default: no bound
 */
export async function rowsOfPage<Row>(
  rows: AsyncIterable<Row>,
  bytesMax = Infinity,
): Promise<readonly Row[]> {
  const found: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    found.push(row);
    bytes += bytesMax === Infinity ? 0 : Buffer.byteLength(JSON.stringify(row));
    if (bytes > bytesMax) break; // which closes the cursor
  }
  return found;
}

/** The filter of rows that come after one in a list of the newest first; without its id, of those before its instant. */
export function olderThan({ at, id }: { readonly at: Date; readonly id?: string }) {
  if (id === undefined) return { at: { $lt: at } };
  return { $or: [{ at: { $lt: at } }, { at, _id: { $lt: id } }] };
}
