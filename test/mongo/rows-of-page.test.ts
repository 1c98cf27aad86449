import { expect, it } from 'vitest';
import { rowsOfPage } from '../../lib/mongo/rows-of-page.ts';

/** Rows of some bytes, and how many of them were read. */
function rowsOf(...bytes: readonly number[]) {
  const read = { rows: 0, isClosed: false };
  async function* rows(): AsyncGenerator<string> {
    try {
      for (const length of bytes) {
        read.rows += 1;
        yield await Promise.resolve('x'.repeat(length - 2)); // JSON adds two quotation marks
      }
    } finally {
      read.isClosed = true;
    }
  }
  return { read, rows: Object.assign(rows(), { batchSize: () => undefined }) };
}

it.each([
  { bytes: [10, 10, 10], bytesMax: 30, reads: 3, why: 'all of them fit' },
  { bytes: [10, 10, 11, 10, 10], bytesMax: 30, reads: 3, why: 'the third is too much' },
  { bytes: [500, 500], bytesMax: 30, reads: 1, why: 'the first is too much' },
  { bytes: [500, 500], bytesMax: undefined, reads: 2, why: 'nothing is said' },
])('of rows of $bytes bytes reads $reads, for $why', async ({ bytes, bytesMax, reads }) => {
  const { read, rows } = rowsOf(...bytes);
  expect(await rowsOfPage(rows, bytesMax)).toHaveLength(reads);
  expect(read).toEqual({ rows: reads, isClosed: true });
});
