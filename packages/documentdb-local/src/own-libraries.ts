import { access, chmod, readdir, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DocumentDBError } from './documentdb-error.ts';
import { runProgram } from './run-program.ts';

const PROGRAMS = ['postgres', 'initdb'];

/** Files that show whether every shared library is there. */
const CHECKED_LIBRARIES = [
  'pg_documentdb_core.so',
  'pg_documentdb.so',
  'postgis-3.so',
  'vector.so',
  'pg_cron.so',
];

/**
 * Makes PostgreSQL's programs run with the shared libraries that were fetched with them: the host's
 * may be older, or missing. The folder may be moved afterwards.
 *
 * @throws DocumentDBError when a library is missing
 */
export async function useOwnLibraries(
  folder: string,
  major: number,
  programs: string,
): Promise<void> {
  const libraries = await findLibraries(folder);
  for (const program of PROGRAMS) await wrapProgram(join(programs, program), libraries, major);
  await checkLibraries(folder, libraries, major, programs);
}

type Libraries = { readonly folder: string; readonly loader: string };

/** The folder of shared libraries (its name holds the machine's kind) and the loader in it, relative. */
async function findLibraries(folder: string): Promise<Libraries> {
  for (const name of await readdir(join(folder, 'usr/lib'))) {
    const files = await readdir(join(folder, 'usr/lib', name)).catch(() => []);
    const loader = files.find((file) => /^ld(-linux|64).*\.so\.\d+$/.test(file));
    if (loader !== undefined)
      return { folder: `usr/lib/${name}`, loader: `usr/lib/${name}/${loader}` };
  }
  throw new DocumentDBError('the package libc6 brought no loader');
}

/**
 * Puts a script in a program's place that runs it with the libraries that came with it, not the
 * host's. initdb runs the `postgres` beside itself, so that must be the script, too.
 */
async function wrapProgram(program: string, libraries: Libraries, major: number): Promise<void> {
  await rename(program, `${program}.elf`);
  const script = [
    '#!/bin/sh',
    'root=${0%/*}/../../../../..',
    `exec "$root/${libraries.loader}" --library-path "$root/${libraries.folder}:$root/usr/lib/postgresql/${major}/lib" --argv0 "$0" "$0.elf" "$@"`,
    '',
  ];
  await writeFile(program, script.join('\n'));
  await chmod(program, 0o755);
}

async function checkLibraries(
  folder: string,
  libraries: Libraries,
  major: number,
  programs: string,
): Promise<void> {
  const own = join(folder, 'usr/lib/postgresql', String(major), 'lib');
  const checked = PROGRAMS.map((name) => join(programs, `${name}.elf`));
  for (const file of [...checked, ...CHECKED_LIBRARIES.map((name) => join(own, name))]) {
    await access(file);
    const listed = await runProgram(
      join(folder, libraries.loader),
      ['--library-path', `${join(folder, libraries.folder)}:${own}`, '--list', file],
      { timeoutSeconds: 30 },
    );
    const missing = [...listed.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
    if (missing.length > 0)
      throw new DocumentDBError(`${basename(file)} lacks ${missing.join(', ')}`);
  }
}
