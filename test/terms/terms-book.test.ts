import { setTimeout } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { secondPersonOn } from '../../functions/books.ts';
import { createTermsBook } from '../../lib/terms/terms-book.ts';
import type { Subject } from '../../lib/shared/subject.ts';
import type { TermsBook, TermsStore } from '../../lib/terms/terms-book.ts';
import type { TermsWish } from '../../lib/changes/terms-change.ts';
import { mongoTermsStore, TERMS_CHANGES } from '../../lib/terms/mongo-terms-store.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

const database = useDatabase();
const AT = new Date('2026-03-02T04:00:00.000Z');
const BY = { by: { kind: 'local', id: 'local' }, reason: 'asked for' } as const;
const FREEZE: TermsWish = { kind: 'freeze' };
const THAW: TermsWish = { kind: 'unfreeze' };

let versions = 0;
const bookOver = (store: TermsStore, machineNow = () => AT): TermsBook =>
  createTermsBook({
    store,
    rules: () => Promise.resolve([libRule(USER_DAY)]),
    alwaysAsked: ['user'],
    version: () => `v-${++versions}`,
    machineNow,
    second: secondPersonOn(database.db, 2_000, { kind: 'none' }),
  });
const storedOf = ({ kind, id }: Subject) =>
  storedCounters(database.db).findOne({ _id: `${kind}:${id}` });
const rowsOf = ({ id }: Subject) =>
  database.db.collection(TERMS_CHANGES).countDocuments({ 'subject.id': id });

/** A store that lets something happen between the first read of a change and its write. */
function meanwhile(store: TermsStore, work: () => Promise<unknown>): TermsStore {
  let isFirst = true;
  return {
    ...store,
    async read(...asked) {
      const found = await store.read(...asked);
      if (isFirst) {
        isFirst = false;
        await work();
      }
      return found;
    },
  };
}

it('a change of a document that others write to all the time comes in its turn, for it may be the freeze that stops them', async () => {
  const subject = { kind: 'user', id: 'busy' };
  await bookOver(mongoTermsStore(database.db, PATIENCE_MS)).change(subject, FREEZE, BY, {
    at: AT,
  });
  const session = database.client.startSession();
  session.startTransaction();
  const filter = { _id: 'user:busy' };
  await storedCounters(database.db).updateOne(filter, { $set: { seen: AT } }, { session });
  const change = bookOver(mongoTermsStore(database.db, PATIENCE_MS)).change(subject, FREEZE, BY, {
    at: AT,
  });
  await Promise.all([change, setTimeout(2_500).then(() => session.commitTransaction())]);
  await session.endSession();
  expect(await rowsOf(subject)).toBe(2);
});

it('a delay is counted by the database’s clock, of a subject without a document as well', async () => {
  const subject = { kind: 'user', id: 'delayed' };
  const behind = (): Date => new Date(Date.now() - 86_400_000);
  const wish: TermsWish = {
    ...{ kind: 'override', afterMs: 3_600_000 },
    override: { rule: USER_DAY.id, max: { amountMinor: 1 } },
  };
  const startedAt = Date.now();
  const { terms } = await bookOver(mongoTermsStore(database.db, PATIENCE_MS), behind).change(
    subject,
    wish,
    BY,
  );
  const from = terms?.overrides[0]?.from?.getTime() ?? 0;
  expect(from - startedAt).toBeGreaterThan(3_590_000);
  expect(from - startedAt).toBeLessThan(3_660_000);
});

describe('two who take the same terms away at once', () => {
  let store: TermsStore;
  beforeEach(() => {
    store = mongoTermsStore(database.db, PATIENCE_MS);
  });

  it('do it once: the later one is told that there is nothing, and no row says otherwise', async () => {
    const subject = { kind: 'user', id: 'twice' };
    await bookOver(store).change(subject, FREEZE, BY, { at: AT });
    const first = (): Promise<unknown> => bookOver(store).change(subject, THAW, BY, { at: AT });
    const second = bookOver(meanwhile(store, first)).change(subject, THAW, BY, { at: AT });
    await expect(second).rejects.toThrow(/has no freeze/);
    expect(await rowsOf(subject)).toBe(2);
  });

  it('leave no document behind that nothing deletes', async () => {
    const subject = { kind: 'user', id: 'gone' };
    await bookOver(store).change(subject, FREEZE, BY, { at: AT });
    const deleted = (): Promise<unknown> =>
      storedCounters(database.db).deleteOne({ _id: 'user:gone' });
    const thawed = bookOver(meanwhile(store, deleted)).change(subject, THAW, BY, { at: AT });
    await expect(thawed).rejects.toThrow(/has no freeze/);
    expect(await storedOf(subject)).toBeNull();
  });
});
