import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import type { IndexesHandler } from '../../lib/http/indexes-handler.ts';
import { INDEXES, PLAIN_COLLECTIONS } from '../../lib/mongo/indexes.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
afterEach(() => {
  vi.unstubAllEnvs();
});

async function start(uri: string): Promise<IndexesHandler> {
  vi.resetModules();
  vi.stubEnv('MONGODB_URI', uri);
  vi.stubEnv('MONGODB_DATABASE', database.db.databaseName);
  return (await import('../../functions/indexes.ts')).handler;
}

describe('the function indexes', () => {
  it('makes every collection and index, and again takes nothing away', async () => {
    const handler = await start(inject('mongodbUri'));
    for (const time of ['first', 'second']) {
      expect({ time, answer: await handler({}) }).toEqual({ time, answer: { made: true } });
      const there = await database.db.listCollections({}, { nameOnly: true }).toArray();
      expect(there.map(({ name }) => name)).toEqual(expect.arrayContaining([...PLAIN_COLLECTIONS]));
      for (const { collection, options } of INDEXES) {
        const names = (await database.db.collection(collection).indexes()).map(({ name }) => name);
        expect(names).toContain(options.name);
      }
    }
  });

  it('refuses to start with wrong settings', async () => {
    await expect(start('root:secret@db')).rejects.toThrow('MONGODB_URI is a text of 14 characters');
  });
});
