#!/usr/bin/env node
// The command line: npx --no-install headroom …, and what the npm scripts run. Plain JavaScript, as what it begins
// with: what is missing is installed first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(fileURLToPath(new URL('.', import.meta.url)), '..');

if (existsSync(join(root, 'tools', 'install.mjs'))) {
  const { unsuitableNode, whyInstall } = await import('../tools/installation.mjs');
  if (unsuitableNode() !== undefined || whyInstall() !== undefined) install();
  const { bundledProgram } = await import('../infra/bundled-programs.mjs');
  process.setSourceMapsEnabled(true);
  const bundle = bundledProgram('headroom');
  // A clone that this user may only read is run from its sources, which takes a second longer.
  if (bundle === undefined) (await import('tsx/esm/api')).register();
  const program = bundle ?? join(root, 'cli', 'run.ts');
  const { runProgram } = await import(pathToFileURL(program).href);
  await runProgram(process.argv.slice(2), join(root, '.headroom'));
} else {
  const { runProgram } = await import('../dist/headroom.mjs');
  await runProgram(process.argv.slice(2), join(root, '.headroom'));
}

/** Ends this process where it fails, which says why. */
function install() {
  // What npm says on the way goes where errors go: a program may be reading what is printed.
  const installed = spawnSync(process.execPath, [join(root, 'tools', 'install.mjs')], {
    stdio: ['inherit', 2, 2],
  });
  if (installed.status !== 0) process.exit(installed.status ?? 1);
}
