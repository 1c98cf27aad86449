import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/limits.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  reservationOf,
  byReservation,
} from '../support/limits-fixture.ts';
import { counted } from '../support/broken-orders.ts';

const AT = new Date('2026-03-01T10:00:00+08:00');
const database = useDatabase();
const RULES: readonly ModelRule[] = [USER_DAY, { ...USER_DAY, id: 'shop-day', per: ['merchant'] }];

async function countedBy(limits: Limits, merchant: string) {
  return (await counted(limits, { merchant }, AT))[0];
}

const ONE = { amountMinor: 100, count: 1 };
const NONE = { amountMinor: 0, count: 0 };

const USER = { user: 'some' };
const SOME_ROWS = [
  { what: 'confirm', to: 'confirmed', then: { used: ONE, held: NONE } },
  { what: 'rollback', to: 'rolledBack', then: { used: NONE, held: NONE } },
] as const;

describe.each(SOME_ROWS)('a $what that names only some of the subjects', ({ what, to, then }) => {
  it.each(['alone', 'among many'])('settles everywhere, if home is among them, %s', async (how) => {
    const limits = limitsOver(database.db, RULES);
    const orderId = `some-${what}-${how}`;
    const merchant = { merchant: orderId };
    const settle = async () =>
      how === 'alone'
        ? limits[what](orderOf(orderId, USER), AT)
        : limits.settleMany([{ ...orderOf(orderId, USER), to }], AT);
    await limits.check(checkOf({ orderId, subjects: { ...USER, ...merchant } }), AT);
    await settle();
    expect(await countedBy(limits, orderId)).toEqual(then);
    await settle();
    expect(await countedBy(limits, orderId)).toEqual(then);
  });

  it.each(['alone', 'among many'])('says so and changes nothing, if it is not, %s', async (how) => {
    const limits = limitsOver(database.db, RULES);
    const orderId = `none-${what}-${how}`;
    const merchant = { merchant: orderId };
    await limits.check(checkOf({ orderId, subjects: { ...USER, ...merchant } }), AT);
    const said = /subjects is \["merchant"\], expected .* the user, which is home to the order/;
    if (how === 'alone')
      await expect(limits[what](orderOf(orderId, merchant), AT)).rejects.toThrow(said);
    else {
      const [result] = await limits.settleMany([{ ...orderOf(orderId, merchant), to }], AT);
      expect(result?.kind === 'failed' && String(result.error)).toMatch(said);
    }
    expect(await countedBy(limits, orderId)).toEqual({ used: NONE, held: ONE });
    await limits[what](orderOf(orderId, { ...USER, ...merchant }), AT);
    expect(await countedBy(limits, orderId)).toEqual(then);
  });
});

describe('where the shares of an order are', () => {
  it('is what a check among many stores, too, and nothing of it where there is one document', async () => {
    const limits = limitsOver(database.db, RULES);
    const subjects = { user: 'stored', merchant: 'stored' };
    await limits.check(checkOf({ orderId: 'one', subjects }));
    await limits.checkMany([checkOf({ orderId: 'many', subjects })], false);
    await limits.check(checkOf({ orderId: 'alone', subjects: { user: 'alone' } }));
    await limits.confirm(orderOf('alone', { user: 'alone' }));
    const holdsOf = async (_id: string) => (await counters.findOne({ _id }))?.holds;
    const counters = database.db.collection<{ _id: string; holds: object[]; settled: object[] }>(
      COUNTERS,
    );
    const others = ['merchant:stored'];
    expect(await holdsOf('user:stored')).toMatchObject([{ others }, { others }]);
    const home = 'user:stored';
    expect(await holdsOf('merchant:stored')).toMatchObject([{ home }, { home }]);
    const [settled = {}] = (await counters.findOne({ _id: 'user:alone' }))?.settled ?? [];
    expect(Object.keys(settled)).toEqual(['id', 'is', 'a']);
  });
});

describe('an order that is open when HOME_KINDS changes', () => {
  it('is looked for in its new home, where there may be nothing; its reservation finds it', async () => {
    const subjects = { user: 'moved', merchant: 'moved' };
    const before = limitsOver(database.db, [USER_DAY]);
    const answer = await before.check(checkOf({ orderId: 'moved', subjects }), AT);
    const after = limitsOver(database.db, [USER_DAY], { homeKinds: ['merchant'] });
    await expect(after.confirm(orderOf('moved', subjects), AT)).rejects.toThrow('not known');
    const confirmed = after.confirm(byReservation('moved', reservationOf(answer)), AT);
    expect(await confirmed).toMatchObject({ repeated: false });
  });
});
