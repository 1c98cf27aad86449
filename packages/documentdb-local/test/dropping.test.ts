import type { Db } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { useDatabase } from './support/database.ts';

const database = useDatabase();

type Row = { readonly _id: string; readonly at: number };

const NAMES = ['first', 'second', 'third', 'fourth'] as const;

const namesOf = async (asked: Promise<readonly { readonly name?: string }[]>) =>
  (await asked).map(({ name }) => name).sort();

/** Drops a database, makes its collections again, and uses one of them over several connections at once. */
async function startAnew(db: Db): Promise<unknown> {
  await db.dropDatabase();
  for (const name of NAMES) await db.collection(name).createIndex({ at: 1 }, { name: 'at' }, {});
  const rows = db.collection<Row>('second');
  const answers = await Promise.all([
    namesOf(rows.listIndexes().toArray()),
    rows.insertOne({ _id: 'a', at: 1 }),
    rows.insertOne({ _id: 'b', at: 1 }),
    rows.updateOne({ _id: 'c' }, { $set: { at: 2 } }, { upsert: true }),
    rows.findOneAndUpdate({ _id: 'd' }, { $set: { at: 3 } }, { upsert: true }),
    rows.deleteOne({ _id: 'none' }),
    rows.find({ _id: 'none' }).toArray(),
    rows.aggregate([{ $match: { at: 4 } }]).toArray(),
  ]);
  return [...answers, await rows.countDocuments(), await rows.findOne({ _id: 'a' })];
}

describe('collections that are dropped and made again', () => {
  const DATABASES = 4;
  const ROUNDS = 12;

  it('are there for everyone who asks next', async () => {
    const expected = await startAnew(database.db);
    const wrong: unknown[] = [];
    const use = async (db: Db) => {
      for (let round = 0; round < ROUNDS; round += 1)
        try {
          expect(await startAnew(db)).toEqual(expected);
        } catch (error) {
          wrong.push(error);
        }
      await db.dropDatabase();
    };
    const name = (index: number) => `${database.db.databaseName}-${index}`;
    await Promise.all(
      Array.from({ length: DATABASES }, (_, index) => use(database.client.db(name(index)))),
    );
    expect(wrong).toEqual([]);
  });
});
