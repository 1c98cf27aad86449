import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { DRIVER_WAITS_MS, timed } from '../../support/elapsed.ts';
import { startDatabase, type LocalDatabase } from '../../../infra/local/database.ts';

let folder: string;
let lines: string[];
const opened: Server[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headroom-choice-'));
  lines = [];
  for (const name of ['MONGODB_URI', 'MONGOMS_SYSTEM_BINARY']) vi.stubEnv(name, undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const server of opened.splice(0)) server.close();
  await rm(folder, { recursive: true, force: true });
});

function start(keepsData = false): Promise<LocalDatabase> {
  return startDatabase({
    folder,
    keepsData,
    report: (line) => lines.push(line),
    ttlSweepSeconds: 5,
  });
}

/** A program that is called like mongod and behaves like one, as far as it goes. */
async function installFakeMongod(name: string): Promise<string> {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const program = join(import.meta.dirname, '../../support/fake-mongod.ts');
  const script = join(folder, 'programs', name);
  await mkdir(join(folder, 'programs'));
  await writeFile(
    script,
    `#!/bin/sh\nexec '${process.execPath}' --import '${loader}' '${program}' "$@"\n`,
  );
  await chmod(script, 0o755);
  return script;
}

/** How long a program does nothing that is started in the place of a database. */
const SLEEP_SECONDS = 60;

describe('MONGODB_URI', () => {
  it('is used where it answers, and left running', async () => {
    const uri = inject('mongodbUri');
    vi.stubEnv('MONGODB_URI', uri);
    const database = await start();
    expect(database).toMatchObject({ uri, engine: inject('mongodbEngine'), isOwn: false });
    expect(lines.at(-1)).toMatch(/^Database: .*, the server at MONGODB_URI$/);
    await database.stop();
    const again = await start();
    expect(again.uri).toBe(uri);
  });

  it('that does not answer is told within seconds, in one sentence', async () => {
    vi.stubEnv('MONGODB_URI', 'mongodb://127.0.0.1:1/?replicaSet=rs0');
    const { ms } = await timed(() =>
      expect(start()).rejects.toThrow(
        /^The server at MONGODB_URI does not answer \(.*ECONNREFUSED.*\)\. Start it, or unset/,
      ),
    );
    expect(ms).toBeLessThan(DRIVER_WAITS_MS);
  });

  it('that is no address is told', async () => {
    vi.stubEnv('MONGODB_URI', 'localhost');
    await expect(start()).rejects.toThrow(/^The server at MONGODB_URI does not answer \(/);
  });
});

describe('a mongod', () => {
  it('named by MONGOMS_SYSTEM_BINARY is started as a set of one, with its TTL monitor set; and again, on the same port or another', async () => {
    vi.stubEnv('MONGOMS_SYSTEM_BINARY', await installFakeMongod('named'));
    const first = await start(true);
    expect(first).toMatchObject({ engine: 'MongoDB', version: '8.2.6', isOwn: true });
    const commandLine = await readFile(join(folder, 'mongod/command-line.json'), 'utf8');
    expect(JSON.parse(commandLine)).toEqual(
      expect.arrayContaining(['--replSet', 'rs0', '--setParameter', 'ttlMonitorSleepSecs=5']),
    );
    await first.stop();
    const second = await start(true);
    expect(second.uri).toBe(first.uri);
    await second.stop();
    const [, port] = /:(\d+)\//.exec(first.uri) ?? [];
    const occupier = createServer().listen(Number(port), '127.0.0.1');
    opened.push(occupier);
    await once(occupier, 'listening');
    const third = await start(true);
    expect(third.uri).not.toBe(first.uri);
    await third.stop();
  });

  it('on PATH is found', async () => {
    await installFakeMongod('mongod');
    vi.stubEnv('PATH', `${join(folder, 'programs')}:${process.env.PATH ?? ''}`);
    const database = await start();
    expect(database.engine).toBe('MongoDB');
    expect(lines).toContain(`Starting mongod (${join(folder, 'programs/mongod')}, on PATH)…`);
    await database.stop();
  });

  it('that is named and not there is told', async () => {
    vi.stubEnv('MONGOMS_SYSTEM_BINARY', join(folder, 'nothing'));
    await expect(start()).rejects.toThrow(/^MONGOMS_SYSTEM_BINARY names .*, which is no program$/);
  });

  it('that takes too long can be given up', async () => {
    const script = join(folder, 'silent');
    await writeFile(script, `#!/bin/sh\nexec sleep ${SLEEP_SECONDS}\n`);
    await chmod(script, 0o755);
    vi.stubEnv('MONGOMS_SYSTEM_BINARY', script);
    const signal = AbortSignal.timeout(1500);
    const starting = startDatabase({ folder, keepsData: true, signal, report: () => undefined });
    const { ms } = await timed(() =>
      expect(starting).rejects.toThrow('The start of the local database was stopped.'),
    );
    expect(ms).toBeLessThan(SLEEP_SECONDS * 1_000);
  });

  it('that is named and does not start is told', async () => {
    const script = join(folder, 'broken');
    await writeFile(script, '#!/bin/sh\nexit 1\n');
    await chmod(script, 0o755);
    vi.stubEnv('MONGOMS_SYSTEM_BINARY', script);
    await expect(start()).rejects.toThrow(/closed|Exited/i);
  });
});
