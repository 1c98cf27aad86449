import { describe, expect, it } from 'vitest';
import { OldDocumentError } from '../../lib/shared/deployment-errors.ts';
import { readStored, readView } from '../../lib/limits/document/stored.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import { oldDocumentIn } from '../../lib/limits/mongo-old-documents.ts';
import { useDatabase } from '../support/database.ts';

const NOW = new Date('2026-03-02T06:00:00.000Z');
const OLD_NAME = 'ZMf9ydbPXX0dCGSF 1772380800000 1772467200000';
const NEW_NAME = 'ZMf9ydbPXX 1772467200000';

const database = useDatabase();

describe('a document of an earlier version is refused, not miscounted', () => {
  it.each([
    {
      name: NEW_NAME,
      sums: { amount: 7_500, count: 3, heldAmount: 2_500, heldCount: 1 },
      why: 'it says what is held, not what is used',
    },
    {
      name: OLD_NAME,
      sums: { amount: 7_500, count: 3 },
      why: 'its name says when the window began',
    },
  ])('$name, for $why', async ({ name, sums }) => {
    const stored = { now: NOW, buckets: { [name]: sums } };
    expect(() => readView(stored, [], NOW)).toThrow(OldDocumentError);
    expect(() => readStored(stored)).toThrow(
      `a document has a bucket of an earlier version of Headroom (${JSON.stringify(name)}): use another database, or drop the collection counters, so that every limit begins at zero`,
    );
    const counters = database.db.collection<{ readonly _id: string }>(COUNTERS);
    await counters.deleteMany({});
    await counters.insertOne({ _id: 'user:u-1', ...{ buckets: { [name]: sums } } });
    expect(await oldDocumentIn(database.db)).toBe('user:u-1');
  });

  it('one of this version is read', async () => {
    const sums = { amount: 7_500, count: 3, usedAmount: 5_000, usedCount: 2 };
    const stored = { now: NOW, buckets: { [NEW_NAME]: sums } };
    expect(readStored(stored).buckets).toMatchObject([{ heldAmount: 2_500, heldCount: 1 }]);
    const counters = database.db.collection<{ readonly _id: string }>(COUNTERS);
    await counters.deleteMany({});
    await counters.insertOne({ _id: 'user:u-1', ...{ buckets: stored.buckets } });
    await counters.insertOne({ _id: 'user:u-2' });
    expect(await oldDocumentIn(database.db)).toBeUndefined();
  });
});
