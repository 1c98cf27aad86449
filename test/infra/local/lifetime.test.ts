import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../support/database-program.ts');

type News = {
  readonly uri?: string;
  readonly error?: string;
  readonly ended?: boolean;
  readonly stopped?: boolean;
};

/** The program that starts a database, and what it has said so far. */
type Program = { readonly child: ChildProcess; readonly news: News[] };

let folder: string;
let children: ChildProcess[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headroom-life-'));
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

function startProgram(): Program {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
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
  const value = await expect
    .poll(() => program.news.map((each) => each[key]).find((each) => each !== undefined), {
      timeout: 50_000,
    })
    .not.toBeUndefined()
    .then(() => program.news.map((each) => each[key]).find((each) => each !== undefined));
  if (value === undefined) throw new Error('unreachable: it was just there');
  return value;
}

async function stopProgram(program: Program): Promise<void> {
  program.child.stdin?.write('stop\n');
  await waitFor(program, 'stopped');
}

/** The processes whose command line has a text in it, the programs that the test started aside. */
function processesOn(text: string): readonly number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((row) => row.includes(text) && !row.includes(PROGRAM))
    .map((row) => Number(/^\s*(\d+)/.exec(row)?.[1]));
}

/** The server itself: the first process that works on something inside the folder. */
function serverOn(path: string): number {
  const [server] = processesOn(`${path}/`);
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
  it('has them again after it was stopped, and leaves no process in between', async () => {
    const first = startProgram();
    expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
    await stopProgram(first);
    expect(processesOn(folder)).toEqual([]);
    expect(existsSync(join(folder, 'database.lock'))).toBe(false);
    const second = startProgram();
    expect(await addOne(await waitFor(second, 'uri'))).toBe(2);
    await stopProgram(second);
  });

  it('refuses a second start on its folder in one sentence, and goes on', async () => {
    const first = startProgram();
    const uri = await waitFor(first, 'uri');
    const second = startProgram();
    expect(await waitFor(second, 'error')).toMatch(
      /^LocalDatabaseError: A local database already runs on .* \(process \d+\): stop it first, or use another folder\.$/,
    );
    expect(await addOne(uri)).toBe(1);
    await stopProgram(first);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'is stopped when whoever started it goes away by %s',
    async (signal) => {
      const first = startProgram();
      expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
      expect(processesOn(folder).length).toBeGreaterThan(0);
      first.child.kill(signal);
      await once(first.child, 'exit');
      await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([]);
      expect(existsSync(join(folder, 'database.lock'))).toBe(false);
    },
  );

  it('says that its server was killed, and recovers at the next start', async () => {
    const first = startProgram();
    expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
    process.kill(serverOn(folder), 'SIGKILL');
    await waitFor(first, 'ended');
    await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([]);
    const second = startProgram();
    expect(await addOne(await waitFor(second, 'uri'))).toBe(2);
    await stopProgram(second);
  });

  it('whose guard was killed leaves no server, and its lock is taken over', async () => {
    const first = startProgram();
    expect(await addOne(await waitFor(first, 'uri'))).toBe(1);
    const guards = processesOn(`supervisor.ts ${folder}`);
    expect(guards).toHaveLength(1);
    for (const pid of guards) process.kill(pid, 'SIGKILL');
    await expect.poll(() => processesOn(folder), { timeout: 20_000 }).toEqual([]);
    expect(existsSync(join(folder, 'database.lock'))).toBe(true);
    const second = startProgram();
    expect(await addOne(await waitFor(second, 'uri'))).toBe(2);
    await stopProgram(second);
  });
});
