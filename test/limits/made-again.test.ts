import { beforeAll, expect, it } from 'vitest';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { USER_TODAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase();
beforeAll(() => makeIndexes(database.db));

/** The user's document outlives the merchant's, which MongoDB deletes 7 days after its last write. */
const RULES = [
  { ...USER_TODAY, window: 'lifetime' as const },
  { ...USER_TODAY, id: 'merchant-day', per: ['merchant'] as const },
];
const AT = new Date('2026-03-02T10:00:00.000Z');
const EXPIRED = new Date('2026-03-02T10:15:00.000Z');
const BEFORE = { after: 'a minute before 7 days are over', minutes: 7 * 1_440 - 1 };
const AFTER = { after: 'after 7 days', minutes: 7 * 1_440 + 1 };

/** Headroom of which the next call ends between the user's document and the merchant's, where it is told to. */
function scene(id: string) {
  const subjects = { user: id, merchant: id };
  const inner = patientCounters(storedCounters(database.db));
  let isDying = false;
  const counters: CounterStore = {
    ...inner,
    settleShares: async (...asked) => {
      if (!isDying) return inner.settleShares(...asked);
      isDying = false;
      throw new UndecidedError('no answer in time');
    },
  };
  const limits = limitsOver(database.db, RULES, { counters });
  return {
    limits,
    subjects,
    dieBetween: () => (isDying = true),
    makeAgain: async (minutes: number) => {
      await storedCounters(database.db).deleteOne({ _id: `merchant:${id}` });
      const later = new Date(EXPIRED.getTime() + minutes * 60_000);
      await limits.check(checkOf({ orderId: 'another', subjects: { merchant: id } }), later);
      return later;
    },
  };
}

it.each([
  { ...BEFORE, uncounted: undefined },
  { ...AFTER, uncounted: ['merchant:late after 7 days'] },
])(
  'a late confirm names a document that was deleted and made again: $after',
  async ({ after, minutes, uncounted }) => {
    const orderId = `late ${after}`;
    const { limits, subjects, makeAgain } = scene(orderId);
    await limits.check(checkOf({ orderId, subjects }), AT);
    const later = await makeAgain(minutes);
    const confirmed = await limits.confirm(orderOf(orderId, subjects), later);
    expect(confirmed).toMatchObject({ late: true, repeated: false });
    expect(confirmed.uncounted).toEqual(uncounted);
    const again = await limits.confirm(orderOf(orderId, subjects), later);
    expect(again).toMatchObject({ late: true, repeated: true });
    expect(again.uncounted).toEqual(uncounted);
  },
);

it('a confirm that ended after 7 days between two documents is repeated: it names the one made again', async () => {
  const orderId = 'died';
  const { limits, subjects, dieBetween, makeAgain } = scene(orderId);
  await limits.check(checkOf({ orderId, subjects }), AT);
  const later = await makeAgain(AFTER.minutes);
  dieBetween();
  await expect(limits.confirm(orderOf(orderId, subjects), later)).rejects.toThrow(UndecidedError);
  const again = await limits.confirm(orderOf(orderId, subjects), later);
  expect(again).toMatchObject({ repeated: true, uncounted: ['merchant:died'] });
});

it('a captured check that ended between two documents is repeated after 7 days: it names the one made again', async () => {
  const orderId = 'captured';
  const { limits, subjects, dieBetween, makeAgain } = scene(orderId);
  dieBetween();
  const captured = checkOf({ orderId, subjects, capture: true });
  await expect(limits.check(captured, AT)).rejects.toThrow(UndecidedError);
  const later = await makeAgain(AFTER.minutes);
  const again = await limits.check(captured, later);
  expect(again).toMatchObject({ repeated: true, uncounted: ['merchant:captured'] });
});

it('a rollback that finds a payment counted at home alone refuses, and a confirm names the document made again', async () => {
  const orderId = 'refused';
  const { limits, subjects, dieBetween, makeAgain } = scene(orderId);
  await limits.check(checkOf({ orderId, subjects }), AT);
  dieBetween();
  await expect(limits.confirm(orderOf(orderId, subjects), AT)).rejects.toThrow(UndecidedError);
  const later = await makeAgain(AFTER.minutes);
  await expect(limits.rollback(orderOf(orderId, subjects), later)).rejects.toMatchObject({
    code: 'ALREADY_CONFIRMED',
  });
  const again = await limits.confirm(orderOf(orderId, subjects), later);
  expect(again).toMatchObject({ repeated: true, uncounted: ['merchant:refused'] });
});
