import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { statesPage } from './page.ts';

const PAGE = join(import.meta.dirname, '../../docs/states.md');

it('docs/states.md is what the table says; write it anew with -u', async () => {
  const style = await resolveConfig(PAGE);
  const page = await format(statesPage(), { ...style, parser: 'markdown' });
  await expect(page).toMatchFileSnapshot(PAGE);
});
