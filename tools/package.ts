import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { FRAMEWORK_PROGRAM, frameworkEnvironment, ROOT } from '../infra/framework.ts';

const ARTIFACTS = join(ROOT, '.serverless');
const BUNDLES = join(ROOT, '.esbuild', 'package', '.build', 'functions');
const LARGEST_SHOWN = 6;

/** The part of esbuild's metafile that says which source became how many bytes of a bundle. */
const metafileSchema = z.object({
  outputs: z.record(
    z.string(),
    z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) }),
  ),
});

/** One package, or the project's own code, inside one bundle. */
interface Share {
  readonly name: string;
  readonly bytes: number;
}

/** Returns the package that a source file belongs to; the project's own files are one share. */
function shareName(path: string): string {
  const installed = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
  return installed?.[1] ?? 'headroom itself';
}

/** Returns what a bundle consists of, largest first. */
function readShares(metafile: string): readonly Share[] {
  const { outputs } = metafileSchema.parse(JSON.parse(readFileSync(metafile, 'utf8')));
  const bytesByName = new Map<string, number>();
  for (const output of Object.values(outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
      const name = shareName(path);
      bytesByName.set(name, (bytesByName.get(name) ?? 0) + bytesInOutput);
    }
  }
  return [...bytesByName]
    .map(([name, bytes]) => ({ name, bytes }))
    .sort((left, right) => right.bytes - left.bytes);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(0).padStart(6)} kB`;
}

function fileSize(path: string): number {
  return statSync(path).size;
}

/** Prints one line per function from the artifacts on disk, then what the first bundle is made of. */
function printSizes(names: readonly string[]): void {
  console.log(`\n${'function'.padEnd(12)}${'bundle'.padStart(9)}${'zip'.padStart(12)}   artifact`);
  for (const name of names) {
    const bundle = kilobytes(fileSize(join(BUNDLES, `${name}.cjs`)));
    const zip = kilobytes(fileSize(join(ARTIFACTS, `${name}.zip`)));
    console.log(`${name.padEnd(12)}${bundle}   ${zip}   .serverless/${name}.zip`);
  }
  console.log('\nA zip holds the bundle and its source map. Largest parts of each bundle:');
  for (const name of names) {
    const shares = readShares(join(BUNDLES, `${name}-meta.json`)).slice(0, LARGEST_SHOWN);
    const parts = shares.map((share) => `${share.name} ${kilobytes(share.bytes).trim()}`);
    console.log(`${name.padEnd(12)}${parts.join(', ')}`);
  }
}

const asked = process.argv.slice(2);
const packaged = spawnSync(process.execPath, [FRAMEWORK_PROGRAM, 'package', ...asked], {
  cwd: ROOT,
  env: frameworkEnvironment({}),
  stdio: 'inherit',
});
if (packaged.status !== 0) {
  console.error('Packaging failed; see above.');
  process.exit(1);
}
if (asked.includes('--help') || asked.includes('-h')) process.exit(0);
printSizes(
  readdirSync(ARTIFACTS)
    .filter((file) => file.endsWith('.zip'))
    .map((file) => file.slice(0, -'.zip'.length)),
);
console.log('\nThe stack is described in .serverless/cloudformation-template-update-stack.json.');
