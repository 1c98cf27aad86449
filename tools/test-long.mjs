// What `npm run test:long` runs: the tests in their long extent.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { ROOT, programPath } from './programs.mjs';

const USAGE = `npm run test:long [-- [--share 1/8] [--seed 5] [file or folder …]]

Runs what test/support/extent.ts names: many seeds, every kill, every fault, long soaks. npm test runs
something of each.

  --share  one of so many parts, which together are the whole
  --seed   what proofs by chance start from, as printed; another one each time where nothing is said`;

/** How a program ends that was called wrongly. */
const NOT_DONE = 2;

/** @returns what was asked for, or undefined where it cannot be understood, which is said */
function read() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        share: { type: 'string', default: '1/1' },
        seed: { type: 'string', default: String(randomInt(2 ** 30)) },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    const [, part, of] = (/^(\d+)\/(\d+)$/.exec(values.share) ?? []).map(Number);
    if (!(part >= 1 && part <= of))
      throw new Error(`--share is "${values.share}", expected one of so many, such as 1/8.`);
    if (!/^\d{1,10}$/.test(values.seed))
      throw new Error(`--seed is "${values.seed}", expected a whole number of at most ten digits.`);
    return { ...values, files: positionals };
  } catch (error) {
    console.error(`${error.message}\n\n${USAGE}`);
    return undefined;
  }
}

function run({ share, seed, files }) {
  const result = spawnSync(process.execPath, [programPath('vitest', 'vitest'), 'run', ...files], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, TEST_EXTENT: 'long', TEST_SHARE: share, TEST_SEED: seed },
  });
  if (result.status === 0) return 0;
  console.error(
    `\n✖ The long tests failed. Once more the same: npm run test:long -- --share ${share} --seed ${seed}`,
  );
  return 1;
}

const asked = read();
if (asked === undefined) process.exitCode = NOT_DONE;
else if (asked.help) console.log(USAGE);
else process.exitCode = run(asked);
