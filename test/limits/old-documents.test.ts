import { describe, expect, it } from 'vitest';
import { OldDocumentError } from '../../lib/shared/deployment-errors.ts';
import { readView } from '../../lib/document/stored.ts';
import { oldDocumentIn } from '../../lib/document/mongo-counter-store.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { heldIn } from '../support/held.ts';
import { readStored } from '../../lib/document/stored-counters.ts';

const NOW = new Date('2026-03-02T06:00:00.000Z');
const NAME = 'ZMf9ydbPXX 1772467200000';
const HOLD = { id: 'shop:o-1', nonce: 'nonce-1', digest: '-'.repeat(16), until: NOW };
const OUTCOME = { id: 'shop:o-1', is: `cnonce-1${'-'.repeat(16)}` };

const database = useDatabase();

/** Writes the one document of the collection. */
async function write(stored: object): Promise<void> {
  const counters = storedCounters(database.db);
  await counters.deleteMany({});
  await counters.insertOne({ _id: 'user:u-1', ...stored });
}

describe('a document of an earlier version is refused, not miscounted', () => {
  const sums = { amount: 7_500, count: 3, usedAmount: 5_000, usedCount: 2 };
  it.each([
    { stored: { buckets: { [NAME]: sums } }, name: NAME, why: 'its buckets' },
    { stored: { buckets: {} }, name: 'buckets', why: 'a place for buckets' },
    { stored: { holds: [{ ...HOLD, a: 5, b: [NAME] }] }, name: HOLD.id, why: 'a list of holds' },
    { stored: { holds: [] }, name: 'holds', why: 'a place for holds' },
    { stored: { expired: [{ ...HOLD, amount: 5 }] }, name: HOLD.id, why: 'a hold that expired' },
    { stored: { settled: [{ ...OUTCOME, amount: 5 }] }, name: HOLD.id, why: 'an outcome' },
  ])('for $why', async ({ stored, name }) => {
    const old = stored as StoredDocument; // which it was
    expect(() => readView(old, [HOLD.id], NOW)).toThrow(OldDocumentError);
    const { expired, ...others } = old;
    if (expired === undefined)
      expect(() => readStored({ ...others, now: NOW })).toThrow(
        `a document has a bucket or an order of an earlier version of Headroom (${JSON.stringify(name)}): use another database, or drop the collection counters, so that every limit begins at zero`,
      );
    await write(stored);
    expect(await oldDocumentIn(database.db)).toBe('user:u-1');
  });

  it('also by a check that reads it', async () => {
    await write({ buckets: { [NAME]: sums }, expireAt: NOW });
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { amount: 0 } }]);
    await expect(
      limits.check(checkOf({ orderId: 'o-1', subjects: { user: 'u-1' } })),
    ).rejects.toThrow(OldDocumentError);
  });

  it('one of this version is read', async () => {
    const b = { 'ZMf9ydbPXX 0mm9d7gg0': { a: 7_500, n: 3, ua: 5_000, un: 2 } };
    const stored = { b, ...heldIn([{ ...HOLD, a: 5, b: [] }]), settled: [{ ...OUTCOME, a: 5 }] };
    const until = new Date('2026-03-02T16:00:00.000Z');
    expect(readStored({ ...stored, now: NOW })).toMatchObject({
      buckets: [{ counter: 'ZMf9ydbPXX', until, heldAmount: 2_500, heldCount: 1 }],
      holds: [{ amount: 5 }],
      settled: [{ amount: 5 }],
    });
    await write(stored);
    expect(await oldDocumentIn(database.db)).toBeUndefined();
  });
});
