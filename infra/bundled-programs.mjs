// The programs that are TypeScript, as JavaScript: an old Node reads none, and loading each of a hundred
// files through a loader took longer than what they do. Plain JavaScript, as what comes before.
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);

/** By name; what they share is loaded from files that they share. */
const PROGRAMS = {
  headroom: 'cli/run.ts',
  supervisor: 'infra/local/supervisor.ts',
};

/** Where all of their sources are, and what else is read or tells that a package is another one. */
const FOLDERS = [
  'cli',
  'infra',
  'lib',
  'contract',
  'functions',
  'packages/client/src',
  'packages/documentdb-local/src',
];
const FILES = ['package.json', 'package-lock.json'];

/** Beside the functions' bundles. */
const OUTPUT = join(root, '.esbuild');
const PREFIX = 'programs-';

/** A program that runs may load a part of itself as late as this; then it has what it needs. */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * Gives the JavaScript of a program. Makes it again if a source changed since it was made.
 *
 * Each state of the sources has its own folder, which never changes, so a running program keeps the
 * files that it started from. It is made beside its place and renamed, so two may make it at once.
 *
 * @param {'headroom' | 'supervisor'} name
 * @returns {string | undefined} its absolute path; undefined where nothing can be written here
 * @throws esbuild's BuildFailure; what is wrong was printed then
 */
export function bundledProgram(name) {
  const folder = join(OUTPUT, `${PREFIX}${stateOfSources()}`);
  const there = existsSync(folder) || makeBundles(folder);
  return there ? join(folder, `${name}.mjs`) : undefined;
}

/**
 * @returns {string} another one whenever a source was written, came or went; and in another place, which
 * is written into what is made: a clone that was moved, or copied with its times, is not to work on the
 * data of the first
 */
function stateOfSources() {
  const hash = createHash('sha256').update(`${process.versions.node}\n${root}\n`);
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  );
  for (const file of [...files.sort(), ...FILES]) {
    // What is gone since it was listed, or is a link to nothing: an editor's mark that a file is open.
    const found = statSync(join(root, file), { throwIfNoEntry: false });
    if (found !== undefined) hash.update(`${file}\n${found.mtimeMs}\n${found.size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** @returns {boolean} false where nothing can be written */
function makeBundles(folder) {
  const partial = `${folder}.partial-${randomUUID()}`;
  try {
    mkdirSync(partial, { recursive: true });
  } catch {
    return false;
  }
  try {
    removeOld(statSync(partial).mtimeMs);
    const { metafile, outputFiles } = require('esbuild').buildSync({
      ...bundlingOf(PROGRAMS, partial),
      metafile: true,
      write: false,
    });
    expectKnown(Object.keys(metafile.inputs));
    return put(outputFiles, partial, folder);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

/** Stopping a thief must not wait until there is room on the disk. */
function put(files, partial, folder) {
  try {
    for (const { path, contents } of files) writeFileSync(path, contents);
    renameSync(partial, folder);
    return true;
  } catch {
    // Another process may have been faster: its bundles are as good.
    return existsSync(folder);
  }
}

/**
 * The options of esbuild for programs of this repository.
 *
 * @param {Record<string, string>} entryPoints by name, from the repository's root
 * @param {string} outdir inside of the repository, whose packages they use
 * @returns {import('esbuild').BuildOptions}
 */
export function bundlingOf(entryPoints, outdir) {
  return {
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // What is imported where it is needed is loaded then, as it is from the sources.
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    packages: 'external',
    // Its settings are for the checker.
    tsconfigRaw: {},
    // A package of this repository, which is TypeScript.
    alias: { 'documentdb-local': join(root, 'packages/documentdb-local/src/index.ts') },
    // What finds the repository by it: this file and infra/framework.ts, each in a folder of the root.
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'infra')) },
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'error',
  };
}

/** Throws where a source is outside of the folders whose state is looked at. */
function expectKnown(inputs) {
  const unknown = inputs.find(
    (file) => !FILES.includes(file) && !FOLDERS.some((folder) => file.startsWith(`${folder}/`)),
  );
  if (unknown !== undefined)
    throw new Error(`${unknown} is a source of a program: name its folder in FOLDERS, here.`);
}

/** Takes away what nobody has been started from for long, or began and did not end. */
function removeOld(nowMs) {
  for (const name of readdirSync(OUTPUT).filter((each) => each.startsWith(PREFIX))) {
    const path = join(OUTPUT, name);
    const madeAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (madeAt >= nowMs - KEPT_MS) continue;
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // It is another user's.
    }
  }
}
