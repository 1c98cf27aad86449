import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../engine.ts';
import type { Attempt, EngineSettings } from '../engine.ts';
import { prepareExtension } from './extension.ts';
import { installDocumentDB, type Installation } from './install.ts';
import { connectionTo, startPostgres } from './postgres.ts';
import { startAdapter } from './adapter.ts';

/**
 * Starts PostgreSQL with the DocumentDB extension behind an adapter that speaks MongoDB's wire
 * protocol: what remains where no mongod can be had. Runs on Debian only, from Debian's packages.
 */
export async function startDocumentDB(settings: EngineSettings): Promise<Attempt> {
  const release = await readDebianRelease();
  if (release === undefined)
    return {
      kind: 'unavailable',
      reason: `DocumentDB: only on Debian, this is ${process.platform === 'linux' ? 'another Linux' : process.platform}`,
    };
  let installation: Installation;
  try {
    installation = await installDocumentDB(release, settings.report, settings.signal);
  } catch (error) {
    return {
      kind: 'unavailable',
      reason: `DocumentDB from Debian's packages: ${messageOf(error)}`,
    };
  }

  const folder = join(settings.folder, 'documentdb');
  const postgres = await startPostgres(installation, folder, settings.report);
  const stopPostgres = async () => {
    await postgres.stop();
    if (!settings.keepsData) await rm(folder, { recursive: true, force: true });
  };
  try {
    await prepareExtension(postgres.socketFolder, settings.ttlSweep);
    const adapter = await startAdapter({
      connection: connectionTo(postgres.socketFolder),
      version: installation.version,
    });
    return {
      kind: 'started',
      engine: {
        uri: adapter.uri,
        engine: 'DocumentDB',
        version: installation.version,
        ended: postgres.ended,
        async stop() {
          await adapter.stop();
          await stopPostgres();
        },
      },
    };
  } catch (error) {
    await stopPostgres();
    throw error;
  }
}

/** The code name of the Debian release that runs here (bookworm, trixie…); undefined elsewhere. */
async function readDebianRelease(): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined;
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(text)?.[1];
  return field('ID') === 'debian' ? (field('VERSION_CODENAME') ?? 'sid') : undefined;
}
