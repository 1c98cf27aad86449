/** Rows that the server sends at once where two of the largest are several megabytes: it would send up to 16. */
const LARGE_ROWS_BATCH = 2;

/** Reads rows until they have more than `bytesMax` bytes as JSON: a hundred of the largest take hundreds of megabytes. */
export async function rowsOfPage<Row>(
  rows: AsyncIterable<Row> & { readonly batchSize: (rows: number) => unknown },
  bytesMax = Infinity,
): Promise<readonly Row[]> {
  if (bytesMax < Infinity) rows.batchSize(LARGE_ROWS_BATCH);
  const found: Row[] = [];
  let bytes = 0;
  for await (const row of rows) {
    found.push(row);
    bytes += bytesMax === Infinity ? 0 : Buffer.byteLength(JSON.stringify(row));
    if (bytes > bytesMax) break; // which closes the cursor
  }
  return found;
}

/** The filter of rows that come after one, the newest first; without an id, of those before an instant. */
export function olderThan({ at, id }: { readonly at: Date; readonly id?: string }) {
  if (id === undefined) return { at: { $lt: at } };
  return { $or: [{ at: { $lt: at } }, { at, _id: { $lt: id } }] };
}
