// What `npm run mutation` runs: Stryker, which has a lock of its own, since nothing else needs its packages.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../programs.mjs';

const USAGE = `npm run mutation [-- [--share 1/20] [folder or file …]]

Plants mistakes in lib/limits, lib/document, lib/plan, lib/rule, lib/rule-file and lib/changes, one at a time,
and runs the tests of tools/mutation/vitest.config.ts against each. They need no database. Prints every
mistake that no test finds, and the part that was found.

  --share  one of so many parts, which together are all mistakes (1/20; 1/1 takes half a day)`;

const FOLDERS = [
  'lib/limits',
  'lib/document',
  'lib/plan',
  'lib/rule',
  'lib/rule-file',
  'lib/changes',
];

/** Lines of a stretch: a function or two. */
const STRETCH_LINES = 40;

/** How a program ends that was called wrongly. */
const NOT_DONE = 2;

/** What became of a mistake, by Stryker's own names. Under load, tests that never end take their time, too. */
const FOUND = new Set(['Killed', 'Timeout', 'RuntimeError']);
const NOT_FOUND = new Set(['Survived', 'NoCoverage']);

/** @returns {string[]} stretches of lines, as Stryker names them */
function stretchesOf(file) {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length;
  return Array.from({ length: Math.ceil(lines / STRETCH_LINES) }, (_, index) => {
    const first = index * STRETCH_LINES + 1;
    return `${file}:${first}-${Math.min(lines, first + STRETCH_LINES - 1)}`;
  });
}

/** @returns {string[]} */
function filesIn(path) {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .sort();
}

/** Installs Stryker where that was not done. */
function install() {
  if (existsSync(join(import.meta.dirname, 'node_modules', '@stryker-mutator', 'core'))) return;
  const npm = process.env.npm_execpath ?? 'npm';
  const [program, before] = npm.endsWith('.js') ? [process.execPath, [npm]] : [npm, []];
  const options = { cwd: import.meta.dirname, stdio: 'inherit' };
  const { status } = spawnSync(program, [...before, 'ci', '--no-audit', '--no-fund'], options);
  if (status !== 0) throw new Error('Stryker could not be installed.');
}

/** Plants the mistakes of these stretches, and says which ones no test found. */
async function plant(stretches) {
  install();
  const { Stryker } = await import('@stryker-mutator/core');
  const results = await new Stryker({
    mutate: stretches,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'tools/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    ignoreStatic: true, // a mistake in a constant of a module would run every test
    concurrency: 2,
    reporters: ['progress-append-only'],
    tempDirName: 'node_modules/.cache/stryker',
    tsconfigFile: 'none.json', // it does not know TypeScript 7, and nothing here is compiled
    ignorePatterns: [
      'docs',
      'packages',
      'examples',
      'bench',
      '.headroom',
      'test/cli',
      'test/infra',
      'test/tools',
    ],
    allowEmpty: true,
  }).runMutationTest();
  const missed = results.filter(({ status }) => NOT_FOUND.has(status));
  for (const { fileName, location, mutatorName, replacement = '', status } of missed) {
    const place = `${fileName.slice(ROOT.length + 1)}:${location.start.line}:${location.start.column}`;
    console.log(`${status} ${place} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ')}`);
  }
  const found = results.filter(({ status }) => FOUND.has(status)).length;
  const unreached = missed.filter(({ status }) => status === 'NoCoverage').length;
  const all = found + missed.length;
  const percent = (of) => `${((100 * found) / Math.max(1, of)).toFixed(1)} %`;
  console.log(
    `${found} of ${all} mistakes found (${percent(all)}), of those that a test reaches ${percent(all - unreached)}`,
  );
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1/20' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const [, part = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(values.share) ?? []).map(Number);
if (values.help) console.log(USAGE);
else if (part < 1 || part > of) {
  console.error(`--share is "${values.share}", expected one of so many, such as 1/20.\n\n${USAGE}`);
  process.exitCode = NOT_DONE;
} else {
  const paths = positionals.length === 0 ? FOLDERS : positionals;
  const stretches = paths.flatMap(filesIn).flatMap(stretchesOf);
  // Every so many-th, so that each share has something of each folder.
  const chosen = stretches.filter((_, index) => index % of === part - 1);
  console.log(`Share ${part}/${of}: ${chosen.length} of ${stretches.length} stretches of lines`);
  await plant(chosen);
}
