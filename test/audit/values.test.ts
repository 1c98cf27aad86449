import { describe, expect, it } from 'vitest';
import { AUDIT_MENDS, mend } from '../../lib/audit/reconcile/mongo-mend.ts';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { mongoHistory } from '../../lib/audit/history/mongo-history.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import type { ModelRule } from '../model/model-types.ts';
import { AUDITED } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { NOON_ZONE, checkOf, orderOf, refundOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

/** What refunds, reconcile and history make of rules that count different values. */

const database = useDatabase({ withIndexes: true });

const CARDS: ModelRule = {
  id: 'cards',
  per: ['user'],
  distinct: 'card',
  window: { unit: 'day', timeZone: NOON_ZONE },
  max: { count: 3 },
  mode: 'enforce',
};
const SHOP: ModelRule = { ...CARDS, id: 'shop', per: ['merchant'], max: { count: 100 } };
const STUBBORN: ModelRule = { ...CARDS, id: 'stubborn', refunds: { count: false } };

type Values = Readonly<Record<'d' | 'ud', Readonly<Record<string, unknown>>>>;

describe.each(AUDITED)('with the audit $mode', ({ mode, over }) => {
  const subjects = { user: `u-${mode}`, merchant: `m-${mode}` };
  const documents = [`user:${subjects.user}`, `merchant:${subjects.merchant}`] as const;

  it('a refund of all of a payment gives its value back, unless the count stays', async () => {
    const { limits } = over(database.db, [CARDS, SHOP, STUBBORN]);
    const check = (orderId: string, card: string) =>
      limits.check(checkOf({ orderId, subjects, amountMinor: 10, attributes: { card } }));
    const countsOf = (answer: CheckAnswer) =>
      answer.kind === 'undecided'
        ? []
        : answer.rules.map(({ rule, used, held }) => [rule.id, used?.count, held?.count]);
    for (const [orderId, card] of [
      ['a', 'one'],
      ['b', 'one'],
      ['c', 'two'],
      ['d', 'three'],
    ] as const) {
      await check(`${mode}-${orderId}`, card);
      if (orderId !== 'd') await limits.confirm(orderOf(`${mode}-${orderId}`, subjects));
    }
    await limits.refund(refundOf(`${mode}-a`, 'r-1', 10));
    await limits.refund(refundOf(`${mode}-c`, 'r-1', 4));
    expect(countsOf(await check(`${mode}-e`, 'one'))).toEqual([
      ['cards', 2, 1],
      ['shop', 2, 1],
      ['stubborn', 2, 1],
    ]);
    await limits.refund(refundOf(`${mode}-c`, 'r-2', 6));
    await limits.rollback(orderOf(`${mode}-d`, subjects));
    expect(countsOf(await check(`${mode}-f`, 'one'))).toEqual([
      ['cards', 1, 0],
      ['shop', 1, 0],
      ['stubborn', 2, 0],
    ]);
  });

  it('reconcile finds values as rows have them, and mends one that somebody changed', async () => {
    const counters = database.db.collection<CounterDocument>(COUNTERS);
    const differences = async () => {
      const looks = await lookAt(database.db, documents, { lateMs: 0 });
      return documents.map((document) => looks.get(document)?.differences);
    };
    expect(await differences()).toEqual([[], []]);
    const [home] = documents;
    const found = await counters.findOne({ _id: home });
    const buckets = Object.entries((found as unknown as { b: Record<string, Values> }).b);
    const [name = '', { ud }] = buckets.find(([each]) => each.includes('~cn~')) ?? ['', { ud: {} }];
    const [card = ''] = Object.keys(ud);
    await counters.updateOne(
      { _id: home },
      { $inc: { [`b.${name}.d.${card}`]: 5, [`b.${name}.ud.${card}`]: 5 } },
    );
    const [changed = []] = await differences();
    expect(changed).toMatchObject([{ kind: 'sum', sum: 'usedCount', value: card }]);
    const looks = await lookAt(database.db, documents, { lateMs: 0 });
    const look = looks.get(home);
    expect(look).toBeDefined();
    if (look !== undefined) await mend(database.db, home, look, look.differences);
    expect(await differences()).toEqual([[], []]);
    const noted = database.db.collection(AUDIT_MENDS).find({ document: home });
    const moved = { kind: 'sum', sum: 'usedCount', value: card, stored: 7, expected: 2 };
    expect(await noted.toArray()).toMatchObject([{ at: look?.now, differences: [moved] }]);
  });

  it.each(['value', 'bucket'])(
    'reconcile finds a %s that is gone while an order is held',
    async (gone) => {
      const user = `${gone}-${mode}`;
      const home = `user:${user}`;
      const { limits } = over(database.db, [CARDS]);
      await limits.check(
        checkOf({ orderId: user, subjects: { user }, attributes: { card: 'one' } }),
      );
      const counters = database.db.collection<CounterDocument>(COUNTERS);
      const valuesIn = async () => {
        const found = await counters.findOne({ _id: home });
        return Object.values((found as unknown as { b: Record<string, Values> }).b).map(
          ({ d }) => d,
        );
      };
      const before = await valuesIn();
      const found = await counters.findOne({ _id: home });
      const [name = ''] = Object.keys((found as unknown as { b: object }).b);
      await counters.updateOne(
        { _id: home },
        { $unset: { [gone === 'value' ? `b.${name}.d` : `b.${name}`]: true } },
      );
      const look = (await lookAt(database.db, [home], { lateMs: 0 })).get(home);
      expect(look?.differences).toContainEqual(
        expect.objectContaining({
          sum: 'heldCount',
          value: expect.any(String) as unknown,
          stored: 0,
          expected: 1,
        }),
      );
      if (look !== undefined) await mend(database.db, home, look, look.differences);
      expect(await valuesIn()).toEqual(before);
    },
  );

  it('history by such a rule is refused', async () => {
    const history = mongoHistory({
      rows: auditCollection(database.db),
      timeoutMs: 10_000,
      rules: () => Promise.resolve([libRule(CARDS)]),
      knownKinds: [],
      machineNow: () => new Date(),
    });
    const last = { count: 1, unit: 'day' } as const;
    const asked = { rule: 'cards', subjects: { user: 'u-1' }, last, zone: undefined };
    await expect(history.usageHistory(asked)).rejects.toThrow(
      'rule is "cards", which counts different values, expected a rule that counts orders',
    );
  });
});
