import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { useDatabase } from '../support/database.ts';
import { USER_TODAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ withIndexes: true });

/** The user's document outlives the merchant's, which MongoDB deletes 7 days after its last write. */
const RULES = [
  { ...USER_TODAY, window: 'lifetime' as const },
  { ...USER_TODAY, id: 'merchant-day', per: ['merchant'] as const },
];
const AT = new Date('2026-03-02T10:00:00.000Z');
const LATER = new Date('2026-03-09T10:16:00.000Z');

/** Headroom of which the next call ends between the user's document and the merchant's, where it is told to. */
function scene(id: string) {
  const subjects = { user: id, merchant: id };
  const inner = patientCounters(database.db);
  let isDying = false;
  const counters: CounterStore = {
    ...inner,
    settleShares: async (...asked) => {
      if (!isDying) return inner.settleShares(...asked);
      isDying = false;
      throw new UndecidedError('no answer in time');
    },
  };
  const limits = limitsOver(counters, RULES);
  return {
    limits,
    subjects,
    dieBetween: () => (isDying = true),
    /** The merchant goes on: after 7 days with the document that it had, or with one made again. */
    goOn: async (isMadeAgain: boolean) => {
      if (isMadeAgain) await storedCounters(database.db).deleteOne({ _id: `merchant:${id}` });
      await limits.check(checkOf({ orderId: 'another', subjects: { merchant: id } }), LATER);
    },
  };
}

describe.each([
  { document: 'made again after 7 days is named', isMadeAgain: true },
  { document: 'that stayed is not named', isMadeAgain: false },
])("a merchant's document $document", ({ isMadeAgain }) => {
  const uncountedOf = (id: string) => (isMadeAgain ? [`merchant:${id}`] : undefined);

  it('in a late confirm, and in its repeat', async () => {
    const orderId = `late ${isMadeAgain}`;
    const { limits, subjects, goOn } = scene(orderId);
    await limits.check(checkOf({ orderId, subjects }), AT);
    await goOn(isMadeAgain);
    const confirmed = await limits.confirm(orderOf(orderId, subjects), LATER);
    expect(confirmed).toMatchObject({ late: true, repeated: false });
    expect(confirmed.uncounted).toEqual(uncountedOf(orderId));
    const again = await limits.confirm(orderOf(orderId, subjects), LATER);
    expect(again).toMatchObject({ late: true, repeated: true });
    expect(again.uncounted).toEqual(uncountedOf(orderId));
  });

  it('in the repeat of a late confirm that ended between two documents', async () => {
    const orderId = `died ${isMadeAgain}`;
    const { limits, subjects, dieBetween, goOn } = scene(orderId);
    await limits.check(checkOf({ orderId, subjects }), AT);
    await goOn(isMadeAgain);
    dieBetween();
    await expect(limits.confirm(orderOf(orderId, subjects), LATER)).rejects.toThrow(UndecidedError);
    const again = await limits.confirm(orderOf(orderId, subjects), LATER);
    expect(again).toMatchObject({ repeated: true });
    expect(again.uncounted).toEqual(uncountedOf(orderId));
  });

  it('in the repeat of a captured check that ended between two documents', async () => {
    const orderId = `captured ${isMadeAgain}`;
    const { limits, subjects, dieBetween, goOn } = scene(orderId);
    dieBetween();
    const captured = checkOf({ orderId, subjects, capture: true });
    await expect(limits.check(captured, AT)).rejects.toThrow(UndecidedError);
    await goOn(isMadeAgain);
    const again = await limits.check(captured, LATER);
    expect(again).toMatchObject({ repeated: true });
    expect('uncounted' in again ? again.uncounted : undefined).toEqual(uncountedOf(orderId));
  });

  it('in a confirm after a rollback that found the payment counted at home alone', async () => {
    const orderId = `refused ${isMadeAgain}`;
    const { limits, subjects, dieBetween, goOn } = scene(orderId);
    await limits.check(checkOf({ orderId, subjects }), AT);
    dieBetween();
    await expect(limits.confirm(orderOf(orderId, subjects), AT)).rejects.toThrow(UndecidedError);
    await goOn(isMadeAgain);
    await expect(limits.rollback(orderOf(orderId, subjects), LATER)).rejects.toMatchObject({
      code: 'ALREADY_CONFIRMED',
    });
    const again = await limits.confirm(orderOf(orderId, subjects), LATER);
    expect(again).toMatchObject({ repeated: true });
    expect(again.uncounted).toEqual(uncountedOf(orderId));
  });
});
