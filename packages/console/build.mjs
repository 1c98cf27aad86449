// Builds the console into a folder, and installs first what the build needs: `npm run build`, or
// `node build.mjs FOLDER`. Where the folder is there it is of these very sources, and nothing is done.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { inTurn, installMissing } from './install.mjs';

const here = import.meta.dirname;
const output = resolve(process.argv[2] ?? join(here, 'dist'));
/** Whoever builds, a test as well, builds what is served. */
const ENVIRONMENT = { ...process.env, NODE_ENV: 'production' };
let running;

/** Ends what it started where it is told to end, or whoever started it is gone. */
function giveUp() {
  running?.kill('SIGTERM');
  process.exit(1);
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, giveUp);
process.on('disconnect', giveUp);

function run(parameters) {
  return new Promise((resolve, reject) => {
    running = spawn(process.execPath, parameters, {
      cwd: here,
      stdio: ['ignore', 2, 2],
      env: ENVIRONMENT,
    });
    running.once('error', reject);
    running.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${parameters.join(' ')} ended with ${code}`)),
    );
  });
}

async function build() {
  await installMissing(here, { forTests: false, run });
  const partial = `${output}.partial-${randomUUID()}`;
  try {
    await run([
      'node_modules/vite/bin/vite.js',
      'build',
      '--outDir',
      partial,
      '--logLevel',
      'warn',
    ]);
    rmSync(output, { recursive: true, force: true });
    renameSync(partial, output);
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

try {
  await inTurn(here, build);
} catch (error) {
  console.error(`The console was not built: ${error.message}`);
  process.exitCode = 1;
}
process.off('disconnect', giveUp);
if (process.connected) process.disconnect();
