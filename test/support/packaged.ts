import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const ROOT = join(import.meta.dirname, '..', '..');

/** Long enough for packaging, which takes minutes beside other programs. */
export const TIMEOUT_MS = 120_000;

/** Where the template alone is read, the bundles may be made the fast way; see package.long.test.ts. */
export const FAST = '--param=bundlePackages=external';

/** A cold start reads every byte. Importing zod as one object, say, would add 380 kB. */
export const BUNDLE_BYTES_MAX = 1_010_000;

const templateSchema = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.unknown() })),
});

export const functionSchema = z.object({
  FunctionName: z.string(),
  Timeout: z.number(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
});

/** Everything of one type that the stack creates which was packaged last. */
export function resources<T>(type: string, schema: z.ZodType<T>): readonly T[] {
  const path = join(ROOT, '.serverless', 'cloudformation-template-update-stack.json');
  const template = templateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return Object.values(template.Resources)
    .filter((resource) => resource.Type === type)
    .map((resource) => schema.parse(resource.Properties));
}

export function environments(): readonly Readonly<Record<string, string>>[] {
  return resources('AWS::Lambda::Function', functionSchema).map((it) => it.Environment.Variables);
}

/**
 * Runs the program of npm run package.
 *
 * @returns what it said
 * @throws Error that says so, too, where it failed
 */
export function runPackage(home: string, ...parameters: readonly string[]): string {
  const result = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'tools/package.ts', ...parameters],
    {
      cwd: ROOT,
      encoding: 'utf8',
      // Without an account: no credentials, no profile, and no home directory to find them in. And
      // with a developer's settings in the shell, none of which may reach an artifact.
      env: {
        PATH: process.env.PATH,
        HOME: home,
        MONGODB_URI: 'mongodb://developer:secret@127.0.0.1/',
        LOCAL_CLOCK: 'on',
        LOG_PAYLOADS: 'on',
        AUTH: 'none',
        APPS_KEY: 'a key of the developer',
      },
    },
  );
  const all = result.stdout + result.stderr;
  if (result.status !== 0) throw new Error(all);
  return all;
}
