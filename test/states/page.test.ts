import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatted } from '../../infra/formatted.ts';
import { statesPage } from './page.ts';

const PAGE = join(import.meta.dirname, '../../docs/internals/states.md');

it('docs/internals/states.md is what the table says; write it again with -u', async () => {
  await expect(await formatted(PAGE, statesPage())).toMatchFileSnapshot(PAGE);
});
