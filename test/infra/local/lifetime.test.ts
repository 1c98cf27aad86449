import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { someOf } from '../../support/extent.ts';
import { useFolder } from '../../support/folder.ts';
import { processesWith } from '../../support/processes.ts';
import { startDatabaseProgram } from '../../support/test-programs.ts';
import { OWN_WRITES } from '../../../lib/mongo/client.ts';

/** Longer than a busy machine takes to start a database or to end its processes. */
const PATIENCE_MS = 120_000;

type News = {
  readonly uri?: string;
  readonly error?: string;
  readonly ended?: boolean;
  readonly stopped?: boolean;
};

/** The program that starts a database, and what it has said so far. */
type Program = { readonly child: ChildProcess; readonly news: News[] };

/** One folder for all: what one test does to its database, the next must not notice. */
const own = useFolder();
let folder: string;
const programs: Program[] = [];
let added = 0;

beforeAll(() => {
  folder = own.path('');
});

afterAll(async () => {
  for (const { child } of programs) child.kill('SIGKILL');
  await isDeserted();
});

function start(): Program {
  const child = startDatabaseProgram(inject('testPrograms'), folder);
  const news: News[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The program prints nothing but its own news.
    news.push(JSON.parse(line) as News);
  });
  const program = { child, news };
  programs.push(program);
  return program;
}

async function waitFor<Key extends keyof News>(
  program: Program,
  key: Key,
): Promise<NonNullable<News[Key]>> {
  const said = () => program.news.map((each) => each[key]).find((each) => each !== undefined);
  return vi.waitUntil(said, { timeout: PATIENCE_MS });
}

async function isDeserted(): Promise<void> {
  const looked = async () => {
    expect(await processesOn(folder)).toEqual([]);
  };
  await vi.waitFor(looked, { timeout: PATIENCE_MS, interval: 200 });
}

async function stopProgram(program: Program): Promise<void> {
  program.child.stdin?.write('stop\n');
  await waitFor(program, 'stopped');
}

/** The processes whose command line has a text in it, the programs that the test started aside. */
async function processesOn(text: string): Promise<readonly number[]> {
  const found = await processesWith(text);
  return found.filter(({ line }) => !line.includes(inject('testPrograms'))).map(({ pid }) => pid);
}

/** The server itself: the first process that works on something inside the folder. */
async function serverOn(path: string): Promise<number> {
  const [server] = await processesOn(`${path}/`);
  if (server === undefined) throw new Error(`no server runs on ${path}`);
  return server;
}

async function addOne(program: Program): Promise<void> {
  const client = new MongoClient(await waitFor(program, 'uri'), OWN_WRITES);
  try {
    const all = client.db('test-life').collection<{ _id: string; n: number }>('counters');
    const options = { upsert: true, returnDocument: 'after' } as const;
    const stored = await all.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, options);
    added += 1;
    expect(stored?.n).toBe(added);
  } finally {
    await client.close();
  }
}

describe('a database that keeps its data, started on one folder again and again', () => {
  it('refuses a second start on its folder in one sentence, and goes on', async () => {
    const first = start();
    await addOne(first);
    const second = start();
    expect(await waitFor(second, 'error')).toMatch(
      /^LocalDatabaseError: A local database already runs on .* \(process \d+\): stop it first, or use another folder\.$/,
    );
    await addOne(first);
    await stopProgram(first);
  });

  it.each(someOf('lostStarters', ['SIGKILL', 'SIGTERM', 'SIGINT'] as const))(
    'is stopped when its parent goes away by %s',
    async (signal) => {
      const program = start();
      await addOne(program);
      expect((await processesOn(folder)).length).toBeGreaterThan(0);
      program.child.kill(signal);
      await once(program.child, 'exit');
      await isDeserted();
      expect(existsSync(join(folder, 'database.lock'))).toBe(false);
    },
  );

  it('says that its server was killed', async () => {
    const program = start();
    await addOne(program);
    process.kill(await serverOn(folder), 'SIGKILL');
    await waitFor(program, 'ended');
    await isDeserted();
  });

  it('recovers from that; and whose guard was killed leaves no server', async () => {
    const program = start();
    await addOne(program);
    const guards = await processesOn(`supervisor.mjs ${folder}`);
    expect(guards).toHaveLength(1);
    for (const pid of guards) process.kill(pid, 'SIGKILL');
    await isDeserted();
    expect(existsSync(join(folder, 'database.lock'))).toBe(true);
  });

  it('takes over the lock of that guard, and leaves no process where it is stopped', async () => {
    const program = start();
    await addOne(program);
    await stopProgram(program);
    expect(await processesOn(folder)).toEqual([]);
    expect(existsSync(join(folder, 'database.lock'))).toBe(false);
  });
});
