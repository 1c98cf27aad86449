import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../functions');

/** Every function that deploys: the files of functions/ that export a handler, by name. */
export const FUNCTION_NAMES: readonly string[] = readdirSync(FOLDER)
  .filter((file) => /^export const handler\b/m.test(readFileSync(join(FOLDER, file), 'utf8')))
  .map((file) => file.replace(/\.ts$/, ''));

/** Those that callers ask over HTTP: all but the one that reads a queue, and the one of deployments. */
export const CALL_NAMES = FUNCTION_NAMES.filter((name) => !['settle', 'indexes'].includes(name));
