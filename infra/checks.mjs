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

const startedMs = performance.now();
for (const step of STEPS) {
  console.log(`\n▶ ${step.name} (${[step.program, ...step.with].join(' ')})`);
  const stepStartedMs = performance.now();
  const result = spawnSync(
    process.execPath,
    [programPath(step.package, step.program), ...step.with],
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
