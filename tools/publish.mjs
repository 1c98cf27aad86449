// Publishes the archives of a folder that `npm run release -- --pack FOLDER` made: `npm run publish:packed --
// FOLDER`. The job that runs it may prove who it is, so it installs nothing: Node's own modules and npm alone.
import { Buffer } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** Written by --pack beside the archives, by what npm says of each. */
const LIST = 'packed.json';

class PublishError extends Error {}

/** Runs npm: a script on Windows, so a shell starts it there. */
function npm(...words) {
  const options = { encoding: 'utf8', shell: process.platform === 'win32' };
  const { status, stdout, stderr } = spawnSync('npm', words, options);
  return { status, stdout: stdout ?? '', said: (stderr || stdout || '').trim() };
}

/** The integrity of a version at the registry; undefined where it is not there. */
function integrityAtRegistry(name, version) {
  const { status, stdout, said } = npm('view', `${name}@${version}`, 'dist.integrity', '--json');
  if (status === 0) return stdout.trim() === '' ? undefined : JSON.parse(stdout);
  if (/\bE404\b/.test(`${stdout}${said}`)) return undefined;
  throw new PublishError(
    `Not published: the registry did not say whether it has ${name} ${version} (${lastLine(said)}), expected yes or no. Run this again: what is there is skipped.`,
  );
}

function lastLine(said) {
  const lines = said.split('\n').filter((line) => /^npm error \S/.test(line));
  return (lines.find((line) => !/^npm error (code|A complete log)/.test(line)) ?? said)
    .replace('npm error ', '')
    .split('\n')[0];
}

function publish(folder) {
  for (const { name, version, filename } of listIn(folder)) {
    const path = join(folder, filename);
    const digest = createHash('sha512').update(readFileSync(path)).digest();
    const integrity = `sha512-${Buffer.from(digest).toString('base64')}`;
    const there = integrityAtRegistry(name, version);
    if (there === integrity) {
      console.log(`${name} ${version} is published already.`);
      continue;
    }
    if (there !== undefined)
      throw new PublishError(
        `Not published: the registry has another ${name} ${version} (${there}), expected ${integrity}. A published version never changes: give all packages a new one.`,
      );
    const { status, said } = npm('publish', path, '--access', 'public');
    if (status !== 0)
      throw new PublishError(
        `Not published: npm refused ${name} ${version} (${lastLine(said)}), expected it to be taken. Mend that and run this again: what is there is skipped.`,
      );
    console.log(`${name} ${version} is published.`);
  }
}

function listIn(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, LIST), 'utf8'));
  } catch (error) {
    throw new PublishError(
      `Not published: ${join(folder, LIST)} cannot be read (${error.code ?? error.message}), expected the list that "npm run release -- --pack ${folder}" writes. Pack first.`,
    );
  }
}

const [folder] = process.argv.slice(2);
try {
  if (folder === undefined)
    throw new PublishError(
      'Not published: no folder is named, expected the one that was packed: npm run publish:packed -- FOLDER',
    );
  publish(folder);
} catch (error) {
  if (!(error instanceof PublishError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
