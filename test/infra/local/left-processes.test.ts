import { MongoClient } from 'mongodb';
import { expect, it, onTestFinished } from 'vitest';
import { startDocumentDBEngine } from '../../../infra/local/documentdb.ts';
import type { Engine } from '../../../infra/local/engine.ts';
import { isAlive } from '../../../cli/process-identity.ts';
import { useFolder } from '../../support/folder.ts';
import { descendantsOf } from '../../support/processes.ts';
import { OWN_WRITES } from '../../../lib/mongo/client.ts';

const folder = useFolder();

async function start(report: (line: string) => void = () => undefined): Promise<Engine> {
  const { signal } = new AbortController();
  const settings = {
    folder: folder.path(''),
    keepsData: true,
    ttlSweep: 'never',
    report,
    signal,
  } as const;
  const attempt = await startDocumentDBEngine(settings);
  if (attempt.kind === 'unavailable') throw new Error(attempt.reason);
  return attempt.engine;
}

async function withThings<T>(
  { uri }: Engine,
  step: (things: ReturnType<typeof thingsOf>) => Promise<T>,
): Promise<T> {
  const client = await new MongoClient(uri, OWN_WRITES).connect();
  try {
    return await step(thingsOf(client));
  } finally {
    await client.close();
  }
}

const thingsOf = (client: MongoClient) => client.db('left').collection<{ _id: string }>('things');

it('a PostgreSQL that was killed is started again once the last of its processes is gone', async () => {
  const killed = await start();
  await withThings(killed, (things) => things.insertOne({ _id: 'acknowledged' }));
  const lock = folder.read('documentdb/data/postmaster.pid');
  const postmaster = Number(lock.split('\n')[0]);
  const [busy] = await descendantsOf(postmaster);
  if (busy === undefined) throw new Error(`process ${postmaster} has no process of its own`);
  // All others see at once that their server is gone.
  process.kill(busy.pid, 'SIGSTOP');
  onTestFinished(() => {
    if (isAlive(busy.pid)) process.kill(busy.pid, 'SIGKILL');
  });
  process.kill(postmaster, 'SIGKILL');
  await killed.ended;
  await killed.stop();

  const reported: string[] = [];
  const again = await start((line) => {
    reported.push(line);
    process.kill(busy.pid, 'SIGCONT');
  });
  try {
    expect(reported).toEqual([
      'Waiting for the processes of a PostgreSQL that was killed on these data.',
    ]);
    expect(await withThings(again, (things) => things.find().toArray())).toEqual([
      { _id: 'acknowledged' },
    ]);
  } finally {
    await again.stop();
  }
});
