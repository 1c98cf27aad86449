import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { DocumentDBError, messageOf } from './documentdb-error.ts';
import { connectionTo } from './connections.ts';
import { makeData, PRELOADED_LIBRARIES } from './data-directory.ts';
import type { Installation } from './install.ts';
import { readSqlState } from './errors.ts';
import { serverEnvironment } from './server-environment.ts';
import { chooseServerUser, type ServerUser } from './server-user.ts';

/** A PostgreSQL server of ours, reachable through a Unix socket that only its user and root can open. */
type Postgres = {
  /** The folder of the socket: what `pg` takes as host. */
  readonly socketFolder: string;
  /** Resolves when the server process is gone, for whatever reason. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
};

/** A server that recovers after a crash may take its time; then something is wrong. */
const START_SECONDS_MAX = 120;
const STOP_SECONDS_MAX = 20;

/** So long a start waits for what is left of a killed server: its processes end once they see that it is gone. */
const LEFT_SECONDS_MAX = 30;
const LEFT_PAUSE_MS = 500;

/** The message of PostgreSQL while one of them is there. Source: CreateLockFile in miscinit.c. */
const IS_LEFT = /pre-existing shared memory block .*is still in use/;

const SOCKET_FOLDER_NAME = 'documentdb-local-';

/** A socket's path has to fit into 107 bytes, "/.s.PGSQL.5432" included. Source: unix(7). */
const SOCKET_FOLDER_BYTES_MAX = 107 - '/.s.PGSQL.5432'.length;

/**
 * Starts PostgreSQL on the data in the folder; makes the data directory where there is none. Waits for
 * what a killed server has left running on them.
 *
 * @param keepsData whether the data have to be there again after whatever ends the server
 * @throws DocumentDBError with the end of the server's log when it does not come up
 */
export async function startPostgres(
  installation: Installation,
  folder: string,
  keepsData: boolean,
  report: (line: string) => void,
): Promise<Postgres> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const user = await chooseServerUser([installation.folder, folder]);
  const data = join(folder, 'data');
  if (!(await exists(join(data, 'PG_VERSION'))))
    await makeData(installation, folder, user, keepsData);

  const socketFolder = await createSocketFolder(folder, user);
  const configuration = join(folder, 'postgresql.conf');
  await writeFile(configuration, configurationFor(socketFolder, keepsData));
  await chmod(configuration, 0o644);
  const logFile = join(folder, 'postgres.log');
  const [program, ...parameters] = user.prefix;
  parameters.push(join(installation.programs, 'postgres'), '-D', data);
  parameters.push('-c', `config_file=${configuration}`);

  const leftUntil = Date.now() + LEFT_SECONDS_MAX * 1000;
  let waits = false;
  for (;;) {
    const server = await spawnServer(program, parameters, logFile);
    const stop = async () => {
      await endServer(server);
      await rm(socketFolder, { recursive: true, force: true });
    };
    try {
      await waitUntilReady(socketFolder, server.child, report);
      return { socketFolder, ended: server.ended, stop };
    } catch (error) {
      await endServer(server);
      const end = await readEnd(logFile, error);
      if (!IS_LEFT.test(end) || Date.now() > leftUntil) {
        await stop();
        throw new DocumentDBError(`PostgreSQL did not start: ${end}`);
      }
      if (!waits)
        report('Waiting for the processes of a PostgreSQL that was killed on these data.');
      waits = true;
      await sleep(LEFT_PAUSE_MS);
    }
  }
}

/** The process of a server; `ended` resolves when it is gone. */
type ServerProcess = { readonly child: ChildProcess; readonly ended: Promise<void> };

async function spawnServer(
  program: string,
  parameters: readonly string[],
  logFile: string,
): Promise<ServerProcess> {
  const log = await open(logFile, 'w');
  const child = spawn(program, parameters, {
    cwd: '/',
    stdio: ['ignore', log.fd, log.fd],
    env: serverEnvironment(),
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ['exit', 'error'])
      child.once(event, () => {
        resolve();
      });
  });
  await log.close();
  return { child, ended };
}

/** A folder of its own for the socket; the one that a killed server left behind is removed. */
async function createSocketFolder(dataFolder: string, user: ServerUser): Promise<string> {
  const note = join(dataFolder, 'socket-folder');
  const left = await readFile(note, 'utf8').catch(() => '');
  if (basename(left).startsWith(SOCKET_FOLDER_NAME))
    await rm(left, { recursive: true, force: true });
  const base = tmpdir();
  const fits =
    Buffer.byteLength(base) + `/${SOCKET_FOLDER_NAME}XXXXXX`.length <= SOCKET_FOLDER_BYTES_MAX;
  const folder = await mkdtemp(join(fits ? base : '/tmp', SOCKET_FOLDER_NAME));
  await user.own(folder);
  await writeFile(note, folder);
  return folder;
}

/** The settings of a server whose data have to be there again after a crash, or are thrown away. */
export function configurationFor(socketFolder: string, keepsData: boolean): string {
  return `# Written at every start.
listen_addresses = ''
unix_socket_directories = '${socketFolder}'
unix_socket_permissions = 0700
max_connections = 120
shared_buffers = 256MB
# Not what its default would be, a segment of the log: those are small here.
wal_buffers = 8MB
jit = off
shared_preload_libraries = '${PRELOADED_LIBRARIES}'
cron.database_name = 'postgres'
cron.host = '${socketFolder}'
documentdb.localhost_connection_string = 'host=${socketFolder}'
cron.log_run = off
cron.log_statement = off
# Errors of statements are answers to the caller, not news for the log.
log_min_messages = log
log_checkpoints = off
# Grown documents are compressed with every write; the default took half of a check's time.
default_toast_compression = lz4
# Concurrent inserts of one unique key meet in an exclusion constraint and deadlock: find that out soon.
deadlock_timeout = 20ms
# Updates in a collection with a secondary index leave dead entries behind: clear them up often.
autovacuum_naptime = 2s
autovacuum_vacuum_threshold = 500
autovacuum_vacuum_scale_factor = 0.05
autovacuum_vacuum_cost_delay = 0
${keepsData ? '' : THROW_AWAY}`;
}

/** Nobody starts a server on these data again: nothing has to reach the disk, or be there to recover from. */
const THROW_AWAY = `fsync = off
full_page_writes = off
synchronous_commit = off
wal_level = minimal
max_wal_senders = 0
`;

/** Source: PostgreSQL manual, "PostgreSQL Error Codes". */
const DISK_FULL = '53100';

/** @throws DocumentDBError or an error of PostgreSQL's where it ended, the disk is full, or its time is over */
export async function waitUntilReady(
  socketFolder: string,
  child: ChildProcess,
  report: (line: string) => void,
): Promise<void> {
  const startedAt = Date.now();
  let reportedAt = startedAt;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined)
      throw new DocumentDBError('it ended at once');
    try {
      const client = new Client(connectionTo(socketFolder));
      client.on('error', () => undefined);
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (readSqlState(error) === DISK_FULL) throw error;
      if (Date.now() - startedAt > START_SECONDS_MAX * 1000) throw error;
      if (Date.now() - reportedAt > 3000) {
        reportedAt = Date.now();
        report(`Waiting for PostgreSQL: ${messageOf(error)}`);
      }
      await sleep(25);
    }
  }
}

async function endServer({ child, ended }: ServerProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  // PostgreSQL: SIGINT is the fast shutdown, SIGQUIT the immediate one (the next start recovers).
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_SECONDS_MAX * 1000);
  await ended;
  clearTimeout(timer);
}

async function readEnd(logFile: string, error: unknown): Promise<string> {
  const log = await readFile(logFile, 'utf8').catch(() => '');
  return reasonIn(log) || messageOf(error);
}

/** The lines of a log that say why the server ended; the last ones, where none says so. */
export function reasonIn(log: string): string {
  const lines = log.trim().split('\n');
  const grave = lines.filter((line) => /\b(FATAL|PANIC): /.test(line));
  return (grave.length === 0 ? lines : grave).slice(-4).join('; ');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
