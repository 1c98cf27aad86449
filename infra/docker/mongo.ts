import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { MongoClient, type Document } from 'mongodb';
import { RSEQ_OF_GLIBC } from '../local/mongod-environment.ts';
import { OWN_WRITES } from '../../lib/mongo/client.ts';

const USAGE = `npm run mongo -- VERSION [--members 3] [--shards]
npm run mongo -- stop

Starts MongoDB's official image of that version (5.0, 8.0, …) for tests. It is a replica set of one,
or of --members. With --shards it is a cluster of two shards. Prints MONGODB_URI for npm test, and
sets it for the next steps of a workflow. Needs Docker on Linux. The servers listen on 127.0.0.1,
ports 27017 to 27020, and store nothing.`;

/** The common name of all the containers. */
const LABEL = 'headroom-mongo';

/** Ports on 127.0.0.1. */
const PORT = 27_017;
const SHARDS = { shard1: 27_018, shard2: 27_019 } as const;
const CONFIGURATION_PORT = 27_020;

/** Docker has the image by then; a server answers within seconds, and elects itself within ten. */
const PATIENCE_MS = 60_000;

/** A repeated replSetInitiate whose answer was lost. Source: MongoDB, error_codes.yml. */
const ALREADY_INITIALIZED = 23;

/** @throws Error with what Docker said, where it did not do it */
function docker(...parameters: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync('docker', parameters, { encoding: 'utf8' });
  if (error !== undefined)
    throw new Error(
      `Docker cannot be started (${error.message}): install it, or start a server yourself and set MONGODB_URI`,
    );
  if (status !== 0) throw new Error(`docker ${parameters.join(' ')} failed: ${stderr.trim()}`);
  return stdout;
}

function startServer(version: string, program: string, port: number, options: readonly string[]) {
  docker(
    ...['run', '--detach', '--rm', '--network', 'host', '--label', LABEL],
    ...Object.entries(RSEQ_OF_GLIBC).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...['--name', `${LABEL}-${port}`, `mongo:${version}`],
    ...[program, '--port', String(port), '--bind_ip', '127.0.0.1', ...options],
  );
}

/** Asks one server, whatever others it belongs with, until it does what is asked. */
async function ask(port: number, command: Document): Promise<Document> {
  const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const client = new MongoClient(uri, { ...OWN_WRITES, serverSelectionTimeoutMS: 1_000 });
    try {
      return await client.db('admin').command(command);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === ALREADY_INITIALIZED)
        return {};
      if (performance.now() > deadline) throw error;
      await sleep(250);
    } finally {
      await client.close();
    }
  }
}

/**
 * Starts a replica set on one port or several in a row, and waits until one takes writes. All have the
 * same priority, so that no member takes over again some time after a step-down.
 */
async function startSet(
  version: string,
  set: string,
  port: number,
  roles: readonly string[],
  count = 1,
) {
  const ports = Array.from({ length: count }, (_, index) => port + index);
  for (const each of ports) startServer(version, 'mongod', each, ['--replSet', set, ...roles]);
  const isConfiguration = roles.includes('--configsvr');
  for (const each of ports) await ask(each, { ping: 1 }); // all answer before they are asked to join
  const members = ports.map((each, _id) => ({ _id, host: `127.0.0.1:${each}` }));
  await ask(port, {
    replSetInitiate: { _id: set, ...(isConfiguration ? { configsvr: true } : {}), members },
  });
  const deadline = performance.now() + PATIENCE_MS;
  while ((await ask(port, { hello: 1 })).primary === undefined) {
    if (performance.now() > deadline) throw new Error(`${set} elects no primary`);
    await sleep(250);
  }
}

/** @returns the address of a replica set of so many members */
async function startMembers(version: string, count: number): Promise<string> {
  await startSet(version, 'rs0', PORT, [], count);
  const hosts = Array.from({ length: count }, (_, index) => `127.0.0.1:${PORT + index}`);
  return `mongodb://${hosts.join()}/?replicaSet=rs0`;
}

/** @returns the address of the router of two shards */
async function startShards(version: string): Promise<string> {
  await startSet(version, 'config', CONFIGURATION_PORT, ['--configsvr']);
  for (const [set, port] of Object.entries(SHARDS))
    await startSet(version, set, port, ['--shardsvr']);
  startServer(version, 'mongos', PORT, ['--configdb', `config/127.0.0.1:${CONFIGURATION_PORT}`]);
  for (const [set, port] of Object.entries(SHARDS))
    await ask(PORT, { addShard: `${set}/127.0.0.1:${port}` });
  return `mongodb://127.0.0.1:${PORT}/`;
}

function stop(): void {
  const running = docker('ps', '--quiet', '--filter', `label=${LABEL}`).split('\n').filter(Boolean);
  if (running.length > 0) docker('stop', ...running);
  console.log(running.length === 0 ? 'No server of it was running.' : 'Stopped.');
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      shards: { type: 'boolean' },
      members: { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (!/^[1357]$/.test(values.members))
    throw new Error(`--members is "${values.members}", expected 1, 3, 5 or 7.`);
  const [what = '', ...surplus] = positionals;
  if (values.help === true) console.log(USAGE);
  else if (what === 'stop' && surplus.length === 0) stop();
  else if (/^\d+\.\d+(\.\d+)?$/.test(what) && surplus.length === 0) {
    const uri = await (values.shards === true
      ? startShards(what)
      : startMembers(what, Number(values.members)));
    console.log(`MONGODB_URI='${uri}' npm test`);
    const { GITHUB_ENV } = process.env;
    if (GITHUB_ENV !== undefined) appendFileSync(GITHUB_ENV, `MONGODB_URI=${uri}\n`);
  } else {
    const given = positionals.join(' ');
    throw new Error(`${JSON.stringify(given)} is no version of MongoDB, such as 8.0\n\n${USAGE}`);
  }
}

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
