// What the checks and the tests start: plain JavaScript, as what comes before.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const require = createRequire(import.meta.url);

/** @returns {string} the absolute path of a program that a package declares in its "bin" */
export function programPath(packageName, program) {
  const manifest = join(ROOT, 'node_modules', packageName, 'package.json');
  const { bin } = require(manifest);
  return join(dirname(manifest), typeof bin === 'string' ? bin : bin[program]);
}

/** @returns {string} how long ago an instant of `performance.now()` is: `12.3 s` */
export function seconds(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
