import { describe, expect, it } from 'vitest';
import { OUTCOMES_DEFAULT } from '../../lib/shared/bounds.ts';
import type { LimitsOptions } from '../../lib/edge/limits.ts';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, checkOf, orderOf, limitsOver } from '../support/limits-fixture.ts';
import { PLAIN_OFF } from '../support/lanes.ts';
import { mingoStore } from '../support/mingo-store.ts';

const AT = new Date('2026-03-02T10:00:00.000Z');

const RULES: readonly ModelRule[] = [
  { ...USER_DAY, id: 'shop', per: ['merchant'], max: { count: 100_000 } },
  { ...USER_DAY, id: 'card', per: ['card'], max: { count: 100 } },
];

it('a check over a card and its home, a merchant, where as much ends as is remembered between each of its reads and its holds is decided, and not given up', async () => {
  const store = mingoStore({ lanes: PLAIN_OFF });
  const over = (counters: CounterStore, options: Partial<LimitsOptions> = {}) =>
    limitsOver(counters, RULES, { homeKinds: ['merchant'], ...options });
  const others = over(store);
  let calls = 0;
  const overtaken: CounterStore = {
    ...store,
    async hold(ask, at) {
      if (ask.document === 'merchant:m') {
        calls += 1;
        const orders = Array.from({ length: OUTCOMES_DEFAULT }, (_, order) =>
          checkOf({
            ...{ orderId: `other-${calls}-${order}`, subjects: { merchant: 'm' } },
            capture: true,
          }),
        );
        await others.checkMany(orders, false, AT);
      }
      return store.hold(ask, at);
    },
  };
  const order = checkOf({ orderId: 'o-1', subjects: { merchant: 'm', card: 'c' } });
  expect(await over(overtaken).check(order, AT)).toMatchObject({ kind: 'allowed' });
  expect(calls).toBe(3);
  expect(await others.check(order, AT)).toMatchObject({ kind: 'allowed', repeated: true });
});

const BOTH = { user: 'u-1', merchant: 'm-1' };
const TWO_RULES: readonly ModelRule[] = [
  USER_DAY,
  { ...USER_DAY, id: 'merchant-day', per: ['merchant'] },
];
const inOneCommit = (counters: CounterStore, rules = TWO_RULES) =>
  limitsOver(counters, rules, { inOneCommit: true });

/** A store of which a first commit is overtaken, once it has done everything, by another call. */
function overtaken(store: CounterStore, other: () => Promise<unknown>): CounterStore {
  let commits = 0;
  return {
    ...store,
    together: (work) =>
      store.together(async (counters) => {
        const result = await work(counters);
        commits += 1;
        if (commits === 1) await other();
        return result;
      }),
  };
}

describe('a settlement whose commit begins again, CONSISTENCY=session', () => {
  it.each(['confirm', 'rollback'] as const)(
    'tells of the %s that was committed, not of the order that was not there before',
    async (call) => {
      const store = mingoStore();
      const others = inOneCommit(store);
      const check = () => others.check(checkOf({ orderId: 'o-1', subjects: BOTH }), AT);
      const limits = inOneCommit(overtaken(store, check));
      const told = await limits[call](orderOf('o-1', BOTH), AT);
      expect(told).toMatchObject({ repeated: false });
      const { rules } = await others.usage({ appId: 'default', subjects: BOTH }, AT);
      const used =
        call === 'confirm' ? { amountMinor: 100, count: 1 } : { amountMinor: 0, count: 0 };
      expect(rules.map((rule) => rule.used)).toEqual([used, used]);
    },
  );

  it('tells each order of a call of many of that commit alone', async () => {
    const store = mingoStore();
    const others = inOneCommit(store);
    await others.check(checkOf({ orderId: 'o-1', subjects: BOTH }), AT);
    const rollback = () => others.rollback(orderOf('o-1', BOTH), AT);
    const limits = inOneCommit(overtaken(store, rollback));
    const asked = ['o-1', 'o-2'].map((id) => ({ ...orderOf(id, BOTH), to: 'confirmed' as const }));
    expect(await limits.settleMany(asked, AT)).toMatchObject([
      { kind: 'failed', error: { code: 'ALREADY_ROLLED_BACK' } },
      { kind: 'failed', error: { code: 'NOT_FOUND' } },
    ]);
  });
});

it('a check in one commit stores nothing just after its rules ended', async () => {
  const store = mingoStore();
  const rules = TWO_RULES.map((rule) => ({ ...rule, to: AT }));
  const limits = inOneCommit(store, rules);
  const order = checkOf({ orderId: 'o-1', subjects: BOTH });
  const after = new Date(AT.getTime() + 500);
  expect(await limits.check(order, after)).toMatchObject({ kind: 'refused', reason: 'no-rule' });
  expect((await store.read(['user:u-1', 'merchant:m-1'], [], after, after)).size).toBe(0);
});

it.each([
  { call: 'confirm', to: 'rolledBack', outcome: 'ALREADY_CONFIRMED' },
  { call: 'rollback', to: 'confirmed', outcome: 'ALREADY_ROLLED_BACK' },
] as const)('a $call ends an order so, whatever else its request says', async (row) => {
  const limits = inOneCommit(mingoStore());
  await limits.check(checkOf({ orderId: 'o-1', subjects: BOTH }), AT);
  const request = { ...orderOf('o-1', BOTH), to: row.to };
  await limits[row.call](request, AT);
  const other = row.call === 'confirm' ? limits.rollback : limits.confirm;
  await expect(other(orderOf('o-1', BOTH), AT)).rejects.toMatchObject({ code: row.outcome });
});
