import { access, constants, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { DryMongoBinary } from 'mongodb-memory-server-core/lib/util/DryMongoBinary.js';
import {
  LocalDatabaseError,
  messageOf,
  type Attempt,
  type Engine,
  type EngineSettings,
} from './engine.ts';
import { probeDownload } from './mongod-download.ts';

/**
 * Starts the mongod that MONGOMS_SYSTEM_BINARY names, or one on PATH.
 *
 * @throws LocalDatabaseError when the named one is not there or does not start
 */
export async function startInstalledMongod(settings: EngineSettings): Promise<Attempt> {
  const named = process.env.MONGOMS_SYSTEM_BINARY;
  if (named !== undefined && named !== '') {
    if (!(await isExecutable(named)))
      throw new LocalDatabaseError(`MONGOMS_SYSTEM_BINARY names ${named}, which is no program`);
    settings.report(`Starting mongod (${named}, from MONGOMS_SYSTEM_BINARY)…`);
    return { kind: 'started', engine: await startMongod(settings, named) };
  }
  const binary = await findOnPath();
  if (binary === undefined) return { kind: 'unavailable', reason: 'mongod: not on PATH' };
  settings.report(`Starting mongod (${binary}, on PATH)…`);
  try {
    return { kind: 'started', engine: await startMongod(settings, binary) };
  } catch (error) {
    return { kind: 'unavailable', reason: `mongod at ${binary}: ${messageOf(error)}` };
  }
}

/**
 * Starts the mongod that mongodb-memory-server downloads, or has downloaded before. Whether the
 * download can be reached is asked first, within seconds.
 */
export async function startDownloadedMongod(settings: EngineSettings): Promise<Attempt> {
  try {
    const options = await DryMongoBinary.generateOptions();
    const present = await DryMongoBinary.locateBinary(options);
    if (present === undefined) {
      const refusal = await probeDownload(options);
      if (refusal !== undefined)
        return { kind: 'unavailable', reason: `download of mongod: ${refusal}` };
      settings.report(`Downloading mongod ${options.version}, once…`);
    } else {
      settings.report(`Starting mongod (${present}, downloaded before)…`);
    }
    return { kind: 'started', engine: await startMongod(settings, undefined) };
  } catch (error) {
    return { kind: 'unavailable', reason: `download of mongod: ${messageOf(error)}` };
  }
}

/** Loads the driver and the library only where there is a mongod to start: they take a while. */
async function startMongod(settings: EngineSettings, binary: string | undefined): Promise<Engine> {
  const server = await import('./mongod-server.ts');
  return server.startMongod(settings, binary);
}

async function findOnPath(): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'mongod.exe' : 'mongod';
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder !== '' && (await isExecutable(path))) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
