// Runs before anything is installed, so it is plain JavaScript with Node's own modules only, in a
// form that even an old Node can read far enough to say what is wrong.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The oldest minor release that works, by major release; every major release from LATEST on does. */
const OLDEST = { 20: 19, 22: 13 };
const LATEST = 24;

/** @returns {string | undefined} one sentence, when this Node cannot run the project's tools */
function unsuitableNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major >= LATEST || minor >= OLDEST[major]) return undefined;
  return `Headroom needs Node 20.19 or newer (of Node 22, 22.13 or newer); this is ${process.version}.`;
}

/** @returns {Record<string, any> | undefined} the packages of a lock file, by folder */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** Whether a list such as ["linux"] or ["!win32"] admits this machine; an absent list admits all. */
function admits(list, value) {
  if (list === undefined) return true;
  if (list.includes(`!${value}`)) return false;
  return list.includes(value) || list.every((entry) => entry.startsWith('!'));
}

/**
 * Whether npm would install this package here. What is optional and names no platform may be
 * absent, and so may what depends on the C library: npm alone knows.
 */
function isRequired(locked) {
  if (!locked.optional) return true;
  if (locked.libc !== undefined || (locked.os === undefined && locked.cpu === undefined))
    return false;
  return admits(locked.os, process.platform) && admits(locked.cpu, process.arch);
}

/**
 * Compares package-lock.json with the record that npm keeps in node_modules of what it put there.
 *
 * @returns {string | undefined} why an installation is needed
 */
function whyInstall() {
  const wanted = readPackages(join(root, 'package-lock.json')) ?? {};
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (present === undefined) return 'node_modules is missing or was not made by npm';
  for (const [folder, locked] of Object.entries(wanted)) {
    if (folder === '') continue;
    const found = present[folder];
    if (found === undefined && !isRequired(locked)) continue;
    if (found === undefined || !existsSync(join(root, folder, 'package.json'))) {
      return `${folder} is missing`;
    }
    if (found.version !== locked.version || found.integrity !== locked.integrity) {
      return `${folder} is ${found.version}, package-lock.json says ${locked.version}`;
    }
  }
  const surplus = Object.keys(present).find((folder) => wanted[folder] === undefined);
  return surplus === undefined ? undefined : `${surplus} is not in package-lock.json`;
}

/** How often it is said that npm still works, where nobody sees npm's own progress. */
const REPORT_SECONDS = 5;

/**
 * Runs npm ci with the npm that runs us, or with the one on PATH.
 *
 * @returns {Promise<unknown>} its exit code, or a reason
 */
function install() {
  const commandLine = ['ci', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath ?? '';
  // On Windows npm is a batch file, which only a shell starts; so prefer npm's own JavaScript.
  const options = { cwd: root, stdio: 'inherit' };
  const child = /^npm.*js$/.test(basename(npm))
    ? spawn(process.execPath, [npm, ...commandLine], options)
    : spawn(`npm ${commandLine.join(' ')}`, { ...options, shell: true });
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += REPORT_SECONDS;
    if (!process.stderr.isTTY) console.log(`  npm ci works for ${seconds} s…`);
  }, REPORT_SECONDS * 1000);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? code));
  }).finally(() => clearInterval(timer));
}

const unsuitable = unsuitableNode();
if (unsuitable !== undefined) {
  console.error(unsuitable);
  process.exit(1);
}
const reason = whyInstall();
if (reason !== undefined) {
  console.log(`Installing dependencies with npm ci, because ${reason}.`);
  install().then((outcome) => {
    if (outcome === 0) return;
    console.error(`Dependencies could not be installed: npm ci ended with ${outcome}; see above.`);
    process.exit(1);
  });
}
