import { describe, expect, it } from 'vitest';
import type { RefundAnswer } from '../../lib/limits/answer.ts';
import { HeadroomError, UndecidedError } from '../../lib/shared/errors.ts';
import type { CheckRequest, RefundRequest, Subjects } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { verifyChain } from '../../lib/audit/mongo-chain.ts';
import { counted } from '../support/broken-orders.ts';
import { untilDecided } from '../support/broken-way.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { AuditedLimits } from '../support/audit-fixture.ts';
import { auditedLimitsOver, AUDITED } from '../support/audit-fixture.ts';
import { CrashError, crashingStore } from '../support/crashing-store.ts';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  tidyingNonce,
  refundOf,
} from '../support/limits-fixture.ts';
import { damageBuckets, storedCounters, countersIn } from '../support/stored-buckets.ts';

const database = useDatabase({ withIndexes: true });

const AT = new Date('2026-03-02T10:00:00.000Z');
const LATER = new Date('2026-03-02T10:00:01.000Z');
const EXPIRED = new Date('2026-03-02T10:15:00.000Z');
/** Half as many again as REMEMBERED_OUTCOMES: with more, a tidy cuts them. */
const KEPT_MOST = 150;
/** When shares beside home are over, too. */
const SWEPT = new Date('2026-03-02T10:20:00.000Z');
/** In Shanghai the day ends in between. */
const TOMORROW = new Date('2026-03-02T16:00:00.000Z');

const DAY: ModelRule = { ...USER_DAY, max: { amount: 1_000, count: 5 } };
const MERCHANT_DAY: ModelRule = { ...DAY, id: 'merchant-day', per: ['merchant'] };
const BUSY_MERCHANT: ModelRule = { ...MERCHANT_DAY, max: { amount: 1_000, count: 1_000 } };

/** Checks and confirms an order of 3.00 CNY. */
async function paid(
  limits: Limits,
  orderId: string,
  subjects: Subjects,
  change: Partial<CheckRequest> = {},
  at = AT,
): Promise<void> {
  await limits.check(checkOf({ orderId, subjects, amountMinor: 300, ...change }), at);
  if (change.capture !== true) await limits.confirm(orderOf(orderId, subjects), at);
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call);
  } catch (error) {
    if (error instanceof HeadroomError && !(error instanceof UndecidedError)) return error.code;
    throw error;
  }
}

function used(limits: Limits, subjects: Subjects, at = AT): Promise<unknown> {
  return counted(limits, subjects, at).then((rules) => rules.map((rule) => rule.used));
}

describe.each(AUDITED)('a refund, $mode', ({ mode, over }) => {
  it('gives back in parts, and the count with the last of them', async () => {
    const { limits, rowsOf } = over(database.db, [DAY, MERCHANT_DAY]);
    const [orderId, name] = [`parts-${mode}`, `parts-${mode}`];
    const subjects = { user: name, merchant: name };
    await paid(limits, orderId, subjects, { count: 2 });
    expect(await limits.refund(refundOf(orderId, 'r-1', 100), AT, 'request-9')).toEqual({
      state: 'partlyRefunded',
      repeated: false,
      amount: 100,
      refunded: 100,
      remaining: 200,
      windows: { open: 2, over: 0 },
    });
    const once = { amountMinor: 200, count: 2 };
    expect(await used(limits, subjects)).toEqual([once, once]);
    expect(await limits.refund(refundOf(orderId, 'r-2'), LATER)).toMatchObject({
      repeated: false,
      amount: 200,
      refunded: 300,
      remaining: 0,
    });
    const none = { amountMinor: 0, count: 0 };
    expect(await used(limits, subjects)).toEqual([none, none]);
    expect((await rowsOf(orderId)).slice(-2)).toMatchObject([
      {
        operation: 'refund',
        outcome: 'refunded',
        refundId: 'r-1',
        amountMinor: 100,
        count: 0,
        requestId: 'request-9',
        subjects,
        at: AT,
        effective: true,
        shares: [{ document: `user:${name}` }, { document: `merchant:${name}` }],
      },
      { outcome: 'refunded', refundId: 'r-2', amountMinor: 200, count: 2 },
    ]);
    const status = await limits.status({ appId: 'default', orderId }, AT);
    expect(status).toMatchObject({ state: 'refunded', amountMinor: 300, refundedMinor: 300 });
    expect(status.history.map(({ outcome }) => outcome)).toEqual([
      ...['held', 'confirmed', 'refunded', 'refunded'],
    ]);
    if (mode === 'session')
      for (const document of [`user:${name}`, `merchant:${name}`])
        expect(await verifyChain(database.db, document, AT)).toEqual({ rows: 4 });
  });

  it('is answered again as it was first, and never made twice', async () => {
    const { limits, rowsOf } = over(database.db, [DAY]);
    const [orderId, subjects] = [`again-${mode}`, { user: `again-${mode}` }];
    await paid(limits, orderId, subjects);
    const first = await limits.refund(refundOf(orderId, 'r-1', 100), AT);
    await limits.refund(refundOf(orderId, 'r-2', 50), AT);
    for (const amount of [100, undefined])
      expect(await limits.refund(refundOf(orderId, 'r-1', amount), TOMORROW)).toEqual({
        ...first,
        repeated: true,
      });
    expect(await codeOf(limits.refund(refundOf(orderId, 'r-1', 101), LATER))).toBe('REFUND_REUSED');
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 150, count: 1 }]);
    expect((await rowsOf(orderId)).map(({ outcome }) => outcome)).toEqual([
      ...['held', 'confirmed', 'refunded', 'refunded', 'REFUND_REUSED'],
    ]);
    expect(await limits.refund(refundOf(orderId, 'r-3', 150), AT)).toMatchObject({
      repeated: false,
      refunded: 300,
      remaining: 0,
    });
  });

  it('is never more than was counted, and says what is left', async () => {
    const { limits } = over(database.db, [DAY]);
    const [orderId, subjects] = [`large-${mode}`, { user: `large-${mode}` }];
    await paid(limits, orderId, subjects);
    await limits.refund(refundOf(orderId, 'r-1', 100), AT);
    const before = await stored();
    await expect(limits.refund(refundOf(orderId, 'r-2', 201), AT)).rejects.toMatchObject({
      code: 'REFUND_TOO_LARGE',
      fields: { remaining: 200 },
      message: `order "${orderId}" has 200 left to refund, after refunds of 100; nothing was changed: refund at most 200`,
    });
    expect(await stored()).toEqual(before);
    await limits.refund(refundOf(orderId, 'r-2', 200), AT);
    for (const amount of [1, undefined])
      expect(await codeOf(limits.refund(refundOf(orderId, 'r-3', amount), AT))).toBe(
        'REFUND_TOO_LARGE',
      );
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 0, count: 0 }]);
  });

  it('of many at once gives back as many as there is room for', async () => {
    const { limits, rowsOf } = over(database.db, [DAY, MERCHANT_DAY]);
    const subjects = { user: `race-${mode}`, merchant: `race-${mode}` };
    const orderId = `race-${mode}`;
    await paid(limits, orderId, subjects);
    await paid(limits, `other-${mode}`, subjects, { amountMinor: 70 });
    const refunds = times('refundsAtOnce');
    const calls = Array.from({ length: refunds }, (_, index) =>
      // Each refund is asked for twice, of 0.60 where 3.00 was counted.
      untilDecided(() => codeOf(limits.refund(refundOf(orderId, `r-${index >> 1}`, 60), AT))),
    );
    const ended = (await Promise.all(calls)).map(({ answer }) => answer);
    const refused = ended.filter((answer) => answer === 'REFUND_TOO_LARGE');
    expect({ refused: refused.length, rest: ended.length - refused.length }).toEqual({
      refused: refunds - 10,
      rest: 10,
    });
    const answers = ended
      .filter((answer) => answer.startsWith('{'))
      .map((answer) => JSON.parse(answer) as RefundAnswer); // as codeOf writes it
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(5);
    const left = { amountMinor: 70, count: 1 };
    expect(await used(limits, subjects)).toEqual([left, left]);
    const rows = await rowsOf(orderId);
    expect(rows.filter(({ outcome }) => outcome === 'refunded')).toHaveLength(5);
  });

  it('and checks that run meanwhile lose nothing', async () => {
    const { limits } = over(database.db, [{ ...DAY, max: { amount: 1_000, count: 1_000 } }]);
    const subjects = { user: `busy-${mode}` };
    const orders = Array.from({ length: 8 }, (_, index) => `busy-${mode}-${index}`);
    for (const orderId of orders) await paid(limits, orderId, subjects, { amountMinor: 50 });
    await Promise.all(
      orders.flatMap((orderId, index) => [
        untilDecided(() => limits.refund(refundOf(orderId, 'r-1', 30), AT)),
        untilDecided(() =>
          limits.check(
            checkOf({ orderId: `new-${mode}-${index}`, subjects, amountMinor: 7, capture: true }),
            AT,
          ),
        ),
      ]),
    );
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 8 * 27, count: 16 }]);
  });
});

const stored = () => countersIn(database.db);

describe('a refund', () => {
  const limitsWith = (...rules: readonly ModelRule[]): AuditedLimits =>
    auditedLimitsOver(database.db, rules, { nonce: tidyingNonce });

  it.each<{
    readonly life: string;
    readonly live: (limits: Limits, user: string) => unknown;
    readonly code: string;
  }>([
    { life: 'never asked', live: () => undefined, code: 'NOT_FOUND' },
    {
      life: 'refused',
      live: (limits, user) =>
        limits.check(checkOf({ orderId: user, subjects: { user }, count: 6 }), AT),
      code: 'NOT_FOUND',
    },
    {
      life: 'held',
      live: (limits, user) => limits.check(checkOf({ orderId: user, subjects: { user } }), AT),
      code: 'NOT_CONFIRMED',
    },
    {
      life: 'rolled back',
      live: async (limits, user) => {
        await limits.check(checkOf({ orderId: user, subjects: { user } }), AT);
        await limits.rollback(orderOf(user, { user }), AT);
      },
      code: 'ALREADY_ROLLED_BACK',
    },
  ])('of an order that was $life is $code', async ({ life, live, code }) => {
    const { limits, rowsOf } = limitsWith(DAY);
    await live(limits, life);
    const before = await stored();
    for (const at of [AT, EXPIRED])
      expect(await codeOf(limits.refund(refundOf(life, 'r-1'), at))).toBe(code);
    expect(await stored()).toEqual(before);
    expect((await rowsOf(life)).at(-1)).toMatchObject({ operation: 'refund', outcome: code });
  });

  it('may be of a payment that was counted at once, or late', async () => {
    const { limits } = limitsWith(DAY);
    const subjects = { user: 'at-once' };
    await paid(limits, 'captured', subjects, { capture: true });
    await limits.check(checkOf({ orderId: 'late', subjects, amountMinor: 40 }), AT);
    await limits.confirm(orderOf('late', subjects), EXPIRED);
    expect(await used(limits, subjects, EXPIRED)).toEqual([{ amountMinor: 340, count: 2 }]);
    await limits.refund(refundOf('captured', 'r-1', 100), EXPIRED);
    await limits.refund(refundOf('late', 'r-1'), EXPIRED);
    expect(await used(limits, subjects, EXPIRED)).toEqual([{ amountMinor: 200, count: 1 }]);
  });

  it('gives back in the windows of the check: yesterday is over, the month is not', async () => {
    const month: ModelRule = {
      ...DAY,
      id: 'user-month',
      window: { unit: 'month', timeZone: 'Asia/Shanghai' },
    };
    const { limits } = limitsWith(DAY, month);
    const subjects = { user: 'midnight' };
    await paid(limits, 'midnight', subjects);
    await limits.check(
      checkOf({ orderId: 'next', subjects, amountMinor: 20, capture: true }),
      TOMORROW,
    );
    const answer = await limits.refund(refundOf('midnight', 'r-1'), TOMORROW);
    expect(answer).toMatchObject({ remaining: 0, windows: { open: 1, over: 1 } });
    const today = { amountMinor: 20, count: 1 };
    expect(await used(limits, subjects, TOMORROW)).toEqual([today, today]);
  });

  it.each([
    { refunds: { count: false }, amountMinor: 0, count: 1, why: 'the count stays' },
    { refunds: { amount: false }, amountMinor: 300, count: 0, why: 'the amount stays' },
    { refunds: { amount: false, count: false }, amountMinor: 300, count: 1, why: 'all stays' },
  ])('leaves what a rule says: $why', async ({ refunds, amountMinor, count, why }) => {
    const keeping: ModelRule = { ...DAY, id: 'keeping', refunds };
    const { limits } = limitsWith(keeping, DAY);
    const subjects = { user: why };
    await paid(limits, why, subjects);
    await limits.refund(refundOf(why, 'r-1', 120), AT);
    await limits.refund(refundOf(why, 'r-2'), AT);
    expect(await used(limits, subjects)).toEqual([
      { amountMinor, count },
      { amountMinor: 0, count: 0 },
    ]);
  });

  it('goes by the rules of the check, whatever became of them since', async () => {
    const subjects = { user: 'edited' };
    const keeping: ModelRule = { ...DAY, id: 'keeping', refunds: { amount: false } };
    await paid(limitsWith(keeping).limits, 'edited', subjects);
    await limitsWith(DAY).limits.refund(refundOf('edited', 'r-1', 100), AT);
    expect(await used(limitsWith(keeping).limits, subjects)).toEqual([
      { amountMinor: 300, count: 1 },
    ]);
  });

  it('is one count back where no amounts are counted, once all is refunded', async () => {
    const { limits } = limitsWith({
      id: 'count',
      per: ['user'],
      window: 'lifetime',
      max: { count: 5 },
      mode: 'enforce',
    });
    const subjects = { user: 'counts' };
    await paid(limits, 'counts', subjects, { count: 3 });
    await limits.refund(refundOf('counts', 'r-1', 299), AT);
    expect(await used(limits, subjects)).toEqual([{ count: 3 }]);
    await limits.refund(refundOf('counts', 'r-2', 1), AT);
    expect(await used(limits, subjects)).toEqual([{ count: 0 }]);
  });

  it('of nothing gives back the count, once', async () => {
    const { limits } = limitsWith(DAY);
    const subjects = { user: 'free' };
    await paid(limits, 'free', subjects, { amountMinor: 0 });
    expect(await codeOf(limits.refund(refundOf('free', 'r-1', 1), AT))).toBe('REFUND_TOO_LARGE');
    expect(await limits.refund(refundOf('free', 'r-1'), AT)).toMatchObject({ remaining: 0 });
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 0, count: 0 }]);
    expect(await codeOf(limits.refund(refundOf('free', 'r-2'), AT))).toBe('REFUND_TOO_LARGE');
  });

  it('is at most the fiftieth of its order', async () => {
    const { limits } = limitsWith(DAY);
    const subjects = { user: 'fifty' };
    await paid(limits, 'fifty', subjects);
    for (let times = 0; times < 50; times++)
      await limits.refund(refundOf('fifty', `r-${times}`, 1), AT);
    await expect(limits.refund(refundOf('fifty', 'r-50', 1), AT)).rejects.toMatchObject({
      code: 'TOO_MANY_REFUNDS',
      message: 'order "fifty" has 50 refunds, the most it may have; nothing was changed',
    });
    expect(await limits.refund(refundOf('fifty', 'r-0', 1), AT)).toMatchObject({
      repeated: true,
      refunded: 1,
      remaining: 299,
    });
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 250, count: 1 }]);
    const status = await limits.status({ appId: 'default', orderId: 'fifty' }, AT);
    expect(status).toMatchObject({ state: 'partlyRefunded', refundedMinor: 50 });
  });

  it('says where the order is in the words of the other calls, or not at all', async () => {
    const { limits } = limitsWith(DAY);
    const subjects = { user: 'where' };
    const answer = await limits.check(checkOf({ orderId: 'where', subjects, capture: true }), AT);
    if (answer.kind !== 'allowed') throw new Error('it fits');
    const { reservation: token = '' } = answer;
    const at = (whereabouts: RefundRequest['whereabouts'], refundId: string): Promise<string> =>
      codeOf(limits.refund(refundOf('where', refundId, 10, whereabouts), AT));
    expect(await at({ kind: 'subjects', subjects }, 'r-1')).toMatch(/"refunded":10,/);
    expect(await at({ kind: 'reservation', token }, 'r-2')).toMatch(/"refunded":20,/);
    expect(await at({ kind: 'recorded' }, 'r-3')).toMatch(/"refunded":30,/);
    const elsewhere = { kind: 'subjects', subjects: { user: 'somebody' } } as const;
    expect(await at(elsewhere, 'r-4')).toBe('NOT_FOUND');
    expect(await at({ kind: 'reservation', token: 'AAAA' }, 'r-4')).toBe('INVALID_REQUEST');
    const others = { ...refundOf('where', 'r-4', 10), appId: 'other' };
    expect(await codeOf(limits.refund(others, AT))).toBe('NOT_FOUND');
  });

  it('finds what was counted though the row of the confirm is lost', async () => {
    const { limits } = limitsWith(DAY, MERCHANT_DAY);
    const subjects = { user: 'lost', merchant: 'lost' };
    await paid(limits, 'lost', subjects);
    const rows = database.db.collection('audit');
    await rows.deleteOne({ orderId: 'lost', outcome: 'confirmed' });
    await limits.refund(refundOf('lost', 'r-1', 100), AT);
    const once = { amountMinor: 200, count: 1 };
    expect(await used(limits, subjects)).toEqual([once, once]);
    // A repeat of the confirm writes a row that does not say where.
    await limits.confirm(orderOf('lost', subjects), AT);
    await limits.refund(refundOf('lost', 'r-2', 100), AT);
    const twice = { amountMinor: 100, count: 1 };
    expect(await used(limits, subjects)).toEqual([twice, twice]);
    await rows.deleteOne({ orderId: 'lost', outcome: 'held' });
    expect(await codeOf(limits.refund(refundOf('lost', 'r-3', 100), AT))).toBe('NOT_RECORDED');
  });

  it('is not made in part where the rows that are left tell of some documents only', async () => {
    const { db } = database;
    const store = crashingStore(patientCounters(db));
    const rules = [DAY, MERCHANT_DAY];
    const { limits } = auditedLimitsOver(db, rules, { counters: store.counters });
    const subjects = { user: 'in-part', merchant: 'in-part' };
    await limits.check(checkOf({ orderId: 'in-part', subjects, amountMinor: 300 }), AT);
    await db.collection('audit').deleteOne({ orderId: 'in-part', outcome: 'held' });
    store.crash({ at: 0, moment: 'after' }); // counted by the user's document
    await expect(limits.confirm(orderOf('in-part', subjects), AT)).rejects.toThrow(CrashError);
    store.crash();
    await limits.confirm(orderOf('in-part', subjects), AT); // its row tells of the merchant's
    expect(await codeOf(limits.refund(refundOf('in-part', 'r-1', 100), AT))).toBe('NOT_RECORDED');
    const all = { amountMinor: 300, count: 1 };
    expect(await used(limits, subjects)).toEqual([all, all]);
  });

  it('is not made in part where the row of a captured payment is lost, and that of its repeat knows home alone', async () => {
    const { limits } = limitsWith(DAY, MERCHANT_DAY);
    const subjects = { user: 'captured, lost', merchant: 'captured, lost' };
    const order = checkOf({ orderId: 'captured, lost', subjects, amountMinor: 300, capture: true });
    await limits.check(order, AT);
    await database.db.collection('audit').deleteOne({ orderId: 'captured, lost' });
    expect(await limits.check(order, AT)).toMatchObject({ repeated: true });
    expect(await codeOf(limits.refund(refundOf('captured, lost', 'r-1', 100), AT))).toBe(
      'NOT_RECORDED',
    );
    const all = { amountMinor: 300, count: 1 };
    expect(await used(limits, subjects)).toEqual([all, all]);
  });

  it.each<{
    readonly asked: string;
    readonly ask: (limits: Limits, order: CheckRequest) => unknown;
    readonly rows: readonly string[];
  }>([
    { asked: 'nothing', ask: () => undefined, rows: ['held'] },
    {
      asked: 'for a check again',
      ask: (limits, order) => limits.check(order, LATER),
      rows: ['held', 'confirmed'],
    },
  ])(
    'gives back what each document counted where the confirm was cut after home, and its caller asked $asked',
    async ({ asked, ask, rows }) => {
      const { db } = database;
      const store = crashingStore(patientCounters(db));
      const counters = store.counters;
      const { limits, rowsOf } = auditedLimitsOver(db, [DAY, MERCHANT_DAY], { counters });
      const subjects = { user: asked, merchant: asked };
      await paid(limits, `other, ${asked}`, subjects, { amountMinor: 70 });
      const order = checkOf({ orderId: asked, subjects, amountMinor: 300 });
      await limits.check(order, AT);
      store.crash({ at: 0, moment: 'after' });
      await expect(limits.confirm(orderOf(asked, subjects), AT)).rejects.toThrow(CrashError);
      store.crash();
      await ask(limits, order);
      await limits.refund(refundOf(asked, 'r-1', 100), LATER);
      const left = { amountMinor: 270, count: 2 };
      expect(await used(limits, subjects)).toEqual([left, left]);
      expect((await rowsOf(asked)).map(({ outcome }) => outcome)).toEqual([...rows, 'refunded']);
      await limits.confirm(orderOf(asked, subjects), AT);
      expect(await used(limits, subjects)).toEqual([left, left]);
    },
  );

  it.each([
    { row: 'kept', rows: ['held', 'confirmed', 'refunded'] },
    { row: 'lost', rows: ['held', 'refunded'] },
    { row: 'written by a repeat', rows: ['held', 'confirmed', 'refunded'] },
  ])(
    'gives back nothing where a late confirm was not counted: its share was swept, and its row is $row',
    async ({ row, rows }) => {
      const { limits, rowsOf } = limitsWith(DAY, BUSY_MERCHANT);
      const merchant = `swept, ${row}`;
      const subjects = { user: merchant, merchant };
      const check = checkOf({ orderId: merchant, subjects, amountMinor: 300 });
      await limits.check(check, AT);
      // The merchant's document keeps only so many of those that nobody settled for late confirms.
      const newer = Array.from({ length: KEPT_MOST }, (_, index) => {
        const orderId = `${index}, ${row}`;
        return checkOf({ orderId, subjects: { user: orderId, merchant }, amountMinor: 1 });
      });
      for (const some of [newer.slice(0, 100), newer.slice(100)])
        await limits.checkMany(some, false, AT);
      // Another payment, after the time of all: it sweeps them.
      const later = { ...check, orderId: `next, ${row}`, subjects: { user: 'next', merchant } };
      await limits.check({ ...later, capture: true }, SWEPT);
      const late = await limits.confirm(orderOf(merchant, subjects), SWEPT);
      expect(late).toMatchObject({ late: true, uncounted: [`merchant:${merchant}`] });
      const told = { orderId: merchant, outcome: 'confirmed' };
      if (row !== 'kept') await database.db.collection('audit').deleteOne(told);
      if (row === 'written by a repeat') await limits.confirm(orderOf(merchant, subjects), SWEPT);
      await limits.refund(refundOf(merchant, 'r-1', 100), SWEPT);
      expect((await rowsOf(merchant)).map(({ outcome }) => outcome)).toEqual(rows);
      expect(await used(limits, subjects, SWEPT)).toEqual([
        { amountMinor: 200, count: 1 },
        { amountMinor: 300, count: 1 }, // of the other payment
      ]);
    },
  );

  it('is answered again as it was first, though a document may not have counted the payment by now', async () => {
    const { limits } = limitsWith(DAY, BUSY_MERCHANT);
    const subjects = { user: 'forgetful', merchant: 'forgetful' };
    await paid(limits, 'forgetful', subjects);
    await database.db.collection('audit').deleteOne({ orderId: 'forgetful', outcome: 'confirmed' });
    const first = await limits.refund(refundOf('forgetful', 'r-1', 100), AT);
    expect(first).toMatchObject({ repeated: false, windows: { open: 2, over: 0 } });
    const newer = Array.from({ length: KEPT_MOST + 1 }, (_, index) => {
      const orderId = `${index} forgotten`;
      return checkOf({ orderId, subjects: { ...subjects, user: orderId }, amountMinor: 1 });
    });
    for (const some of [newer.slice(0, 100), newer.slice(100)])
      await limits.checkMany(some, false, AT);
    await paid(limits, 'sweeps', { ...subjects, user: 'sweeps' }, { capture: true }, SWEPT);
    const again = await limits.refund(refundOf('forgetful', 'r-1', 100), SWEPT);
    expect(again).toEqual({ ...first, repeated: true });
  });

  it('gives back nothing where what was captured came too late to be counted', async () => {
    const inner = patientCounters(database.db);
    const { limits: others } = limitsWith(DAY, BUSY_MERCHANT);
    const subjects = { user: 'slow', merchant: 'slow' };
    let isSlow = true;
    const counters: CounterStore = {
      ...inner,
      // Its caller stands still, once its home has counted the order.
      async settleShares(...asked) {
        if (isSlow) {
          isSlow = false;
          const newer = Array.from({ length: KEPT_MOST }, (_, index) => {
            const orderId = `${index} while it was slow`;
            return checkOf({ orderId, subjects: { ...subjects, user: orderId }, amountMinor: 1 });
          });
          for (const some of [newer.slice(0, 100), newer.slice(100)])
            await others.checkMany(some, false, AT);
          await paid(others, 'faster', { ...subjects, user: 'faster' }, { capture: true }, SWEPT);
        }
        return inner.settleShares(...asked);
      },
    };
    const { limits, rowsOf } = auditedLimitsOver(database.db, [DAY, BUSY_MERCHANT], { counters });
    const order = checkOf({ orderId: 'slow', subjects, amountMinor: 200, capture: true });
    expect(await limits.check(order, AT)).toMatchObject({
      uncounted: ['merchant:slow'],
      rules: [{ used: { amountMinor: 200 } }, { used: { amountMinor: 0 } }],
    });
    expect(await rowsOf('slow')).toMatchObject([
      { documents: ['user:slow', 'merchant:slow'], shares: [{ document: 'user:slow' }] },
    ]);
    await limits.refund(refundOf('slow', 'r-1', 100), SWEPT);
    expect(await used(limits, subjects, SWEPT)).toEqual([
      { amountMinor: 100, count: 1 },
      { amountMinor: 300, count: 1 }, // of the other payment
    ]);
  });

  it('gives back nothing if the document is gone, and is recorded anyway', async () => {
    const { limits } = limitsWith(DAY);
    await paid(limits, 'gone', { user: 'gone' });
    await storedCounters(database.db).deleteOne({ _id: 'user:gone' });
    await limits.refund(refundOf('gone', 'r-1', 100), AT);
    expect(await codeOf(limits.refund(refundOf('gone', 'r-2', 201), AT))).toBe('REFUND_TOO_LARGE');
    const found = await storedCounters(database.db).findOne({ _id: 'user:gone' });
    expect(found).toBeNull();
  });

  it('never takes a sum below zero, whatever became of it', async () => {
    const { limits } = limitsWith(DAY);
    const subjects = { user: 'damaged' };
    await paid(limits, 'damaged', subjects);
    await damageBuckets(database.db, 'user:damaged', [{ usedAmount: -290 }]); // 10 are left
    await limits.refund(refundOf('damaged', 'r-1', 100), AT);
    expect(await used(limits, subjects)).toEqual([{ amountMinor: 0, count: 1 }]);
  });

  it('is told apart from one of an order whose id was used again after it was forgotten', async () => {
    const { limits } = limitsWith({ ...DAY, window: 'lifetime' });
    const subjects = { user: 'reused' };
    await paid(limits, 'reused', subjects);
    await limits.refund(refundOf('reused', 'r-1'), AT);
    await storedCounters(database.db).updateOne({ _id: 'user:reused' }, { $set: { settled: [] } });
    await limits.check(
      checkOf({ orderId: 'reused', subjects, amountMinor: 80, capture: true }),
      TOMORROW,
    );
    const answer = await limits.refund(refundOf('reused', 'r-2', 50), TOMORROW);
    expect(answer).toMatchObject({ refunded: 50, remaining: 30 });
    expect(await used(limits, subjects, TOMORROW)).toEqual([{ amountMinor: 30, count: 1 }]);
  });

  it('is told to be unavailable where no audit is kept', async () => {
    const limits = limitsOver(database.db, [DAY]);
    await expect(limits.refund(refundOf('o-1', 'r-1'))).rejects.toMatchObject({
      code: 'AUDIT_OFF',
      message:
        'what a refund gives back needs the audit, and this deployment has none: set AUDIT to best-effort or session',
    });
  });

  it('is kept a day longer than the rows that say what was counted', async () => {
    const { limits } = limitsWith(DAY);
    await paid(limits, 'kept', { user: 'kept' });
    await limits.refund(refundOf('kept', 'r-1', 1), AT);
    const [row] = await database.db
      .collection('audit')
      .find({ orderId: 'kept', outcome: 'confirmed' })
      .toArray();
    const [ledger] = await database.db
      .collection<{ _id: string }>('refunds')
      .find({ _id: /kept/ })
      .toArray();
    const dayLater = new Date(Number(row?.expireAt) + 86_400_000);
    expect(ledger).toMatchObject({ amount: 300, expireAt: dayLater });
  });
});
