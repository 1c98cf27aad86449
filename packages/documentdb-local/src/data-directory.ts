import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DocumentDBError } from './documentdb-error.ts';
import { CREATE_EXTENSION, REST_INDEX_BUILDERS } from './extension.ts';
import { isAlive, type Installation } from './install.ts';
import { runProgram } from './run-program.ts';
import { serverEnvironment } from './server-environment.ts';
import type { ServerUser } from './server-user.ts';

/** The settings that load the extension, when the server starts and when its data are made. */
export const PRELOADED_LIBRARIES = 'pg_cron, pg_documentdb_core, pg_documentdb';

const INITDB_PARAMETERS = [
  '-U',
  'postgres',
  '-A',
  'trust',
  '-E',
  'UTF8',
  '--locale=C',
  // Megabytes: what is copied has two of them.
  '--wal-segsize=1',
  '--no-sync',
  '--no-instructions',
];

/** For a server that ends when this is done: nothing has to survive, and it leaves little. */
const SETUP_SETTINGS = [
  `shared_preload_libraries=${PRELOADED_LIBRARIES}`,
  'cron.database_name=postgres',
  'exit_on_error=on',
  'log_min_messages=fatal',
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=2MB',
  'max_wal_size=2MB',
];

/** A statement each. Without the databases that new ones are made from, two thirds of the files are gone. */
const SETUP_STATEMENTS = [
  CREATE_EXTENSION,
  REST_INDEX_BUILDERS,
  `UPDATE pg_database SET datistemplate = false WHERE datname <> 'postgres'`,
  'DROP DATABASE template0',
  'DROP DATABASE template1',
];

/**
 * Makes the folder's data directory, with the extension set up: a copy of a template. The first
 * start makes the template and stores it beside the installation. A copy is a tenth of the work.
 * Copies share one system identifier, which matters to replication alone.
 *
 * Where no template can be kept (the disk is full, the cache is another user's) the directory is made
 * by itself.
 *
 * @param keepsData whether they have to be there again after whatever ends the machine: the server relies
 *   on what it has not written itself to be on the disk
 * @throws DocumentDBError with what the program complained of, when it cannot be made either way
 */
export async function makeData(
  installation: Installation,
  folder: string,
  user: ServerUser,
  keepsData: boolean,
): Promise<void> {
  const partial = join(folder, 'data.partial');
  try {
    await copyOrFill(installation, partial, user);
    if (keepsData) await bringToDisk(installation, partial, user);
    // Only a complete directory gets the name that the next start looks for.
    await rename(partial, join(folder, 'data'));
  } finally {
    // A start that failed may have filled the disk with it.
    await rm(partial, { recursive: true, force: true });
  }
}

async function copyOrFill(
  installation: Installation,
  folder: string,
  user: ServerUser,
): Promise<void> {
  try {
    const template = await ensureTemplate(installation, user);
    await makeFolder(folder, user);
    await copyTemplate(template, folder, user);
  } catch {
    await makeFolder(folder, user);
    await fillFolder(installation, folder, user);
  }
}

/**
 * Gives the template; makes it where there is none. It is made beside its place, brought to the
 * disk and renamed: one that is there is complete. If several processes make it at once, the first
 * one's stays.
 */
async function ensureTemplate(installation: Installation, user: ServerUser): Promise<string> {
  const template = templateFor(installation, user);
  if (await exists(template)) return template;
  await removeOthers(template, user);
  const partial = await mkdtemp(partialOf(template));
  try {
    await user.own(partial);
    await fillFolder(installation, partial, user);
    await bringToDisk(installation, partial, user);
    await rename(partial, template);
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (!(await exists(template))) throw error;
  }
  return template;
}

/** Where the template is: apart by all that goes into it, and by the only user who may read it. */
function templateFor(installation: Installation, user: ServerUser): string {
  const ingredients = [installation.version, INITDB_PARAMETERS, SETUP_SETTINGS, SETUP_STATEMENTS];
  const hash = createHash('sha256').update(JSON.stringify(ingredients)).digest('hex');
  return join(installation.folder, `${namesOf(user)}${hash.slice(0, 12)}`);
}

function namesOf(user: ServerUser): string {
  return `data-${user.id}-`;
}

function partialOf(template: string): string {
  return `${template}.partial-${process.pid}-`;
}

/** Takes away what other versions of this package made, and what a process that is gone began. */
async function removeOthers(template: string, user: ServerUser): Promise<void> {
  const folder = dirname(template);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(namesOf(user)) || name === basename(template)) continue;
    const maker = /\.partial-(\d+)-/.exec(name)?.[1];
    if (maker !== undefined && isAlive(Number(maker))) continue;
    // It leaves its place at once, so that a copy finds it gone.
    const away = await mkdtemp(partialOf(template));
    await rename(join(folder, name), join(away, name)).catch(() => undefined);
    await rm(away, { recursive: true, force: true });
  }
}

async function copyTemplate(template: string, folder: string, user: ServerUser): Promise<void> {
  const before = await stat(template);
  const [program, ...parameters] = user.prefix;
  // A copy by Node takes four times as long. A link would not do: PostgreSQL writes in place.
  await runProgram(program, [...parameters, 'cp', '-R', `${template}/.`, folder], {
    timeoutSeconds: 60,
    folder: '/',
  });
  // One that was taken away meanwhile may have lost files before they were copied.
  if ((await stat(template)).ino !== before.ino)
    throw new DocumentDBError(`${template} was replaced while it was copied`);
}

async function makeFolder(folder: string, user: ServerUser): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  await user.own(folder);
}

/** Makes a data directory in an empty folder; nothing of it is on the disk for certain. */
async function fillFolder(
  installation: Installation,
  folder: string,
  user: ServerUser,
): Promise<void> {
  await runServerProgram(installation, user, 'initdb', ['-D', folder, ...INITDB_PARAMETERS]);
  const settings = SETUP_SETTINGS.flatMap((each) => ['-c', each]);
  // The server's single-user mode reads a statement a line, and closes the data when there is none left.
  await runServerProgram(
    installation,
    user,
    'postgres',
    ['--single', '-D', folder, ...settings, 'postgres'],
    SETUP_STATEMENTS.map((each) => `${each.replaceAll(/\s+/g, ' ')}\n`).join(''),
  );
}

async function bringToDisk(
  installation: Installation,
  folder: string,
  user: ServerUser,
): Promise<void> {
  await runServerProgram(installation, user, 'initdb', ['--sync-only', '-D', folder]);
}

async function runServerProgram(
  installation: Installation,
  user: ServerUser,
  name: 'initdb' | 'postgres',
  parameters: readonly string[],
  input = '',
): Promise<void> {
  const [program, ...prefix] = user.prefix;
  await runProgram(program, [...prefix, join(installation.programs, name), ...parameters], {
    timeoutSeconds: 60,
    folder: '/',
    environment: serverEnvironment(),
    input,
  });
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
