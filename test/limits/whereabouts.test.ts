import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { namesInText } from '../../lib/document/document.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  reservationOf,
  byReservation,
  tidyingNonce,
} from '../support/limits-fixture.ts';
import { counted } from '../support/broken-orders.ts';
import type { Reservation } from '../../lib/limits/reservation.ts';
import { readReservation, reservationToken } from '../../lib/limits/reservation.ts';
import { openHoldsOf } from '../support/held.ts';

const AT = new Date('2026-03-01T10:00:00+08:00');
const database = useDatabase();
const RULES: readonly ModelRule[] = [USER_DAY, { ...USER_DAY, id: 'shop-day', per: ['merchant'] }];

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
    expect(await counted(limits, { merchant: orderId }, AT)).toEqual([then]);
    await settle();
    expect(await counted(limits, { merchant: orderId }, AT)).toEqual([then]);
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
    expect(await counted(limits, { merchant: orderId }, AT)).toEqual([{ used: NONE, held: ONE }]);
    await limits[what](orderOf(orderId, { ...USER, ...merchant }), AT);
    expect(await counted(limits, { merchant: orderId }, AT)).toEqual([then]);
  });
});

it('where the shares of an order are is what a check among many stores, too, and nothing of it where there is one document', async () => {
  const limits = limitsOver(database.db, RULES);
  const subjects = { user: 'stored', merchant: 'stored' };
  await limits.check(checkOf({ orderId: 'one', subjects }));
  await limits.checkMany([checkOf({ orderId: 'many', subjects })], false);
  await limits.check(checkOf({ orderId: 'alone', subjects: { user: 'alone' } }));
  await limits.confirm(orderOf('alone', { user: 'alone' }));
  const holdsOf = async (_id: string) => openHoldsOf(await counters.findOne({ _id }));
  const counters = database.db.collection<{ _id: string; settled: object[] }>(COUNTERS);
  const others = ['merchant:stored'];
  expect(await holdsOf('user:stored')).toMatchObject([{ others }, { others }]);
  const home = 'user:stored';
  expect(await holdsOf('merchant:stored')).toMatchObject([{ home }, { home }]);
  const [settled = {}] = (await counters.findOne({ _id: 'user:alone' }))?.settled ?? [];
  expect(Object.keys(settled)).toEqual(['id', 'is', 'a']);
});

it('an order that is open when HOME_KINDS changes is looked for in its new home, where there may be nothing; its reservation finds it', async () => {
  const subjects = { user: 'moved', merchant: 'moved' };
  const before = limitsOver(database.db, [USER_DAY]);
  const answer = await before.check(checkOf({ orderId: 'moved', subjects }), AT);
  const after = limitsOver(database.db, [USER_DAY], { homeKinds: ['merchant'] });
  await expect(after.confirm(orderOf('moved', subjects), AT)).rejects.toThrow('not known');
  const confirmed = after.confirm(byReservation('moved', reservationOf(answer)), AT);
  expect(await confirmed).toMatchObject({ repeated: false });
});

it('of an order that its merchant has forgotten, another one with its id hides nothing, whose home is a user', async () => {
  const rules: readonly ModelRule[] = [{ ...USER_DAY, per: ['merchant'], max: { count: 500 } }];
  const limits = limitsOver(database.db, rules, { nonce: tidyingNonce });
  const merchant = { merchant: 'twin' };
  const answer = await limits.check(checkOf({ orderId: 'twin', subjects: merchant }), AT);
  const own = byReservation('twin', reservationOf(answer));
  await limits.confirm(own, AT);
  for (let next = 0; next < 151; next++)
    await limits.check(checkOf({ orderId: `o-${next}`, subjects: merchant, capture: true }), AT);
  await expect(limits.confirm(own, AT)).rejects.toMatchObject({ code: 'FORGOTTEN' });
  const subjects = { user: 'twin', ...merchant };
  await limits.check(checkOf({ orderId: 'twin', subjects }), AT);
  await expect(limits.confirm(own, AT)).rejects.toMatchObject({ code: 'FORGOTTEN' });
});

const FORGERIES: Readonly<Record<string, (reservation: Reservation) => Reservation>> = {
  'leaves out where else the order has a share': (one) => {
    const [home] = one.kinds;
    const [buckets = null] = one.held?.buckets ?? [];
    const held = one.held && { ...one.held, buckets: [buckets] };
    return { ...one, kinds: [home], ...(held === undefined ? {} : { held }) };
  },
  'takes another document for home': (one) => {
    const [, other = ''] = one.kinds;
    const [, buckets = null] = one.held?.buckets ?? [];
    const until = new Date((one.held?.until.getTime() ?? 0) + 1_000);
    const held = one.held && { ...one.held, until, buckets: [buckets] };
    return { ...one, kinds: [other], ...(held === undefined ? {} : { held }) };
  },
  'says another amount': (one) => ({
    ...one,
    ...(one.held === undefined ? {} : { held: { ...one.held, amount: 1 } }),
  }),
  'names other buckets': (one) => {
    const [buckets, ...others] = one.held?.buckets ?? [];
    const held = one.held && {
      ...one.held,
      buckets: [
        namesInText(buckets ?? '')
          .toReversed()
          .slice(1)
          .join(','),
        ...others,
      ],
    };
    return { ...one, ...(held === undefined ? {} : { held }) };
  },
};

async function countedBy(limits: Limits, subjects: { user: string; merchant: string }) {
  const rules = await counted(limits, subjects, AT);
  return rules.map(({ used, held }) => [used?.count, held?.count]);
}

describe.each([
  { where: 'alone', others: [] },
  { where: 'among others', others: ['first', 'second'] },
])('$where', ({ where, others }) => {
  it.each(Object.entries(FORGERIES))(
    'a reservation that was tampered with and %s counts no share without the other',
    async (what, forge) => {
      const limits = limitsOver(database.db, RULES);
      const orderId = `${what}-${where}`;
      const subjects = { user: orderId, merchant: orderId };
      const confirmOf = async (id: string, change = (one: Reservation) => one) => {
        const answer = await limits.check(checkOf({ orderId: id, subjects }), AT);
        const reservation = readReservation(reservationOf(answer));
        if (reservation === undefined) throw new Error('a check answers with a reservation');
        const confirm = byReservation(id, reservationToken(change(reservation)));
        return { ...confirm, to: 'confirmed' as const };
      };
      const fair = await Promise.all(others.map((other) => confirmOf(`${orderId}-${other}`)));
      const forged = await confirmOf(orderId, forge);
      const settled = await limits.settleMany([...fair, forged], AT);
      const last = settled.at(-1);
      expect(settled.slice(0, -1).map(({ kind }) => kind)).toEqual(others.map(() => 'answered'));
      // Either the document is held to what it knows itself, or nothing happens.
      const [used, held] = last?.kind === 'answered' ? [1, 0] : [0, 1];
      const all = [used + others.length, held];
      expect(await countedBy(limits, subjects)).toEqual([all, all]);
      await limits.confirm(orderOf(orderId, subjects), AT);
      const after = [1 + others.length, 0];
      expect(await countedBy(limits, subjects)).toEqual([after, after]);
    },
  );
});

const WEEK_MS = 7 * 86_400_000;

describe('a reservation that names another subject than its check', () => {
  async function confirmMoved(user: string, to: string, capture: boolean, afterMs: number) {
    const limits = limitsOver(database.db, [USER_DAY]);
    const answer = await limits.check(checkOf({ orderId: user, subjects: { user }, capture }), AT);
    const reservation = readReservation(reservationOf(answer));
    if (reservation === undefined) throw new Error('a check answers with a reservation');
    const moved = reservationToken({ ...reservation, subjects: { user: to } });
    return limits.confirm(byReservation(user, moved), new Date(AT.getTime() + afterMs));
  }

  it.each([
    { to: 'nobody', capture: false, why: 'no document is there' },
    { to: 'somebody', capture: false, why: 'the document that is there has forgotten nothing' },
    { to: 'somebody', capture: true, why: 'that is so of an order that is counted, too' },
  ])('is told that the order is not known there: $why', async ({ to, capture, why }) => {
    const limits = limitsOver(database.db, [USER_DAY]);
    if (to === 'somebody')
      await limits.check(checkOf({ orderId: `of-${why}`, subjects: { user: to } }), AT);
    await expect(confirmMoved(why, to, capture, 60_000)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `order "${why}" is not known in the document "user:${to}", which the reservation names: no check was allowed under it`,
    });
  });

  it.each([
    { capture: false, afterMs: WEEK_MS + 16 * 60_000, why: 'documents live 7 days after a hold' },
    { capture: true, afterMs: 0, why: 'it does not say how old it is' },
  ])('may be too old where no document is there: $why', async ({ capture, afterMs, why }) => {
    await expect(confirmMoved(why, 'nobody', capture, afterMs)).rejects.toMatchObject({
      code: 'FORGOTTEN',
      message: `order "${why}" is not known in the document "user:nobody", which the reservation names: it is too old, or was never checked there; nothing was changed`,
    });
  });
});
