import type { Db, Document } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { describe, expect, inject, it, vi } from 'vitest';
import { shardDatabase } from '../../../cli/shard/shard.ts';
import { environmentOf, useDatabase } from '../../support/database.ts';
import { runCommand } from '../../support/run-command.ts';

const database = useDatabase();

const runShard = () => runCommand('shard', [], environmentOf(database));

if (inject('isSharded'))
  it('headroom shard spreads the collections of a cluster, and finds that done the next time', async () => {
    await database.db.dropDatabase(); // tests find everything spread
    expect(await runShard()).toMatchObject({ code: 0, err: '' });
    const again = await runShard();
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out).toMatch(
      /^Everything is spread: counters, audit, refunds, chains, signatures, near\.$/m,
    );
  });
else
  it('headroom shard refuses a server that is no cluster, and changes nothing', async () => {
    const { code, out, err } = await runShard();
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^MONGODB_URI leads to a member of replica set \w+, which is no router .*\.\n$/,
    );
    expect(await database.db.listCollections().toArray()).toEqual([]);
  });

/**
 * Stands in for a router: it answers as the manual says that one does, and remembers its commands.
 * Nothing here proves that a cluster does the same.
 */
function router(refuses: (command: Document) => boolean = () => false) {
  const told: Document[] = [];
  const answers: Readonly<Record<string, Document>> = {
    hello: { msg: 'isdbgrid' },
    buildInfo: { version: '8.0.4' },
    listShards: { shards: [{ _id: 'shard1' }, { _id: 'shard2' }] },
    connectionStatus: { authInfo: { authenticatedUsers: [], authenticatedUserPrivileges: [] } },
  };
  const command = (asked: Document): Promise<Document> => {
    const [name = ''] = Object.keys(asked);
    if (refuses(asked))
      return Promise.reject(new MongoServerError({ message: 'not authorized', code: 13 }));
    if (answers[name] === undefined) told.push(asked);
    return Promise.resolve(answers[name] ?? { ok: 1 });
  };
  const named = {
    command,
    databaseName: 'headroom',
    createCollection: (create: string) => Promise.resolve(told.push({ create })),
    collection: () => ({
      createIndex: (keys: Document) => Promise.resolve(told.push(keys)),
      find: () => ({ toArray: () => Promise.resolve([]) }),
    }),
  };
  // As much of the driver as the command uses.
  return { told, db: { ...named, client: { db: () => named } } as unknown as Db };
}

async function printedBy(work: () => Promise<number>) {
  let out = '';
  const spy = vi.spyOn(console, 'log').mockImplementation((line) => (out += `${String(line)}\n`));
  try {
    return { code: await work(), out };
  } finally {
    spy.mockRestore();
  }
}

describe('before a stand-in for a router', () => {
  it('makes the indexes, then spreads each collection', async () => {
    const { db, told } = router();
    const { code, out } = await printedBy(() => shardDatabase(db, { print: false, json: false }));
    expect(code).toBe(0);
    expect(told.slice(0, 2)).toEqual([{ create: 'rules' }, { create: 'apps' }]);
    expect(told.slice(2, 10)).not.toContainEqual(
      expect.objectContaining({ shardCollection: expect.anything() as unknown }),
    );
    expect(
      told.flatMap(({ shardCollection }) => (shardCollection as string | undefined) ?? []),
    ).toEqual([
      'headroom.counters',
      'headroom.audit',
      'headroom.refunds',
      'headroom.chains',
      'headroom.signatures',
      'headroom.near',
    ]);
    expect(out.match(/^done: /gm)?.length).toBe(12);
  });

  it('tells nobody anything with --print', async () => {
    const { db, told } = router();
    const { code, out } = await printedBy(() => shardDatabase(db, { print: true, json: false }));
    expect({ code, told }).toEqual({ code: 0, told: [] });
    expect(out.match(/runCommand\(/g)?.length).toBe(12);
  });

  it('prints what is left from where the server refuses on, and ends with 2', async () => {
    const { db, told } = router(({ shardCollection }) => shardCollection === 'headroom.audit');
    const { code, out } = await printedBy(() => shardDatabase(db, { print: false, json: false }));
    expect(code).toBe(2);
    expect(told).toContainEqual({ shardCollection: 'headroom.counters', key: { _id: 'hashed' } });
    expect(out).toMatch(/^The server does not allow this user: not authorized\./m);
    expect(
      out.match(/runCommand\(.*shardCollection":"[^"]+/g)?.map((line) => line.split('"').at(-1)),
    ).toEqual([
      ...['headroom.audit', 'headroom.refunds', 'headroom.chains', 'headroom.signatures'],
      'headroom.near',
    ]);
  });
});
