// What a bundle must carry of the packages that are in it. Plain JavaScript, for plain builds use it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './programs.mjs';

const HEADING = `Third-party software in this package, each with its licence.\n`;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/**
 * Gives the name, version and licence of each package that has code in a bundle, sorted by name.
 *
 * @param {readonly import('esbuild').Metafile[]} metafiles of the bundles of one published package
 * @param {string} [root] the folder from which their inputs are named
 * @returns {string} the text of its THIRD-PARTY.txt
 * @throws Error for a package that names no licence
 */
export function thirdPartyOf(metafiles, root = ROOT) {
  const folders = new Set();
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [path, { bytesInOutput }] of Object.entries(inputs))
        if (bytesInOutput > 0) folders.add(folderOf(path));
  folders.delete(undefined);
  const texts = new Set([...folders].map((folder) => licenceOf(join(root, folder))));
  return [HEADING, ...[...texts].sort()].join(`\n${'-'.repeat(72)}\n\n`);
}

/** The folder of the innermost package that a file belongs to. */
function folderOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  if (files.length === 0 && license === undefined)
    throw new Error(
      `${name} ${version} names no licence, expected one in its package.json or in a file LICENSE. Do not bundle it.`,
    );
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return `${[`${name} ${version} (${license})`, ...texts].join('\n\n')}\n`;
}
