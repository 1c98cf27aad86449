import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ROOT } from '../../../infra/framework.ts';
import { makeBundles } from '../../../infra/local/function-bundles.ts';
import { useFolder } from '../../support/folder.ts';

const folder = useFolder();

/** Edits a file all the time, like a person that saves several files while calls come in. */
const EDITING = `
const { writeFileSync } = require('node:fs');
const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
for (let edit = 1; edit <= 6; edit++) {
  wait(10 + Math.random() * 40);
  writeFileSync(process.argv[1], 'export const edit = "edit ' + edit + '";\\n');
}
`;

it('a source that is edited while the bundles are made is in the next ones', async () => {
  const source = folder.write('edited.ts', 'export const edit = "edit 0";\n');
  const output = relative(ROOT, folder.path('made'));
  // So large that making it takes as long as there is between two edits.
  const lines = Array.from({ length: 2_000 }, (_, n) => `export const a${n} = [${n}, 'a', 'b'];`);
  folder.write('large.ts', lines.join('\n'));
  folder.write('entry.ts', "export * from './edited.ts'; export * from './large.ts';\n");
  const handler = `${relative(ROOT, folder.path('entry'))}.handler`;
  const esbuild = { bundle: true, format: 'cjs', outputFileExtension: '.cjs' };
  const description = { functions: { one: { handler } }, custom: { esbuild } };
  const bundles = await makeBundles(description as never, output); // no more of it is used here
  for (let round = 1; round <= 5; round++) {
    const editing = spawn(process.execPath, ['-e', EDITING, source], { stdio: 'inherit' });
    while (editing.exitCode === null) {
      bundles.refresh();
      await sleep(1);
    }
    await sleep(20);
    bundles.refresh();
    const [made = ''] = readdirSync(folder.path('made'), { recursive: true })
      .map(String)
      .filter((name) => name.endsWith('.cjs'));
    const text = folder.read(join('made', made));
    expect(/"edit \d+"/.exec(text)?.[0]).toBe('"edit 6"');
  }
}, 60_000);
