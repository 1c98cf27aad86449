import { afterEach, describe, expect, it, vi } from 'vitest';
import type { createIndexesHandler } from '../../lib/edge/indexes-handler.ts';
import { INDEXES, PLAIN_COLLECTIONS } from '../../lib/health/mongo-indexes.ts';
import { useDatabase } from '../support/database.ts';
import { startFunction, variablesOf } from '../support/started-function.ts';

const database = useDatabase();
afterEach(() => {
  vi.unstubAllEnvs();
});

const start = async (set: object = {}) =>
  // CloudFormation calls it.
  (await startFunction('indexes', {
    ...variablesOf(database),
    ...set,
  })) as unknown as ReturnType<typeof createIndexesHandler>;

describe('the function indexes', () => {
  it('makes every collection and index, and again takes nothing away', async () => {
    const handler = await start();
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
    await expect(start({ MONGODB_URI: 'root:secret@db' })).rejects.toThrow(
      'MONGODB_URI is a text of 14 characters',
    );
  });
});
