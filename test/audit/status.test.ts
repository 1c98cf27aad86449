import { describe, expect, it } from 'vitest';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';

const database = useDatabase();

const AT = new Date('2026-03-02T10:00:00.000Z');
const OPEN = new Date('2026-03-02T10:14:59.999Z');
const EXPIRED = new Date('2026-03-02T10:15:00.000Z');
const AGAIN = new Date('2026-03-02T10:20:00.000Z');

type Step = (limits: Limits, subjects: CheckRequest['subjects'], orderId: string) => unknown;

const check =
  (at: Date, change: Partial<CheckRequest> = {}): Step =>
  (limits, subjects, orderId) =>
    limits.check(checkOf({ orderId, subjects, ...change }), at);
const confirm =
  (at: Date, amountMinor?: number): Step =>
  (limits, subjects, orderId) =>
    limits.confirm(
      { ...orderOf(orderId, subjects), ...(amountMinor === undefined ? {} : { amountMinor }) },
      at,
    );
const rollback =
  (at: Date): Step =>
  (limits, subjects, orderId) =>
    limits.rollback(orderOf(orderId, subjects), at);

// prettier-ignore
const LIVES: readonly {
  readonly life: string;
  readonly steps: readonly Step[];
  readonly now: Date;
  readonly state: string;
  readonly amountMinor?: number;
  readonly told: readonly string[];
}[] = [
  { life: 'never asked', steps: [], now: AT, state: 'unknown', told: [] },
  { life: 'a dry run', steps: [check(AT, { dryRun: true })], now: AT, state: 'unknown', told: [] },
  { life: 'held, and not yet expired', steps: [check(AT)], now: OPEN, state: 'held', amountMinor: 100, told: ['held'] },
  { life: 'held, to the very millisecond of its end', steps: [check(AT)], now: EXPIRED, state: 'expired', amountMinor: 100, told: ['held'] },
  { life: 'refused', steps: [check(AT, { amountMinor: 501 })], now: AT, state: 'refused', amountMinor: 501, told: ['refused'] },
  { life: 'confirmed for less', steps: [check(AT), confirm(OPEN, 90)], now: AGAIN, state: 'confirmed', amountMinor: 90, told: ['held', 'confirmed'] },
  { life: 'confirmed after its time', steps: [check(AT), confirm(EXPIRED)], now: AGAIN, state: 'late', amountMinor: 100, told: ['held', 'confirmed'] },
  { life: 'counted at once', steps: [check(AT, { capture: true })], now: AGAIN, state: 'confirmed', amountMinor: 100, told: ['confirmed'] },
  {
    life: 'rolled back, then confirmed in vain',
    steps: [check(AT), rollback(OPEN), confirm(AGAIN)],
    now: AGAIN,
    state: 'rolledBack',
    amountMinor: 100,
    told: ['held', 'rolledBack', 'ALREADY_ROLLED_BACK'],
  },
  { life: 'refused, then held', steps: [check(AT, { amountMinor: 501 }), check(OPEN)], now: OPEN, state: 'held', amountMinor: 100, told: ['refused', 'held'] },
  { life: 'expired, then held again', steps: [check(AT), check(AGAIN)], now: AGAIN, state: 'held', amountMinor: 100, told: ['held', 'held'] },
  { life: 'used for something else in vain', steps: [check(AT), check(OPEN, { amountMinor: 99 })], now: OPEN, state: 'held', amountMinor: 100, told: ['held', 'ORDER_REUSED'] },
];

describe('the status of an order', () => {
  describe.each([
    { of: 'a user', more: {} },
    { of: 'a pair with a document', more: { per: ['user', 'payee'], counterparts: 'many' } },
  ] as const)('of $of', ({ of, more }) => {
    it.each(LIVES)('$life: $state', async ({ life, steps, now, state, amountMinor, told }) => {
      const rule: ModelRule = { ...USER_DAY, max: { amount: 500 }, ...more };
      const { limits } = auditedLimitsOver(database.db, [rule]);
      const orderId = `${life} of ${of}`;
      const subjects = { user: orderId, payee: 'p-1' };
      for (const step of steps)
        await Promise.resolve(step(limits, subjects, orderId)).catch(() => undefined);
      const status = await limits.status({ appId: 'default', orderId }, now);
      expect(status).toMatchObject({ orderId, state, now });
      expect(status.amountMinor).toBe(amountMinor);
      expect(status.history.map(({ outcome }) => outcome)).toEqual(told);
      if (state !== 'unknown') expect(status.subjects).toEqual(subjects);
    });
  });

  it.each(['as they were written', 'the other way round'] as const)(
    'tells a refused try before the hold of the same millisecond, with rows stored %s',
    async (way) => {
      const { limits } = auditedLimitsOver(database.db, [{ ...USER_DAY, max: { amount: 500 } }]);
      const subjects = { user: way };
      for (const amountMinor of [501, 100])
        await limits.check(checkOf({ orderId: way, subjects, amountMinor }), AT);
      const rows = await auditCollection(database.db).find({ orderId: way }).toArray();
      const stored = rows.toSorted((a, b) => Number(a.effective) - Number(b.effective));
      if (way === 'the other way round') stored.reverse();
      await auditCollection(database.db).deleteMany({ orderId: way });
      await auditCollection(database.db).insertMany(stored);
      const { history } = await limits.status({ appId: 'default', orderId: way }, AT);
      expect(history.map(({ outcome }) => outcome)).toEqual(['refused', 'held']);
    },
  );

  it('goes by the clock of the database, and gives what a lost answer had', async () => {
    const { limits } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'lost' };
    const answer = await limits.check(checkOf({ orderId: 'lost', subjects, holdMs: 1_000 }));
    if (answer.kind !== 'allowed') throw new Error('it fits');
    const { reservation, holdExpiresAt } = answer;
    const order = { appId: 'default', orderId: 'lost' };
    const held = await limits.status(order);
    expect(held).toMatchObject({ state: 'held', subjects, currency: 'CNY' });
    expect(held).toMatchObject({ reservation, holdExpiresAt });
    await expect
      .poll(async () => (await limits.status(order)).state, { timeout: 5_000 })
      .toBe('expired');
  });

  it('names all subjects of the check, whichever a settlement named', async () => {
    const { limits } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'some', merchant: 'some' };
    await limits.check(checkOf({ orderId: 'some', subjects }), AT);
    await limits.confirm(orderOf('some', { user: 'some' }), AT);
    const status = await limits.status({ appId: 'default', orderId: 'some' }, AT);
    expect(status).toMatchObject({ state: 'confirmed', subjects });
  });

  it('belongs to the application that asked', async () => {
    const { limits } = auditedLimitsOver(database.db, [USER_DAY]);
    await limits.check(checkOf({ orderId: 'mine', subjects: { user: 'mine' } }));
    expect(await limits.status({ appId: 'other', orderId: 'mine' })).toMatchObject({
      state: 'unknown',
      history: [],
    });
  });

  it('is not hidden by what was tried in vain since, of which the newest is told', async () => {
    const { limits } = auditedLimitsOver(database.db, [USER_DAY]);
    const subjects = { user: 'tried' };
    await limits.check(checkOf({ orderId: 'tried', subjects }));
    await limits.rollback(orderOf('tried', subjects));
    for (let times = 0; times < 110; times++)
      await limits.confirm(orderOf('tried', subjects)).catch(() => undefined);
    const status = await limits.status({ appId: 'default', orderId: 'tried' });
    expect(status).toMatchObject({ state: 'rolledBack', amountMinor: 100 });
    expect(status.history).toHaveLength(100);
    const told = new Set(status.history.map(({ outcome }) => outcome));
    expect(told).toEqual(new Set(['ALREADY_ROLLED_BACK']));
  });

  it('is told to be unavailable where no audit is kept', async () => {
    const limits = limitsOver(database.db, [USER_DAY]);
    await expect(limits.status({ appId: 'default', orderId: 'o-1' })).rejects.toMatchObject({
      code: 'AUDIT_OFF',
      message:
        'the status of an order needs the audit, and this deployment has none: set AUDIT to best-effort or session',
    });
  });
});
