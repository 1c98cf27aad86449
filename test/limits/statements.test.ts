import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { statementPage } from '../support/statement-page.ts';
import { STATEMENTS } from './statement-rows.ts';

/**
 * Every statement on counters and refunds, whole, in `statements/`: one file each, under what is proven
 * when a document comes back. A changed statement shows here as a changed file.
 */
describe('the statement', () => {
  it.each(Object.entries(STATEMENTS))(
    '%s stands whole, under what it proves',
    async (file, sent) => {
      const { parts } = await sent();
      const page = fileURLToPath(new URL(`./statements/${file}.txt`, import.meta.url));
      const text = statementPage(page, parts);
      expect(text.split('\n').length).toBeGreaterThan(6); // there is a statement
      await expect(text).toMatchFileSnapshot(page);
    },
  );
});
