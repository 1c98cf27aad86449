// Installs what the console's build and its tests need. Two at once would take each other's files away, so
// all of it, and the build, is done by one process at a time. npm has a turn of its own, in its own process
// (npm.mjs): it goes on where whoever started it was ended.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { tsImport } from 'tsx/esm/api';

/** How often somebody who waits looks again. */
const LOOK_MS = 200;

class BusyError extends Error {}

/**
 * Does something while no other process installs or builds in a folder.
 *
 * @returns what it gives
 */
export async function inTurn(folder, work) {
  const free = await takeTurn(`${basename(folder)}-install`);
  try {
    return await work();
  } finally {
    await free();
  }
}

/**
 * Waits until no living process has the turn of this name.
 *
 * @returns what gives it free; it is free, too, where this process ends
 */
export async function takeTurn(name) {
  const { takeLock } = await tsImport('../../cli/lock-file.ts', import.meta.url);
  const cache = join(import.meta.dirname, '../../node_modules/.cache/headroom');
  mkdirSync(cache, { recursive: true });
  for (;;) {
    try {
      return await takeLock(
        join(cache, `${name}.lock`),
        (pid) => new BusyError(`process ${pid} installs`),
      );
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      await setTimeout(LOOK_MS);
    }
  }
}

/**
 * Installs what is missing, by the lockfile; call it in turn.
 *
 * @param folder with a package-lock.json
 * @param how `run` starts this Node with parameters, and gives up where it fails
 */
export async function installMissing(folder, how) {
  const { forTests, run = runNode(folder) } = how;
  if (isInstalled(folder, forTests)) return;
  const npm = [join(import.meta.dirname, 'npm.mjs'), forTests ? 'tests' : 'build', npmProgram()];
  const omitted = forTests ? [] : ['--omit=dev'];
  await run([...npm, 'ci', ...omitted, '--ignore-scripts', '--no-audit', '--no-fund']);
}

/** By the record that npm writes when all is there. */
export function isInstalled(folder, forTests) {
  const record = join(folder, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const packages = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const present = packages(record);
  return Object.entries(packages(join(folder, 'package-lock.json'))).every(
    ([path, { version, dev, optional }]) =>
      path === '' ||
      optional ||
      (dev && !forTests) ||
      (path in present && present[path].version === version),
  );
}

function runNode(folder) {
  return (parameters) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, parameters, { cwd: folder, stdio: ['ignore', 2, 2] });
      child.once('error', reject);
      child.once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`${parameters.join(' ')} ended with ${code}`)),
      );
    });
}

/** npm's own JavaScript: of the npm that runs this, or the one beside this Node. */
export function npmProgram() {
  const given = process.env.npm_execpath ?? '';
  if (/^npm.*js$/.test(basename(given))) return given;
  const beside = ['../lib/node_modules/npm/bin/npm-cli.js', 'node_modules/npm/bin/npm-cli.js'];
  const found = beside.map((path) => resolve(process.execPath, '..', path)).find(existsSync);
  if (found === undefined) throw new Error('npm was not found: run npm ci in packages/console');
  return found;
}
