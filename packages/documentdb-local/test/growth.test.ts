import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withGrowth } from '../src/growth.ts';

it('says how much of a download has arrived while it runs, and nothing after that', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'documentdb-local-growth-'));
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  const result = await withGrowth(
    { folder, bytes: 46_000_000, report },
    async () => {
      await mkdir(join(folder, 'partial'));
      await writeFile(join(folder, 'one.deb'), Buffer.alloc(3_000_000));
      await expect.poll(() => lines.at(-1)).toBe('  3 of 46 MB');
      await writeFile(join(folder, 'partial', 'two.deb'), Buffer.alloc(2_000_000));
      await expect.poll(() => lines.at(-1)).toBe('  5 of 46 MB');
      return 'fetched';
    },
    10,
  );
  expect(result).toBe('fetched');
  await rm(folder, { recursive: true });
  const said = lines.length;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(lines.slice(said).length).toBeLessThanOrEqual(1);
});
