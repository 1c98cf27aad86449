import { resolve } from 'node:path';
import { TTL_SWEEP_SECONDS, type Engine, type TtlSweep } from './engine.ts';
import { startSupervised } from './supervised-engine.ts';

export { LocalDatabaseError, type EngineName } from './engine.ts';

/** Which database is wanted. */
type DatabaseOptions = {
  /** Where data are, kept or not; made where it is missing. */
  readonly folder: string;
  /** Whether the data stay when the database stops. */
  readonly keepsData: boolean;
  /** Gets a line for a person at every step that takes time, and what was chosen in the end. */
  readonly report: (line: string) => void;
  /**
   * Whole seconds between two sweeps of the TTL monitor, 1 to 60, or never; 60 by default. A
   * server given by MONGODB_URI sweeps as it is set up.
   */
  readonly ttlSweepSeconds?: TtlSweep;
  /** Aborted to give up while the database is still being fetched or started; not needed after that. */
  readonly signal?: AbortSignal;
};

/** A running database. */
export type LocalDatabase = Engine & {
  /** False for a server given by MONGODB_URI: nothing was started, and `stop` leaves it running. */
  readonly isOwn: boolean;
  /**
   * The process that owns what was started, for who wants to know what it costs: the server's processes
   * are below it, and with DocumentDB the adapter is in it. Undefined for a given server.
   */
  readonly processId?: number | undefined;
};

/**
 * Gives a running database: the server at MONGODB_URI, or else one that is started: a mongod on
 * PATH or in MONGOMS_SYSTEM_BINARY, mongodb-memory-server's download, or PostgreSQL with DocumentDB.
 *
 * A database that was started ends with the process that started it, however that ends.
 *
 * @throws LocalDatabaseError in one sentence, when there is none to be had, the given one does not
 *   answer, or another database runs on the folder
 */
export async function startDatabase(options: DatabaseOptions): Promise<LocalDatabase> {
  const uri = process.env.MONGODB_URI ?? '';
  const isOwn = uri === '';
  const engine: Omit<LocalDatabase, 'isOwn'> = isOwn
    ? await startSupervised({
        folder: resolve(options.folder),
        keepsData: options.keepsData,
        ttlSweep: checkSweep(options.ttlSweepSeconds ?? TTL_SWEEP_SECONDS),
        report: options.report,
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      })
    : await useServer(uri);
  options.report(
    `Database: ${engine.engine} ${engine.version}${isOwn ? '' : ', the server at MONGODB_URI'}`,
  );
  return { ...engine, isOwn };
}

/** Loads the driver only where it is needed, so that starting an engine does not wait for it. */
async function useServer(uri: string): Promise<Engine> {
  const { useGivenServer } = await import('./given-server.ts');
  return useGivenServer(uri);
}

function checkSweep(ttlSweep: TtlSweep): TtlSweep {
  const valid =
    ttlSweep === 'never' || (Number.isInteger(ttlSweep) && ttlSweep >= 1 && ttlSweep <= 60);
  if (!valid) throw new RangeError(`ttlSweepSeconds: ${ttlSweep}, expected 1 to 60 or 'never'`);
  return ttlSweep;
}
