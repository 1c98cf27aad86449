import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { ORDERS_PER_CALL_MAX } from '../../lib/shared/bounds.ts';
import { AUDITED, auditedLimitsOver } from '../support/audit-fixture.ts';
import { counted } from '../support/broken-orders.ts';
import { useDatabase } from '../support/database.ts';
import { heldIn } from '../support/held.ts';
import {
  USER_DAY,
  byOrder,
  checkOf,
  commandsDuring,
  orderOf,
  recordOf,
  recordedBy,
  refundOf,
  tidyingNonce,
} from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ monitorCommands: true, withIndexes: true });

const AT = new Date('2026-03-02T10:00:00.000Z');
const RULES = [
  { ...USER_DAY, max: { amount: 1_000, count: 900 } },
  { ...USER_DAY, id: 'merchant-day', per: ['merchant'] as const, max: { count: 900 } },
];

/** A document forgets all outcomes, as it does after 100 more. */
function forget(document: string): Promise<unknown> {
  return storedCounters(database.db).updateOne(
    { _id: document },
    { $set: { ...heldIn([]), settled: [], expired: [], remembered: 150 } },
  );
}

const usedBy = async (limits: Limits, user: string): Promise<unknown> => {
  const [sum] = await counted(limits, { user }, AT);
  return sum?.used;
};

describe.each(AUDITED)(
  'a check that counts at once, sent again when its home has forgotten it, $mode',
  ({ mode, over }) => {
    const nameOf = (name: string): string => `${name}-${mode}`;

    it('counts once, and has its first answer', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('once');
      const order = checkOf({ orderId: user, subjects: { user }, capture: true });
      const first = await limits.check(order, AT);
      await forget(`user:${user}`);
      const again = await limits.check(order, AT);
      expect(again).toMatchObject({ kind: 'allowed', repeated: true, state: 'confirmed' });
      expect(again).toHaveProperty('reservation', 'reservation' in first && first.reservation);
      expect(await usedBy(limits, user)).toEqual({ amountMinor: 100, count: 1 });
    });

    it('counts once by a process that has not seen its home, and by one that has', async () => {
      const user = nameOf('seen');
      const [seeing, other] = [over(database.db, RULES).limits, over(database.db, RULES).limits];
      const orders = [1, 2, 3].map((n) =>
        checkOf({ orderId: `${user}-${n}`, subjects: { user }, capture: true }),
      );
      const [one, two, three] = orders;
      if (one === undefined || two === undefined || three === undefined) throw new Error('three');
      await seeing.check(one, AT);
      await forget(`user:${user}`);
      expect(await seeing.check(two, AT)).toMatchObject({ repeated: false });
      await forget(`user:${user}`);
      for (const limits of [seeing, other])
        for (const order of [one, two])
          expect(await limits.check(order, AT)).toMatchObject({ repeated: true });
      expect(await other.check(three, AT)).toMatchObject({ repeated: false });
      expect(await usedBy(other, user)).toEqual({ amountMinor: 300, count: 3 });
    });

    it('is no other order, and none that was held', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('other');
      const order = checkOf({ orderId: user, subjects: { user }, capture: true });
      await limits.check(order, AT);
      const held = checkOf({ orderId: `${user}-held`, subjects: { user } });
      await limits.check(held, AT);
      await limits.confirm(orderOf(held.orderId, { user }), AT);
      await forget(`user:${user}`);
      const reused = { code: 'ORDER_REUSED' };
      await expect(limits.check({ ...order, amountMinor: 101 }, AT)).rejects.toMatchObject(reused);
      await expect(limits.check({ ...held, capture: true }, AT)).rejects.toMatchObject(reused);
      expect(await usedBy(limits, user)).toEqual({ amountMinor: 200, count: 2 });
    });

    it('is not refused, though its maximum is taken by now', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('full');
      const orderOfAll = checkOf({ orderId: user, subjects: { user }, amountMinor: 1_000 });
      const order = { ...orderOfAll, capture: true };
      await limits.check(order, AT);
      await forget(`user:${user}`);
      expect(await limits.check(order, AT)).toMatchObject({ kind: 'allowed', repeated: true });
      const more = { ...order, orderId: `${user}-more`, amountMinor: 1 };
      expect(await limits.check(more, AT)).toMatchObject({ kind: 'refused' });
    });

    it('is told the same by a dry run, which writes nothing', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('dry');
      const subjects = { user, merchant: user };
      const orderOfAll = checkOf({ orderId: user, subjects, amountMinor: 1_000 });
      const order = { ...orderOfAll, capture: true };
      await limits.check(order, AT);
      const dry = { ...order, dryRun: true };
      const before = await limits.check(dry, AT);
      expect(before).toMatchObject({ kind: 'allowed', repeated: true, state: 'confirmed' });
      await forget(`user:${user}`);
      const stored = () =>
        storedCounters(database.db)
          .find({ _id: { $in: [`user:${user}`, `merchant:${user}`] } }, { sort: { _id: 1 } })
          .toArray();
      const left = await stored();
      expect(await limits.check(dry, AT)).toEqual(before);
      const reused = { code: 'ORDER_REUSED' };
      await expect(limits.check({ ...dry, amountMinor: 999 }, AT)).rejects.toMatchObject(reused);
      const more = { ...dry, orderId: `${user}-more`, amountMinor: 1 };
      expect(await limits.check(more, AT)).toMatchObject({ kind: 'refused' });
      expect(await stored()).toEqual(left);
    });

    it('counts once in each of several documents, and tells what was refunded', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('several');
      const subjects = { user, merchant: user };
      const order = checkOf({ orderId: user, subjects, capture: true });
      const first = await limits.check(order, AT);
      await limits.refund({ ...refundOf(user, 'r-1', 40) }, AT);
      await forget(`user:${user}`);
      const again = await limits.check(order, AT);
      expect(again).toMatchObject({
        ...{ kind: 'allowed', repeated: true, state: 'partlyRefunded' },
        ...{ refunded: 40, remaining: 60 },
      });
      expect(again).toHaveProperty('reservation', 'reservation' in first && first.reservation);
      expect(again).not.toHaveProperty('uncounted', expect.anything());
      expect(await counted(limits, subjects, AT)).toMatchObject([
        { used: { amountMinor: 60, count: 1 } },
        { used: { count: 1 } },
      ]);
      const next = { ...order, orderId: `${user}-next` };
      expect(await limits.check(next, AT)).toMatchObject({ kind: 'allowed', repeated: false });
    });

    it.each([
      { atomic: false, how: 'each by itself' },
      { atomic: true, how: 'all or none' },
    ])('counts once among many, $how', async ({ atomic }) => {
      const { limits } = over(database.db, RULES);
      const user = nameOf(`many-${String(atomic)}`);
      const one = (n: number) =>
        checkOf({ orderId: `${user}-${n}`, subjects: { user }, amountMinor: 10, capture: true });
      await limits.checkMany([one(1), one(2)], atomic, AT);
      await forget(`user:${user}`);
      const orders = [one(1), one(3), one(2), { ...one(4), capture: false }];
      const told = await limits.checkMany(orders, atomic, AT);
      expect(told).toMatchObject([
        { answer: { repeated: true, state: 'confirmed' } },
        { answer: { repeated: false, state: 'confirmed' } },
        { answer: { repeated: true, state: 'confirmed' } },
        { answer: { repeated: false, state: 'held' } },
      ]);
      expect(await usedBy(limits, user)).toEqual({ amountMinor: 30, count: 3 });
      expect(await limits.checkMany(orders, atomic, AT)).toMatchObject(
        orders.map(() => ({ answer: { repeated: true } })),
      );
    });

    it('of an atomic call stops all others, if it was another order', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('stops');
      const order = checkOf({ orderId: user, subjects: { user }, capture: true });
      await limits.check(order, AT);
      await forget(`user:${user}`);
      const others = [
        { ...order, amountMinor: 99 },
        { ...order, orderId: `${user}-new` },
      ];
      expect(await limits.checkMany(others, true, AT)).toMatchObject([
        { error: { code: 'ORDER_REUSED' } },
        { error: { code: 'NOT_ALL_ALLOWED' } },
      ]);
      expect(await usedBy(limits, user)).toEqual({ amountMinor: 100, count: 1 });
    });

    it('was recorded: it is another order, as at home', async () => {
      const { limits } = over(database.db, RULES);
      const user = nameOf('recorded');
      const recorded = recordOf({ orderId: user, subjects: { user }, happenedAt: AT });
      expect(await recordedBy(limits, [recorded], AT)).toEqual(['new']);
      await forget(`user:${user}`);
      const order = checkOf({ orderId: user, subjects: { user }, capture: true });
      await expect(limits.check(order, AT)).rejects.toMatchObject({ code: 'ORDER_REUSED' });
      const checked = checkOf({ orderId: `${user}-2`, subjects: { user }, capture: true });
      await limits.check(checked, AT);
      await forget(`user:${user}`);
      expect(await recordedBy(limits, [{ ...recorded, orderId: checked.orderId }], AT)).toEqual([
        'ORDER_REUSED',
      ]);
    });
  },
);

it('an order that was held and expired counts at once as a new order', async () => {
  const { limits } = auditedLimitsOver(database.db, RULES);
  const order = checkOf({ orderId: 'expired', subjects: { user: 'expired' }, holdMs: 1_000 });
  const earlier = new Date(AT.getTime() - 60_000);
  await limits.check(order, earlier);
  await storedCounters(database.db).updateOne(
    { _id: 'user:expired' },
    { $set: { ...heldIn([]), b: {}, open: 0, p: {}, remembered: 150 } },
  );
  const captured = { ...order, capture: true };
  expect(await limits.check(captured, AT)).toMatchObject({ repeated: false, state: 'confirmed' });
});

describe('round trips of a check that counts at once', () => {
  const order = (user: string, n: number) =>
    checkOf({ orderId: `${user}-${n}`, subjects: { user }, amountMinor: 1, capture: true });

  it('are those of its update and its row, while home has forgotten nothing', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await limits.check(order('plain', 0), AT);
    expect(
      await commandsDuring(database.client, () => limits.check(order('plain', 1), AT)),
    ).toEqual(['findAndModify', 'insert']);
  });

  it('are one more where home has forgotten orders, once a process has seen that', async () => {
    const { limits } = auditedLimitsOver(database.db, RULES);
    await limits.check(order('busy', 0), AT);
    await forget('user:busy');
    expect(await commandsDuring(database.client, () => limits.check(order('busy', 1), AT))).toEqual(
      [...['findAndModify', 'findAndModify', 'find', 'findAndModify', 'insert']],
    );
    expect(await commandsDuring(database.client, () => limits.check(order('busy', 2), AT))).toEqual(
      [...['find', 'findAndModify', 'insert']],
    );
  });
});

it('counts once though its home forgets it for newer ones', async () => {
  const { limits } = auditedLimitsOver(database.db, RULES, { nonce: tidyingNonce });
  const order = (n: number) =>
    checkOf({ orderId: `real-${n}`, subjects: { user: 'real' }, amountMinor: 1, capture: true });
  await limits.check(order(0), AT);
  for (const n of [1, 1 + ORDERS_PER_CALL_MAX])
    await limits.checkMany(
      Array.from({ length: ORDERS_PER_CALL_MAX }, (_, more) => order(n + more)),
      false,
      AT,
    );
  await limits.check(order(1_000), AT);
  const isThere = { _id: 'user:real', 'settled.id': 'default:real-0' };
  expect(await storedCounters(database.db).countDocuments(isThere)).toBe(0);
  const before = await usedBy(limits, 'real');
  expect(await limits.check(order(0), AT)).toMatchObject({ repeated: true });
  expect(await usedBy(limits, 'real')).toEqual(before);
  expect(await limits.confirm(byOrder('real-0'), AT)).toMatchObject({ repeated: true });
});
