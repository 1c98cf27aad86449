import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { build as bundle } from 'esbuild';
import type { Db } from 'mongodb';
import { z } from 'zod';
import type { Rule } from '../lib/rule/rule.ts';
import type { Limits } from '../lib/edge/limits.ts';
import type { Revision } from './revision.ts';

/** A build of the service: this one, or another revision's beside it. */
export type Build = {
  /** The revision; undefined for this one. */
  readonly revision?: string;
  /** The service under some rules. */
  readonly serve: (rules: readonly Rule[]) => Limits;
  readonly script: Script;
};

/** The one file that a build was loaded from, though it is gone by now, and esbuild's source map of it. */
export type Script = { readonly url: string; readonly text: string; readonly map: string };

/** As long as the name of the own database: each statement has it, and its bytes are counted. */
const BESIDE_NAMES = [`headroom-aside-${process.pid}`, `headroom-older-${process.pid}`];

/** Revisions that can be measured beside this one. */
export const BESIDE_MAX = BESIDE_NAMES.length;

/** The name of a contender of a build: `check`, or `check of 67c17fc`. */
export function nameIn({ revision }: Pick<Build, 'revision'>, name: string): string {
  return revision === undefined ? name : `${name} of ${revision}`;
}

/** The used exports of a checkout's `bench/workload.ts`. */
const workloadSchema = z.object({
  limitsOver: z.custom<(db: Db, rules: readonly Rule[]) => Limits>(
    (value) => typeof value === 'function',
  ),
});

/** This build, over a database. */
export async function ownBuild(db: Db): Promise<Build> {
  const { limitsOver, script } = await loadWorkload(join(import.meta.dirname, '..'));
  return { script, serve: (rules) => limitsOver(db, rules) };
}

/** Where another revision keeps what it stores, on the server of a database. */
export function besideOf(db: Db, { at }: Pick<Revision, 'at'>): Db {
  const name = BESIDE_NAMES[at];
  if (name === undefined) throw new RangeError(`at most ${BESIDE_MAX} revisions beside this one`);
  return db.client.db(name);
}

/** The databases of all revisions that may be measured beside this one. */
export function othersOn(db: Db): readonly Db[] {
  return BESIDE_NAMES.map((name) => db.client.db(name));
}

/**
 * Another revision's build, over a database of its own on the same server: its code runs in this process
 * and through the same client, so that only the code differs.
 *
 * @throws Error where that revision has no `bench/workload.ts` that makes its service
 */
export async function buildOf(revision: Revision, db: Db): Promise<Build> {
  const { name, folder } = revision;
  const { limitsOver, script } = await loadWorkload(folder);
  const own = besideOf(db, revision);
  return {
    revision: name,
    script,
    serve: (rules) => limitsOver(own, rules.map(oldAndNew)),
  };
}

/** A rule that says with `match`, too, that it is for every transaction: the one scope of older revisions. */
function oldAndNew(rule: Rule): Rule {
  return Object.assign({ match: {} }, rule);
}

async function loadWorkload(folder: string) {
  const { loaded, script } = await loadBundled(folder, join('bench', 'workload.ts'));
  return { ...workloadSchema.parse(loaded), script };
}

/**
 * Loads a file of a checkout as it is deployed, bundled: a loader of TypeScript that names every function
 * at run time would be measured with it. The driver stays outside, so that all builds share one.
 */
export async function loadBundled(
  folder: string,
  file: string,
): Promise<{ readonly loaded: unknown; readonly script: Script }> {
  // Below the checkout, so that packages are found from there.
  const outfile = join(folder, '.esbuild', `bench-${process.pid}-${randomUUID()}.mjs`);
  await bundle({
    absWorkingDir: folder,
    entryPoints: [join(folder, file)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'external',
    logLevel: 'error',
  });
  const { href: url } = pathToFileURL(outfile);
  try {
    const [text, map] = await Promise.all(
      [outfile, `${outfile}.map`].map((path) => readFile(path, 'utf8')),
    );
    const loaded: unknown = await import(url);
    return { loaded, script: { url, text: text ?? '', map: map ?? '' } };
  } finally {
    await Promise.all([outfile, `${outfile}.map`].map((path) => rm(path, { force: true })));
  }
}
