import { LocalDatabaseError, type Attempt, type Engine, type EngineSettings } from './engine.ts';
import { startDownloadedMongod, startInstalledMongod } from './mongod.ts';

/**
 * Starts the first engine that can be had: an installed mongod, a downloaded one, DocumentDB.
 *
 * @throws LocalDatabaseError that lists what was tried and says what to do
 */
export async function startEngine(settings: EngineSettings): Promise<Engine> {
  const reasons: string[] = [];
  for (const attempt of [startInstalledMongod, startDownloadedMongod, startDocumentDBEngine]) {
    settings.signal.throwIfAborted();
    const outcome = await attempt(settings);
    if (outcome.kind === 'started') return outcome.engine;
    settings.report(`Cannot use ${outcome.reason}`);
    reasons.push(outcome.reason);
  }
  throw new LocalDatabaseError(
    `No database can be started here (${reasons.join('; ')}). Set MONGODB_URI to the address of a replica set. Or put a mongod on PATH, or its path into MONGOMS_SYSTEM_BINARY. Or let mongodb-memory-server download one (MONGOMS_DOWNLOAD_MIRROR names another place).`,
  );
}

/** Loads it only where there is no mongod: it takes a while. */
async function startDocumentDBEngine(settings: EngineSettings): Promise<Attempt> {
  const documentdb = await import('./documentdb.ts');
  return documentdb.startDocumentDBEngine(settings);
}
