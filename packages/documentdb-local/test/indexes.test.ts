import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

describe('indexes', () => {
  it('are created once, listed, changed and dropped', async () => {
    const all = database.db.collection('listed');
    expect(await all.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }, {})).toBe(
      'expireAt_1',
    );
    // Asking again for what is there changes nothing.
    expect(await all.createIndex({ expireAt: 1 }, { expireAfterSeconds: 0 }, {})).toBe(
      'expireAt_1',
    );
    await all.createIndex({ a: 1, b: -1 }, { name: 'pair', unique: true }, {});
    const indexes = await all.listIndexes().toArray();
    expect(indexes).toMatchObject([
      { key: { _id: 1 }, name: '_id_' },
      { key: { expireAt: 1 }, name: 'expireAt_1', expireAfterSeconds: 0 },
      { key: { a: 1, b: -1 }, name: 'pair', unique: true },
    ]);
    await database.db.command({
      collMod: 'listed',
      index: { name: 'expireAt_1', expireAfterSeconds: 60 },
    });
    expect((await all.listIndexes().toArray())[1]).toMatchObject({ expireAfterSeconds: 60 });
    await all.dropIndex('pair');
    await expect(all.dropIndex('pair')).rejects.toMatchObject({ code: 27 });
    expect((await all.listIndexes().toArray()).map(({ name }) => String(name))).toEqual([
      '_id_',
      'expireAt_1',
    ]);
  });

  it('of the same name with other settings are refused', async () => {
    const all = database.db.collection('conflicting');
    await all.createIndex({ a: 1 }, { expireAfterSeconds: 10 }, {});
    await expect(all.createIndex({ a: 1 }, { expireAfterSeconds: 20 }, {})).rejects.toMatchObject({
      code: 85,
    });
  });

  it('that are unique refuse a second document and name themselves', async () => {
    const all = database.db.collection<{ _id: string; email: string }>('unique');
    await all.createIndex({ email: 1 }, { unique: true }, {});
    await all.insertOne({ _id: 'a', email: 'x' });
    const second = all.insertOne({ _id: 'b', email: 'x' });
    await expect(second).rejects.toMatchObject({ code: 11000 });
    await expect(second).rejects.toThrow(/E11000 duplicate key error collection: .*email_1/);
  });
});

describe('collections', () => {
  it('are listed by name, and gone when dropped', async () => {
    await database.db.createCollection('made');
    await database.db.collection('grown').insertOne({});
    const names = (await database.db.listCollections({}, { nameOnly: true }).toArray()).map(
      (collection) => collection.name,
    );
    expect(names).toEqual(expect.arrayContaining(['made', 'grown']));
    await database.db.collection('made').drop();
    expect(await database.db.listCollections({ name: 'made' }).toArray()).toEqual([]);
  });

  it('of a dropped database are gone', async () => {
    const other = database.client.db(`${database.db.databaseName}-other`);
    await other.collection('things').insertOne({});
    await other.dropDatabase();
    expect(await other.listCollections().toArray()).toEqual([]);
    const { databases } = await database.client.db().admin().listDatabases();
    expect(databases.map((each) => each.name)).not.toContain(other.databaseName);
  });
});
