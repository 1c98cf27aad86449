import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { describe, expect, it, vi, type TestContext } from 'vitest';
import { someOf } from '../../support/extent.ts';
import { processesWith } from '../../support/processes.ts';

const PROGRAM = join(import.meta.dirname, '../../support/database-program.ts');

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

/** A folder of its own, which is gone with all that was started on it when the test is through. */
async function useFolder({ onTestFinished }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'headroom-life-'));
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await isDeserted(folder);
    await rm(folder, { recursive: true, force: true });
  });
  return {
    folder,
    start: (): Program => {
      const program = startProgram(folder);
      children.push(program.child);
      return program;
    },
  };
}

function startProgram(folder: string): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const news: News[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The program prints nothing but its own news.
    news.push(JSON.parse(line) as News);
  });
  return { child, news };
}

async function waitFor<Key extends keyof News>(
  program: Program,
  key: Key,
): Promise<NonNullable<News[Key]>> {
  const said = () => program.news.map((each) => each[key]).find((each) => each !== undefined);
  return vi.waitUntil(said, { timeout: PATIENCE_MS });
}

/** Nothing runs any more on a folder. */
async function isDeserted(folder: string): Promise<void> {
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
  return found.filter(({ line }) => !line.includes(PROGRAM)).map(({ pid }) => pid);
}

/** The server itself: the first process that works on something inside the folder. */
async function serverOn(path: string): Promise<number> {
  const [server] = await processesOn(`${path}/`);
  if (server === undefined) throw new Error(`no server runs on ${path}`);
  return server;
}

async function addOne(uri: string): Promise<number | undefined> {
  const client = new MongoClient(uri);
  try {
    const all = client.db('test-life').collection<{ _id: string; n: number }>('counters');
    const options = { upsert: true, returnDocument: 'after' } as const;
    return (await all.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, options))?.n;
  } finally {
    await client.close();
  }
}

describe('a database that keeps its data', () => {
  it.concurrent('has them again after it was stopped, and leaves no process in between', async (context) => {
    const { folder, start } = await useFolder(context);
    const first = start();
    expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
    await stopProgram(first);
    expect(await processesOn(folder)).toEqual([]);
    expect(existsSync(join(folder, 'database.lock'))).toBe(false);
    const second = start();
    expect(await addOne(await waitFor(second, 'uri'))).toBe(2);
    await stopProgram(second);
  });

  it.concurrent('refuses a second start on its folder in one sentence, and goes on', async (context) => {
    const { start } = await useFolder(context);
    const first = start();
    const uri = await waitFor(first, 'uri');
    const second = start();
    expect(await waitFor(second, 'error')).toMatch(
      /^LocalDatabaseError: A local database already runs on .* \(process \d+\): stop it first, or use another folder\.$/,
    );
    expect(await addOne(uri)).toBe(1);
    await stopProgram(first);
  });

  it.concurrent.for(someOf('lostStarters', ['SIGKILL', 'SIGTERM', 'SIGINT'] as const))(
    'is stopped when whoever started it goes away by %s',
    async (signal, context) => {
      const { folder, start } = await useFolder(context);
      const first = start();
      expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
      expect((await processesOn(folder)).length).toBeGreaterThan(0);
      first.child.kill(signal);
      await once(first.child, 'exit');
      await isDeserted(folder);
      expect(existsSync(join(folder, 'database.lock'))).toBe(false);
    },
  );

  it.concurrent('says that its server was killed, and recovers at the next start', async (context) => {
    const { folder, start } = await useFolder(context);
    const first = start();
    expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
    process.kill(await serverOn(folder), 'SIGKILL');
    await waitFor(first, 'ended');
    await isDeserted(folder);
    const second = start();
    expect(await addOne(await waitFor(second, 'uri'))).toBe(2);
    await stopProgram(second);
  });

  it.concurrent('whose guard was killed leaves no server, and its lock is taken over', async (context) => {
    const { folder, start } = await useFolder(context);
    const first = start();
    expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
    const guards = await processesOn(`supervisor.ts ${folder}`);
    expect(guards).toHaveLength(1);
    for (const pid of guards) process.kill(pid, 'SIGKILL');
    await isDeserted(folder);
    expect(existsSync(join(folder, 'database.lock'))).toBe(true);
    const second = start();
    expect(await addOne(await waitFor(second, 'uri'))).toBe(2);
    await stopProgram(second);
  });
});
