import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { release } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient, type Db } from 'mongodb';
import { MongoMemoryServer } from 'mongodb-memory-server';
import { MongoInstanceEvents } from 'mongodb-memory-server-core/lib/util/MongoInstance.js';
import {
  LocalDatabaseError,
  messageOf,
  TTL_SWEEP_SECONDS,
  type Engine,
  type EngineSettings,
  type TtlSweep,
} from './engine.ts';
import { mongodEnvironment } from './mongod-environment.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

const REPLICA_SET = 'rs0';

/** A large data folder that was not closed properly takes its time to recover. */
const START_SECONDS_MAX = 60;

/** A set with one member elects it within a second or two. */
const ELECTION_SECONDS_MAX = 30;

/**
 * Starts a mongod as a replica set of one.
 *
 * @param binary its path; undefined for the one that mongodb-memory-server downloads
 * @throws what the library or the driver throws when it does not come up
 */
export async function startMongod(
  settings: EngineSettings,
  binary: string | undefined,
): Promise<Engine> {
  const dbPath = join(settings.folder, 'mongod');
  await mkdir(dbPath, { recursive: true });
  if (binary !== undefined) process.env.MONGOMS_SYSTEM_BINARY = binary;
  // Any version will do; the warning about another one than the library's own would only confuse.
  process.env.MONGOMS_SYSTEM_BINARY_VERSION_CHECK ??= 'false';
  // Left to itself the library does not check whose certificate it downloads from.
  process.env.npm_config_strict_ssl ??= 'true';
  const portFile = join(settings.folder, 'mongod.port');
  const server = await MongoMemoryServer.create({
    instance: {
      ip: '127.0.0.1',
      ...(await readPort(portFile)),
      dbPath,
      storageEngine: 'wiredTiger',
      replSet: REPLICA_SET,
      launchTimeout: START_SECONDS_MAX * 1000,
      args: ttlParameters(settings.ttlSweep),
    },
    // In a group of its own, so that Ctrl-C in a terminal does not end it before its clients.
    spawn: {
      detached: true,
      env: { ...process.env, ...mongodEnvironment(process.platform, release()) },
    },
  });
  const ended = new Promise<void>((resolve) => {
    server.instanceInfo?.instance.once(MongoInstanceEvents.instanceClosed, () => {
      resolve();
    });
  });
  const stop = async () => {
    await server.stop({ doCleanup: false });
    if (settings.keepsData) return;
    await rm(dbPath, { recursive: true, force: true });
    await rm(portFile, { force: true });
  };
  try {
    const port = server.instanceInfo?.port ?? 0;
    const address = `127.0.0.1:${port}`;
    const version = await becomePrimary(address);
    await writeFile(portFile, String(port));
    return {
      uri: `mongodb://${address}/?replicaSet=${REPLICA_SET}`,
      engine: 'MongoDB',
      version,
      ended,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Source: MongoDB manual, "mongod Parameters": ttlMonitorEnabled, ttlMonitorSleepSecs. */
function ttlParameters(ttlSweep: TtlSweep): string[] {
  if (ttlSweep === 'never') return ['--setParameter', 'ttlMonitorEnabled=false'];
  if (ttlSweep === TTL_SWEEP_SECONDS) return [];
  return ['--setParameter', `ttlMonitorSleepSecs=${ttlSweep}`];
}

/** The port of the last time: kept data know it as their set's address. Taken if it is free. */
async function readPort(file: string): Promise<{ readonly port?: number }> {
  const port = Number(await readFile(file, 'utf8').catch(() => ''));
  return Number.isInteger(port) && port > 0 ? { port } : {};
}

/** Makes the server the primary, and only member, of its replica set, and gives its version. */
async function becomePrimary(address: string): Promise<string> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`, OWN_WRITES);
  try {
    const admin = client.db('admin');
    await configureSet(admin, address);
    const deadline = Date.now() + ELECTION_SECONDS_MAX * 1000;
    while ((await admin.command({ hello: 1 })).isWritablePrimary !== true) {
      if (Date.now() > deadline)
        throw new LocalDatabaseError(`mongod was not elected within ${ELECTION_SECONDS_MAX} s`);
      await sleep(50);
    }
    return String((await admin.command({ buildInfo: 1 })).version);
  } finally {
    await client.close();
  }
}

/** A set's description, as replSetGetConfig answers it. */
type SetConfiguration = { readonly version: number; readonly members: readonly { host: string }[] };

async function configureSet(admin: Db, address: string): Promise<void> {
  const members = [{ _id: 0, host: address }];
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members } });
  } catch (error) {
    if (!/already initialized/i.test(messageOf(error))) throw error;
    const { config } = await admin.command({ replSetGetConfig: 1 });
    // The shape is MongoDB's; see SetConfiguration.
    const known = config as SetConfiguration;
    if (known.members.length === 1 && known.members[0]?.host === address) return;
    const configuration = { ...known, version: known.version + 1, members };
    await admin.command({ replSetReconfig: configuration, force: true });
  }
}
