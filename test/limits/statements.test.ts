import { describe, expect, it } from 'vitest';
import { statementPage } from '../support/statement-page.ts';
import { STATEMENTS } from './statement-rows.ts';

/**
 * Every statement on counters and refunds, whole, in `statements/`: one file each, under what is proven
 * when a document comes back. A changed statement shows here as a changed file.
 */
describe('the statement', () => {
  it.each(STATEMENTS)('$file stands whole, under what it proves', async (row) => {
    const { parts } = await row.statement();
    const text = statementPage(row.header, parts);
    expect(text.split('\n').length).toBeGreaterThan(10); // there is a statement
    await expect(text).toMatchFileSnapshot(`./statements/${row.file}.txt`);
  });
});
