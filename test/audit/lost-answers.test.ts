/** Calls whose first answer was lost, and that were repeated, as UNDECIDED says. */
import { describe, expect, it } from 'vitest';
import { isDoubtful } from '../../lib/audit/reconcile/difference.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { mend } from '../../lib/audit/reconcile/mongo-mend.ts';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import type { AuditedLimits } from '../support/audit-fixture.ts';
import { auditedLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, orderOf, refundOf, recordOf } from '../support/limits-fixture.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { ModelRule } from '../model/model-types.ts';

const database = useDatabase({ withIndexes: true });

/** No window of these ends while a test runs. */
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, window: 'lifetime' },
  { ...USER_DAY, id: 'hour', window: { rollingMs: 86_400_000, stepMs: 3_600_000 } },
  { ...USER_DAY, id: 'merchant', per: ['merchant'], window: 'lifetime' },
];

type Statement = 'hold' | 'settle';

/** The first answer of each of these statements at home is lost. */
function losing(...statements: readonly Statement[]): CounterStore {
  const inner = patientCounters(database.db);
  const left = new Set<Statement>(statements);
  const lost = <Answer>(statement: Statement, document: string, answer: Answer): Answer => {
    if (document.startsWith('user:') && left.delete(statement))
      throw new UndecidedError('the answer was lost');
    return answer;
  };
  return {
    ...inner,
    hold: async (ask, at) => lost('hold', ask.document, await inner.hold(ask, at)),
    settle: async (document, ...asked) =>
      lost('settle', document, await inner.settle(document, ...asked)),
  };
}

/** Makes a call, and once more where its answer was lost. */
async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof UndecidedError)) throw error;
    return call();
  }
}

const refund = (limits: Limits, orderId: string) => limits.refund(refundOf(orderId, 'r-1'));

async function differences(
  subjects: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const documents = Object.entries(subjects).map(([kind, id]) => `${kind}:${id}`);
  const looks = await lookAt(database.db, documents, { lateMs: 0 });
  return [...looks.values()].flatMap((look) => look.differences);
}

const usedBy = async (limits: Limits, subjects: Readonly<Record<string, string>>) => {
  const { rules } = await limits.usage({ appId: 'default', subjects });
  return rules.map(({ rule, used }) => [rule.id, used?.amountMinor]);
};

const WIDTHS = [
  { name: 'one document', subjectsOf: (id: string) => ({ user: id }) },
  { name: 'two documents', subjectsOf: (id: string) => ({ user: id, merchant: id }) },
];

describe.each(WIDTHS)('an order of $name', ({ name, subjectsOf }) => {
  const nothing = (subjects: object) =>
    ['user-day', 'hour', ...('merchant' in subjects ? ['merchant'] : [])].map((rule) => [rule, 0]);

  it('that is counted at once is refunded in its windows, and reconcile finds nothing', async () => {
    const orderId = `capture ${name}`;
    const subjects = subjectsOf(orderId);
    const { limits } = auditedLimitsOver(database.db, RULES, { counters: losing('hold') });
    const check = () => limits.check(checkOf({ orderId, subjects, capture: true }));
    expect(await untilAnswered(check)).toMatchObject({ state: 'confirmed', repeated: true });
    expect(await differences(subjects)).toEqual([]);
    expect(await refund(limits, orderId)).toMatchObject({ amount: 100 });
    expect(await usedBy(limits, subjects)).toEqual(nothing(subjects));
    expect(await differences(subjects)).toEqual([]);
  });

  it('that is counted at once, and rolled back as its answer is lost, counts everywhere until it is refunded', async () => {
    const orderId = `given up ${name}`;
    const subjects = subjectsOf(orderId);
    const { limits } = auditedLimitsOver(database.db, RULES, { counters: losing('hold') });
    const check = () => limits.check(checkOf({ orderId, subjects, capture: true }));
    await expect(check()).rejects.toMatchObject({ code: 'UNDECIDED' });
    const byHome = { kind: 'subjects', subjects } as const;
    await expect(limits.refund(refundOf(orderId, 'r-1', undefined, byHome))).rejects.toMatchObject({
      code: 'NOT_RECORDED',
    });
    await expect(limits.rollback(orderOf(orderId, subjects))).rejects.toMatchObject({
      code: 'ALREADY_CONFIRMED',
    });
    expect((await usedBy(limits, subjects)).map(([, used]) => used)).toEqual(
      nothing(subjects).map(() => 100),
    );
    // The row of the rollback says whose order it may be.
    await expect(refund(limits, orderId)).rejects.toMatchObject({ code: 'NOT_RECORDED' });
    expect(await check()).toMatchObject({ state: 'confirmed', repeated: true });
    expect(await refund(limits, orderId)).toMatchObject({ amount: 100 });
    expect(await usedBy(limits, subjects)).toEqual(nothing(subjects));
    expect(await differences(subjects)).toEqual([]);
  });

  it.each([
    { lost: ['hold'] as const, why: 'the row of its check tells' },
    {
      lost: ['hold', 'settle'] as const,
      why: 'the row of its check tells, and not of its confirm',
    },
  ])(
    'that is held and confirmed is refunded where $lost was answered too late: $why',
    async ({ lost }) => {
      const orderId = `${lost.join(' and ')} ${name}`;
      const subjects = subjectsOf(orderId);
      const { limits } = auditedLimitsOver(database.db, RULES, { counters: losing(...lost) });
      await untilAnswered(() => limits.check(checkOf({ orderId, subjects })));
      await untilAnswered(() => limits.confirm(orderOf(orderId, subjects)));
      expect(await differences(subjects)).toEqual([]);
      expect(await refund(limits, orderId)).toMatchObject({ amount: 100 });
      expect(await usedBy(limits, subjects)).toEqual(nothing(subjects));
      expect(await differences(subjects)).toEqual([]);
    },
  );
});

it('a payment of one document that was recorded is refunded in its windows, and reconcile finds nothing', async () => {
  const subjects = { user: 'recorded' };
  const { limits } = auditedLimitsOver(database.db, RULES, { counters: losing('hold') });
  const happenedAt = new Date(Date.now() - 1_000);
  const request = recordOf({ orderId: 'recorded', subjects, happenedAt });
  const [lost] = await limits.recordMany([request]);
  expect(lost).toMatchObject({ kind: 'failed' });
  const [again] = await limits.recordMany([request]);
  expect(again).toMatchObject({ answer: { repeated: true } });
  expect(await differences(subjects)).toEqual([]);
  expect(await refund(limits, 'recorded')).toMatchObject({ amount: 100 });
  expect(await usedBy(limits, subjects)).toEqual([
    ['user-day', 0],
    ['hour', 0],
  ]);
});

describe('a captured payment whose repeat comes', () => {
  const [evening, morning] = [
    new Date('2026-03-02T15:59:59.900Z'),
    new Date('2026-03-02T16:00:01.000Z'),
  ];
  const rowsAfter = async (
    orderId: string,
    over: (rules: readonly ModelRule[], counters: CounterStore) => AuditedLimits,
    later: readonly ModelRule[],
  ) => {
    const counters = losing('hold');
    const request = checkOf({ orderId, subjects: { user: orderId }, capture: true });
    const { limits } = over([USER_DAY], counters);
    await expect(limits.check(request, evening)).rejects.toThrow(UndecidedError);
    const { limits: after, rowsOf } = over(later, counters);
    expect(await after.check(request, morning)).toMatchObject({ repeated: true });
    return { limits: after, rows: await rowsOf(orderId) };
  };
  const over = (rules: readonly ModelRule[], counters: CounterStore): AuditedLimits =>
    auditedLimitsOver(database.db, rules, { counters });

  it('on the next day has the row of the day on which it was counted', async () => {
    const { rows } = await rowsAfter('midnight', over, [USER_DAY]);
    const start = new Date('2026-03-01T16:00:00.000Z');
    expect(rows).toMatchObject([{ shares: [{ document: 'user:midnight', buckets: [{ start }] }] }]);
  });

  it('when other rules count has a row that does not say where, and no refund', async () => {
    const added = { ...USER_DAY, id: 'added', window: { unit: 'month' as const, timeZone: 'UTC' } };
    const { limits, rows } = await rowsAfter('other rules', over, [USER_DAY, added]);
    expect(rows).toMatchObject([{ outcome: 'confirmed', shares: [] }]);
    await expect(refund(limits, 'other rules')).rejects.toMatchObject({ code: 'NOT_RECORDED' });
  });
});

it.each([
  { damage: 0, used: 100, why: 'home remembers the payment, though no row says where it counts' },
  { damage: 900, used: 100, why: 'it takes what home does not remember' },
])('--repair leaves $used of 100 and $damage, because $why', async ({ damage, used }) => {
  const subjects = { user: `lost ${damage}` };
  const { limits } = auditedLimitsOver(database.db, RULES, {
    counters: losing('hold', 'settle'),
  });
  const check = limits.check(checkOf({ orderId: 'lost', subjects }));
  await expect(check).rejects.toThrow(UndecidedError);
  await untilAnswered(() => limits.confirm(orderOf('lost', subjects)));
  const counters = database.db.collection<{ _id: string; b: object }>(COUNTERS);
  const document = `user:${subjects.user}`;
  const names = Object.keys((await counters.findOne({ _id: document }))?.b ?? {});
  const $inc = Object.fromEntries(names.map((name) => [`b.${name}.a`, damage]));
  await counters.updateOne({ _id: document }, { $inc });
  const look = (await lookAt(database.db, [document], { lateMs: 0 })).get(document);
  if (look === undefined) throw new Error('a document that is asked for is looked at');
  expect(look.differences.map((one) => isDoubtful(one, new Date(0)))).not.toContain(true);
  await mend(database.db, document, look, look.differences);
  expect(await usedBy(limits, subjects)).toEqual([
    ['user-day', used],
    ['hour', used],
  ]);
});
