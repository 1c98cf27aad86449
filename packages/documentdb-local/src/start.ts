import { readFile, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { startAdapter } from './adapter.ts';
import { connectionTo } from './connections.ts';
import { messageOf } from './documentdb-error.ts';
import { prepareExtension } from './extension.ts';
import { installDocumentDB, type Installation } from './install.ts';
import { startPostgres } from './postgres.ts';
import { checkSweep, TTL_SWEEP_SECONDS, type TtlSweep } from './ttl-sweep.ts';

/** Which server is wanted. */
export type DocumentDBOptions = {
  /** Where data are: in a folder `documentdb` below this one, which is made where it is missing. One server at a time. */
  readonly folder: string;
  /** Whether the data stay when the server stops; they do by default. */
  readonly keepsData?: boolean;
  /** Whole seconds between two sweeps of the TTL monitor, 1 to 60, or 'never'; 60 by default. */
  readonly ttlSweepSeconds?: TtlSweep;
  /** Where PostgreSQL and DocumentDB are put once, 178 MB; `$XDG_CACHE_HOME/documentdb-local` by default, else `~/.cache/documentdb-local`. */
  readonly cacheFolder?: string;
  /** Gets a line for a person at every step that takes time; nobody by default. */
  readonly report?: (line: string) => void;
  /** Aborted to give up while the server's packages are still being fetched. */
  readonly signal?: AbortSignal;
};

/** A server for MongoDB's drivers, on a port of 127.0.0.1 that was free. */
export type DocumentDBServer = {
  /** The server that a driver connects to: a replica set of one, without TLS or login. */
  readonly uri: string;
  /** "1.0-0 on PostgreSQL 18.6". */
  readonly version: string;
  /** Resolves when PostgreSQL is gone, whether it was stopped or not. */
  readonly ended: Promise<void>;
  /** Ends the connections and the server, and takes the data away where they are not to be kept. */
  readonly stop: () => Promise<void>;
};

/** The outcome of a start: the server runs, or the reason why it cannot be had on this machine. */
export type DocumentDBStart =
  | { readonly kind: 'started'; readonly server: DocumentDBServer }
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * Starts PostgreSQL with the DocumentDB extension behind an adapter that speaks MongoDB's wire
 * protocol. Runs on Debian only, from Debian's packages, which are fetched once; elsewhere, or where
 * they cannot be fetched, it is unavailable.
 *
 * The adapter is in this process; the server ends with it, however it ends.
 *
 * @throws DocumentDBError when PostgreSQL does not come up on the data
 * @throws RangeError when `ttlSweepSeconds` is none
 */
export async function startDocumentDB(options: DocumentDBOptions): Promise<DocumentDBStart> {
  const ttlSweep = checkSweep(options.ttlSweepSeconds ?? TTL_SWEEP_SECONDS);
  const report = options.report ?? (() => undefined);
  const release = await readDebianRelease();
  if (release === undefined)
    return {
      kind: 'unavailable',
      reason: `DocumentDB: only on Debian, this is ${process.platform === 'linux' ? 'another Linux' : process.platform}`,
    };
  let installation: Installation;
  try {
    installation = await installDocumentDB(release, {
      cacheFolder: resolve(options.cacheFolder ?? defaultCacheFolder()),
      report,
      signal: options.signal ?? new AbortController().signal,
    });
  } catch (error) {
    return {
      kind: 'unavailable',
      reason: `DocumentDB from Debian's packages: ${messageOf(error)}`,
    };
  }

  const folder = join(resolve(options.folder), 'documentdb');
  const keepsData = options.keepsData ?? true;
  const postgres = await startPostgres(installation, folder, keepsData, report);
  const stopPostgres = async () => {
    await postgres.stop();
    if (!keepsData) await rm(folder, { recursive: true, force: true });
  };
  try {
    await prepareExtension(postgres.socketFolder, ttlSweep);
    const { version } = installation;
    const connection = connectionTo(postgres.socketFolder);
    const adapter = await startAdapter({
      connection,
      version,
      isSweeping: ttlSweep !== 'never',
    });
    const stop = async () => {
      await adapter.stop();
      await stopPostgres();
    };
    return {
      kind: 'started',
      server: { uri: adapter.uri, version, ended: postgres.ended, stop },
    };
  } catch (error) {
    await stopPostgres();
    throw error;
  }
}

/** The user's cache, outside every project, so that each finds what another one fetched. */
function defaultCacheFolder(): string {
  const configured = process.env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.cache'), 'documentdb-local');
}

/** The code name of the Debian release that runs here (bookworm, trixie…); undefined elsewhere. */
async function readDebianRelease(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1];
  return field('ID') === 'debian' ? (field('VERSION_CODENAME') ?? 'sid') : undefined;
}
