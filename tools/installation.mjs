// What an installation needs, and whether it is there. Read before anything is installed, so it is plain
// JavaScript with Node's own modules only, in a form that even an old Node can read far enough to say
// what is wrong.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The oldest minor release that works, by major release; every major release from LATEST on does. */
const OLDEST = { 20: 19, 22: 13 };
const LATEST = 24;

/** @returns {string | undefined} one sentence, when this Node cannot run the project's tools */
export function unsuitableNode() {
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
export function whyInstall() {
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
