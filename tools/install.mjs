// Runs before anything is installed, so it is plain JavaScript with Node's own modules only, in a
// form that even an old Node can read far enough to say what is wrong.
import { spawn } from 'node:child_process';
import { basename, dirname, join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';
import { unsuitableNode, whyInstall } from './installation.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

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
