import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatted } from '../../tools/formatted.ts';
import { STATES } from './all-states.ts';
import { statesPage } from './page.ts';

const INTERNALS = join(import.meta.dirname, '../../docs/internals');
const PAGE = join(INTERNALS, 'states.md');

it('docs/internals/states.md is what the table says; write it again with -u', async () => {
  await expect(await formatted(PAGE, statesPage())).toMatchFileSnapshot(PAGE);
});

it('docs/internals/guarantees.md says how many states there are', () => {
  const text = readFileSync(join(INTERNALS, 'guarantees.md'), 'utf8');
  expect(text).toContain(`each of the ${Object.keys(STATES).length} states of an order`);
});
