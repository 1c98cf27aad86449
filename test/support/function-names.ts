import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../functions');

/** Every function that deploys: the files of functions/ that export a handler, by name. */
export const FUNCTION_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => /^export const handler\b/m.test(readFileSync(join(FOLDER, file), 'utf8')))
  .map((file) => file.replace(/\.ts$/, ''));

/** Those without a route: one reads a queue, one works on back-tests, the others are for who deploys. */
const WITHOUT_ROUTE = ['settle', 'backtest', 'indexes', 'apps'];

/** Those that callers ask over HTTP. */
export const CALL_NAMES = FUNCTION_NAMES.filter((name) => !WITHOUT_ROUTE.includes(name));
