import { describe, expect, it } from 'vitest';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { mongoOneCommit } from '../../lib/audit/mongo-one-commit.ts';
import type { OneCommit } from '../../lib/audit/one-commit.ts';
import type { AuditedLimits } from '../support/audit-fixture.ts';
import { auditedLimitsOver, AUDITED } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_TODAY,
  checkOf,
  limitsOver,
  orderOf,
  reservationOf,
  byOrder,
} from '../support/limits-fixture.ts';
import { patientCounters, PATIENCE_MS } from '../support/patient-counters.ts';
import { countersIn, storedCounters } from '../support/stored-buckets.ts';
import { heldIn } from '../support/held.ts';

const database = useDatabase({ withIndexes: true });

const RULES = [USER_TODAY, { ...USER_TODAY, id: 'merchant-day', per: ['merchant'] as const }];
const AT = new Date('2026-03-02T10:00:00.000Z');
const EXPIRED = new Date('2026-03-02T10:15:00.000Z');
const AFTER_7_DAYS = new Date('2026-03-09T10:16:00.000Z');

/** The document forgets all that ended, as it does after 100 more. */
function forget(document: string): Promise<unknown> {
  return storedCounters(database.db).updateOne(
    { _id: document },
    { $set: { ...heldIn([]), settled: [], expired: [], remembered: 101 } },
  );
}

/** The document is gone, as it is 7 days after its last write. */
function remove(document: string): Promise<unknown> {
  return storedCounters(database.db).deleteOne({ _id: document });
}

describe.each(AUDITED)('with the audit, $mode', ({ mode, over }) => {
  const audited = () => over(database.db, RULES);

  it('confirms and rolls back by the order alone, in every document', async () => {
    const { limits, rowsOf } = audited();
    const subjects = { user: `alone-${mode}`, merchant: `alone-${mode}`, card: 'c-1' };
    const [first, second] = [`${mode}-1`, `${mode}-2`];
    for (const orderId of [first, second]) await limits.check(checkOf({ orderId, subjects }));
    const confirmed = await limits.confirm({ ...byOrder(first), amountMinor: 90 });
    expect(confirmed).toMatchObject({ repeated: false, amount: 90 });
    expect(await limits.rollback(byOrder(second))).toEqual({
      state: 'rolledBack',
      repeated: false,
    });
    expect((await rowsOf(first)).at(-1)).toMatchObject({
      outcome: 'confirmed',
      subjects,
      shares: [{ document: `user:alone-${mode}` }, { document: `merchant:alone-${mode}` }],
    });
    const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
    const sums = { used: { amountMinor: 90, count: 1 }, held: { count: 0 } };
    expect(look).toMatchObject({ rules: [sums, sums] });
  });

  it('settles the hold that an order got again after its first had expired', async () => {
    const { limits } = audited();
    const order = checkOf({ orderId: `anew-${mode}`, subjects: { user: `anew-${mode}` } });
    await limits.check(order, AT);
    await limits.check(order, EXPIRED);
    const rolledBack = await limits.rollback(byOrder(order.orderId), EXPIRED);
    expect(rolledBack).toEqual({ state: 'rolledBack', repeated: false });
  });

  it('settles the other orders of a call in which one has a reservation that is not its own', async () => {
    const { limits } = audited();
    const subjects = { user: `own-${mode}` };
    const [first, second] = [`own-${mode}-1`, `own-${mode}-2`];
    const token = reservationOf(await limits.check(checkOf({ orderId: first, subjects })));
    const whereabouts = { kind: 'reservation', token } as const;
    const results = await limits.settleMany([
      { ...byOrder(first), to: 'confirmed', whereabouts },
      { ...byOrder(second), to: 'confirmed', whereabouts },
    ]);
    expect(results).toMatchObject([
      { kind: 'answered', answer: { state: 'confirmed' } },
      { kind: 'failed', error: { code: 'INVALID_REQUEST' } },
    ]);
  });

  it('settles many by the order alone, and says which it does not know', async () => {
    const { limits } = audited();
    const orders = [0, 1].map((index) => `some-${mode}-${index}`);
    const subjects = { user: `some-${mode}` };
    for (const orderId of orders) await limits.check(checkOf({ orderId, subjects }));
    const [known = '', other = ''] = orders;
    const results = await limits.settleMany([
      { ...byOrder(known), to: 'confirmed' },
      { ...byOrder(`never-${mode}`), to: 'confirmed' },
      { ...orderOf(other, subjects), to: 'rolledBack' },
    ]);
    expect(results).toMatchObject([
      { kind: 'answered', answer: { state: 'confirmed', repeated: false } },
      { kind: 'failed', error: { code: 'NOT_FOUND' } },
      { kind: 'answered', answer: { state: 'rolledBack', repeated: false } },
    ]);
  });

  it('says in every repeat which documents may not count a payment, as the first answer did', async () => {
    const { limits } = audited();
    const [counted, missed, captured] = ['counted', 'missed', 'captured'].map(
      (one) => `${one}-${mode}`,
    );
    const subjectsOf = (id = '') => ({ user: id, merchant: id });
    const order = (id = '', capture = false) =>
      checkOf({ orderId: id, subjects: subjectsOf(id), capture });
    await limits.check(order(counted), AT);
    await limits.confirm(orderOf(counted ?? '', subjectsOf(counted)), AT);
    await limits.check(order(captured, true), AT);
    await limits.check(order(missed), AT);
    // The merchant had to let go of shares, that of the second order among them.
    for (const id of [counted, missed, captured])
      await storedCounters(database.db).updateOne(
        { _id: `merchant:${id}` },
        { $set: { ...heldIn([]), forgotUntil: new Date(EXPIRED.getTime() + 60_000) } },
      );
    const confirm = (id = '') => limits.confirm(orderOf(id, subjectsOf(id)), EXPIRED);
    expect((await confirm(counted)).uncounted).toBeUndefined();
    const again = await limits.check(order(captured, true), AT);
    expect(again).toMatchObject({ repeated: true });
    expect('uncounted' in again && again.uncounted).toBeFalsy();
    expect(await confirm(missed)).toMatchObject({ late: true, uncounted: [`merchant:${missed}`] });
    expect(await confirm(missed)).toMatchObject({ uncounted: [`merchant:${missed}`] });
    for (const id of [counted, missed]) await forget(`user:${id}`);
    expect((await confirm(counted)).uncounted).toBeUndefined();
    expect(await confirm(missed)).toMatchObject({
      ...{ repeated: true, uncounted: [`merchant:${missed}`] },
    });
  });

  it("knows a merchant's own order that it has forgotten, though a user's order of its id has a share there", async () => {
    const { limits } = audited();
    const [orderId, merchant] = [`twin-${mode}`, `twin-${mode}`];
    await limits.check(checkOf({ orderId, subjects: { merchant } }));
    await limits.confirm(orderOf(orderId, { merchant }));
    await forget(`merchant:${merchant}`);
    await limits.check(checkOf({ orderId, subjects: { user: merchant, merchant } }));
    const own = orderOf(orderId, { merchant });
    expect(await limits.confirm(own)).toMatchObject({ repeated: true, amount: 100 });
    await expect(limits.rollback(own)).rejects.toMatchObject({ code: 'ALREADY_CONFIRMED' });
  });

  it('does not know an order that was never checked', async () => {
    await expect(audited().limits.confirm(byOrder('never'))).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'order "never" is not known in the audit: no check was allowed under it',
    });
  });

  it.each([
    { lost: 'forgotten', lose: forget },
    { lost: 'gone', lose: remove },
  ])('tells the outcome of an order that is $lost, and changes nothing', async ({ lost, lose }) => {
    const { limits, rowsOf } = audited();
    const user = `${lost}-${mode}`;
    const subjects = { user };
    const [paid, failed] = [`paid-${user}`, `failed-${user}`];
    for (const orderId of [paid, failed]) await limits.check(checkOf({ orderId, subjects }));
    await limits.confirm({ ...orderOf(paid, subjects), amountMinor: 70 });
    await limits.rollback(orderOf(failed, subjects));
    await lose(`user:${user}`);
    const rows = (await rowsOf(paid)).length;
    const confirmed = { state: 'confirmed', repeated: true, late: false, amount: 70 };
    expect(await limits.confirm(orderOf(paid, subjects))).toEqual(confirmed);
    expect(await limits.confirm(byOrder(paid))).toEqual(confirmed);
    expect(await limits.rollback(orderOf(failed, subjects))).toEqual({
      state: 'rolledBack',
      repeated: true,
    });
    expect((await rowsOf(paid)).length).toBe(rows);
    const settlements = [
      { ...orderOf(paid, subjects), to: 'confirmed' as const },
      { ...byOrder(failed), to: 'rolledBack' as const },
    ];
    expect(await limits.settleMany(settlements)).toEqual([
      { kind: 'answered', answer: confirmed },
      { kind: 'answered', answer: { state: 'rolledBack', repeated: true } },
    ]);
    const other = limits.confirm({ ...orderOf(paid, subjects), amountMinor: 71 });
    await expect(other).rejects.toMatchObject({ code: 'ALREADY_CONFIRMED' });
    await expect(limits.rollback(orderOf(paid, subjects))).rejects.toMatchObject({
      code: 'ALREADY_CONFIRMED',
    });
    await expect(limits.confirm(orderOf(failed, subjects))).rejects.toMatchObject({
      code: 'ALREADY_ROLLED_BACK',
    });
  });

  it.each([
    { lost: 'forgotten', lose: forget, code: 'FORGOTTEN' },
    { lost: 'gone', lose: remove, code: 'NOT_FOUND' },
  ])(
    'counts nothing of an expired order that is $lost, where only the row of its check is left',
    async ({ lost, lose, code }) => {
      const { limits } = audited();
      const user = `held-${lost}-${mode}`;
      const subjects = { user };
      await limits.check(checkOf({ orderId: user, subjects }), AT);
      const other = checkOf({ orderId: `next-${user}`, subjects, capture: true });
      await limits.check(other, EXPIRED);
      await lose(`user:${user}`);
      const before = await countersIn(database.db);
      await expect(limits.confirm(orderOf(user, subjects), EXPIRED)).rejects.toMatchObject({
        code,
      });
      await expect(limits.confirm(byOrder(user), EXPIRED)).rejects.toMatchObject({
        code: 'FORGOTTEN', // its reservation proves that it was held
      });
      expect(await countersIn(database.db)).toEqual(before);
    },
  );

  it('guesses nothing of another user', async () => {
    const { limits } = audited();
    const subjects = { user: `mine-${mode}` };
    await limits.check(checkOf({ orderId: `mine-${mode}`, subjects, capture: true }));
    const elsewhere = limits.confirm(orderOf(`mine-${mode}`, { user: 'somebody' }));
    await expect(elsewhere).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

it('without an audit the order alone is too little, and among many it fails by itself', async () => {
  const limits = limitsOver(database.db, RULES);
  await expect(limits.confirm(byOrder('o-1'))).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message:
      'reservation is missing, expected exactly one of reservation and subjects; with an audit, the orderId is enough',
  });
  const settlements = [
    { ...orderOf('o-1', { user: 'u-1' }), to: 'confirmed' as const },
    { ...byOrder('o-2'), to: 'confirmed' as const },
  ];
  await limits.check(checkOf({ orderId: 'o-1', subjects: { user: 'u-1' } }));
  expect(await limits.settleMany(settlements)).toMatchObject([
    { kind: 'answered', answer: { state: 'confirmed', amount: 100 } },
    { kind: 'failed', error: { code: 'INVALID_REQUEST', mistakes: [{ path: 'reservation' }] } },
  ]);
});

it.each([
  { merchant: 'has its share', uncounted: undefined, used: 100, why: 'a repeat counts it there' },
  { merchant: 'is gone', uncounted: ['merchant'], used: 0, why: 'nobody can count it any more' },
  { merchant: 'was made again', uncounted: ['merchant'], used: 0, why: 'its share may be gone' },
])(
  'a confirm that ended at home, which has forgotten the order since, says whether the other document counted it: one that $merchant, since $why',
  async (row) => {
    const id = `ended, ${row.merchant}`;
    const subjects = { user: id, merchant: id };
    const inner = patientCounters(database.db);
    let isFirst = true;
    const counters: CounterStore = {
      ...inner,
      settleShares: async (...asked) => {
        if (!isFirst) return inner.settleShares(...asked);
        isFirst = false;
        throw new UndecidedError('no answer in time');
      },
    };
    const { limits } = auditedLimitsOver(database.db, RULES, { counters });
    await limits.check(checkOf({ orderId: id, subjects }), AT);
    await expect(limits.confirm(orderOf(id, subjects), AT)).rejects.toThrow(UndecidedError);
    await limits.check(checkOf({ orderId: id, subjects }), AT); // its row is the only one of the confirm
    await forget(`user:${id}`);
    if (row.merchant !== 'has its share') await remove(`merchant:${id}`);
    const at = row.merchant === 'was made again' ? AFTER_7_DAYS : AT;
    if (at !== AT)
      await limits.check(checkOf({ orderId: 'another', subjects: { merchant: id } }), at);
    const again = await limits.confirm(orderOf(id, subjects), at);
    expect(again).toMatchObject({ repeated: true, amount: 100 });
    expect(again.uncounted).toEqual(row.uncounted?.map((kind) => `${kind}:${id}`));
    const { rules } = await limits.usage({ appId: 'default', subjects: { merchant: id } }, at);
    expect(rules.map(({ used }) => used?.amountMinor)).toEqual([row.used]);
  },
);

describe("a merchant's own order that is checked while its confirm looks is not forgotten", () => {
  /** Checks it once home has said that it does not know it. */
  const meanwhile = (inner: CounterStore, merchant: string): CounterStore => {
    let isFirst = true;
    return {
      ...inner,
      settle: async (...asked) => {
        const view = await inner.settle(...asked);
        const { limits } = auditedLimitsOver(database.db, RULES);
        if (isFirst) await limits.check(checkOf({ orderId: merchant, subjects: { merchant } }));
        isFirst = false;
        return view;
      },
    };
  };
  const confirmed = async ({ limits }: AuditedLimits, merchant: string) => {
    const subjects = { user: merchant, merchant };
    await auditedLimitsOver(database.db, RULES).limits.check(
      checkOf({ orderId: merchant, subjects }),
    );
    const answer = await limits.confirm(orderOf(merchant, { merchant }));
    expect(answer).toMatchObject({ repeated: false, late: false, amount: 100 });
  };

  it('with the audit, best-effort', () => {
    const inner = patientCounters(database.db);
    const counters = meanwhile(inner, 'meanwhile');
    return confirmed(auditedLimitsOver(database.db, RULES, { counters }), 'meanwhile');
  });

  it('with the audit, session: the commit begins again', async () => {
    const inner = mongoOneCommit(database.db, 400, { timeoutMs: PATIENCE_MS });
    let commits = 0;
    const oneCommit: OneCommit = (work) =>
      inner(({ counters, ...stores }) => {
        commits += 1;
        const asked = commits === 1 ? meanwhile(counters, 'in-session') : counters;
        return work({ counters: asked, ...stores });
      });
    await confirmed(auditedLimitsOver(database.db, RULES, { oneCommit }), 'in-session');
    expect(commits).toBe(2);
  });
});

it('an order whose second look gets no answer is undecided alone: the others of its call were counted', async () => {
  const [orderId, merchant, paid] = ['looked', 'looked', 'paid-beside'];
  const { limits: others } = auditedLimitsOver(database.db, RULES);
  const subjects = { merchant, store: merchant };
  const inner = patientCounters(database.db);
  let looks = 0;
  const counters: CounterStore = {
    ...inner,
    together: async (work) => {
      looks += 1;
      if (looks > 1) throw new UndecidedError('no answer in time');
      const done = await inner.together(work);
      await others.check(checkOf({ orderId, subjects }));
      return done;
    },
  };
  await others.check(checkOf({ orderId, subjects: { user: merchant, merchant } }));
  await others.check(checkOf({ orderId: paid, subjects: { user: paid } }));
  const { limits } = auditedLimitsOver(database.db, RULES, { counters, inOneCommit: true });
  const results = await limits.settleMany([
    { ...orderOf(orderId, subjects), to: 'confirmed' },
    { ...orderOf(paid, { user: paid }), to: 'confirmed' },
  ]);
  expect(looks).toBe(2);
  expect(results).toMatchObject([
    { kind: 'failed', error: { code: 'UNDECIDED' } },
    { kind: 'answered', answer: { state: 'confirmed', repeated: false } },
  ]);
});
