import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../framework.ts';

/** The console's files, as `npm start` serves them below /console. */

/** A file that is served. */
type ConsoleFile = {
  readonly status: 200 | 503;
  readonly type: string;
  readonly body: string | Buffer;
};

/** The sources that it is built from. */
const FOLDERS = [
  ...['packages/console/src', 'packages/console/public', 'packages/client/src'],
  // They read a rule while somebody writes it.
  ...['lib/http/sentences', 'lib/rule', 'lib/schema', 'lib/shared'],
];
const FILES = [
  ...['index.html', 'vite.config.ts', 'package-lock.json', 'build.mjs', 'install.mjs'].map(
    (name) => `packages/console/${name}`,
  ),
  'docs/rules.schema.json',
];

/** The headers of a file, by its name below /console/. */
export function consoleHeaders(name: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': CONSOLE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': name.startsWith('assets/') ? 'max-age=31536000' : 'no-cache',
  };
}

/** The only sources of a script or a style are its own files; it calls nothing but its own API. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  html: 'text/html',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** Where the console of these very sources is, or will be. */
export function consoleFolder(): string {
  const hash = createHash('sha256');
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  );
  for (const path of [...found.sort(), ...FILES])
    hash.update(`${path}\n`).update(readFileSync(join(ROOT, path)));
  const state = hash.digest('hex').slice(0, 16);
  return join(ROOT, 'node_modules', '.cache', 'headroom', `console-${state}`);
}

/** A page that is loaded again until there is a console. */
const SOON = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="refresh" content="2" />
    <title>Headroom</title>
  </head>
  <body>
    <p>Headroom builds the console, once after each change of its sources. This page then loads it.</p>
    <p>If that takes more than a minute, read the output of npm start.</p>
  </body>
</html>
`;

/**
 * The content at a path below /console/; undefined where there is no such file.
 *
 * @param folder as `consoleFolder` gives it
 * @param name of the file; empty for the page
 * @param setup the content of console.json
 */
export function consoleFile(folder: string, name: string, setup: object): ConsoleFile | undefined {
  if (name === 'console.json')
    return { status: 200, type: 'application/json', body: JSON.stringify(setup) };
  const path = name === '' ? 'index.html' : name;
  if (!/^(assets\/)?[\w-]+(\.[\w-]+)*$/.test(path)) return undefined;
  const file = join(folder, path);
  const ending = path.slice(path.lastIndexOf('.') + 1);
  if (!existsSync(join(folder, 'index.html')))
    return path === 'index.html' ? { status: 503, type: 'text/html', body: SOON } : undefined;
  if (!existsSync(file) || TYPES[ending] === undefined) return undefined;
  return { status: 200, type: TYPES[ending], body: readFileSync(file) };
}
