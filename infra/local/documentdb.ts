import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { startDocumentDB } from 'documentdb-local';
import type { Attempt, EngineSettings } from './engine.ts';

/**
 * Starts PostgreSQL with the DocumentDB extension: what remains where no mongod can be had. On Debian
 * only.
 *
 * @throws DocumentDBError when PostgreSQL does not come up on the data
 */
export async function startDocumentDBEngine(settings: EngineSettings): Promise<Attempt> {
  const { folder, keepsData, ttlSweep, report, signal } = settings;
  const outcome = await startDocumentDB({
    folder,
    keepsData,
    ttlSweepSeconds: ttlSweep,
    cacheFolder: cacheFolder(),
    report,
    signal,
  });
  if (outcome.kind === 'unavailable') return outcome;
  return { kind: 'started', engine: { ...outcome.server, engine: 'DocumentDB' } };
}

/** The user's cache, outside every clone, so that a fresh clone finds what another one fetched. */
function cacheFolder(): string {
  const configured = process.env.XDG_CACHE_HOME ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.cache'), 'headroom');
}
