import { expect, it } from 'vitest';
import type { Rule } from '../../lib/rule/rule.ts';
import { createLimits } from '../../lib/edge/limits.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { useDatabase } from '../support/database.ts';
import { documentId } from '../../lib/shared/subject.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { patientCounters } from '../support/patient-counters.ts';

const database = useDatabase();

const AT = new Date('2026-03-02T10:00:00.000Z');
const LATE = new Date('2026-03-02T11:00:00.000Z');

/** 5.00 a day for gold, 2.00 for all others. */
const BY_TIER: Rule = {
  ...libRule({ ...USER_DAY, id: 'by-tier', max: { amount: 200 } }),
  maxBy: { amountMinor: { by: 'tier', values: { gold: 500 } } },
};
const PLAIN = libRule({ ...USER_DAY, id: 'plain', max: { amount: 250 } });
const FOR_CARDS: Rule = {
  ...libRule({ ...USER_DAY, id: 'for-cards', max: { amount: 100 } }),
  appliesTo: { is: { type: ['CARD'] }, not: {} },
};

/** 1.00 in the first day after an instant that the order says. */
const since = (attribute: string): Rule => ({
  ...libRule({ ...USER_DAY, id: `since-${attribute}`, max: { amount: 100 } }),
  window: { kind: 'since', since: { attribute }, forMs: 86_400_000 },
});

it.each([
  {
    name: 'since',
    rules: [since('payday')],
    late: 101,
    exceeded: null,
    why: 'only its check knew the instant',
  },
  {
    name: 'since-within',
    rules: [since('payday'), PLAIN],
    late: 100,
    exceeded: undefined,
    why: 'the sum of whatever window has room',
  },
  {
    name: 'since-none',
    rules: [since('birth'), PLAIN],
    late: 200,
    exceeded: undefined,
    why: 'it counts in no window of that rule',
  },
  {
    name: 'within',
    rules: [BY_TIER, PLAIN],
    late: 200,
    exceeded: undefined,
    why: 'the least maximum has room',
  },
  {
    name: 'untold',
    rules: [BY_TIER, PLAIN],
    late: 201,
    exceeded: null,
    why: 'only its check knew the tier',
  },
  {
    name: 'known',
    rules: [BY_TIER, PLAIN],
    late: 251,
    exceeded: [{ rule: 'plain', amount: 1 }],
    why: 'one is known',
  },
  {
    name: 'scope',
    rules: [FOR_CARDS, PLAIN],
    late: 101,
    exceeded: null,
    why: 'only its check knew the type',
  },
  {
    name: 'inside',
    rules: [FOR_CARDS, PLAIN],
    late: 100,
    exceeded: undefined,
    why: 'no payment of 1.00 is above',
  },
])(
  'a late confirm of $late exceeds $exceeded, because $why',
  async ({ name, rules, late, exceeded }) => {
    const limits = limitsOver(database.db, () => Promise.resolve(rules));
    const subjects = { user: name };
    const attributes = { tier: 'gold', payday: '2026-03-02T00:00:00Z' };
    const gold = { attributes, type: 'WALLET' };
    const check = checkOf({ orderId: name, subjects, amountMinor: 50, ...gold, holdMs: 1_000 });
    expect(await limits.check(check, AT)).toMatchObject({ kind: 'allowed' });
    const confirm = { ...orderOf(name, subjects), amountMinor: late };
    const told = await limits.confirm(confirm, LATE);
    expect(told).toMatchObject({ state: 'confirmed', late: true, amount: late });
    expect(told.exceeded).toEqual(exceeded);
    expect((await limits.confirm(confirm, LATE)).exceeded).toBeUndefined();
  },
);

it.each([
  { own: { amountMinor: 150 }, exceeded: [{ rule: 'by-tier', amount: 51 }], why: 'it is known' },
  { own: { amountMinor: null }, exceeded: undefined, why: 'it is none' },
  { own: { count: 9 }, exceeded: null, why: 'the maximum amount is still by tier' },
])(
  "a subject's own maximum $own judges a late confirm, because $why",
  async ({ own, exceeded }) => {
    const limits = limitsOver(database.db, () => Promise.resolve([BY_TIER]));
    const id = JSON.stringify(own);
    const subjects = { user: id };
    const check = checkOf({ orderId: id, subjects, amountMinor: 50, holdMs: 1_000 });
    expect(await limits.check(check, AT)).toMatchObject({ kind: 'allowed' });
    const by = { kind: 'local', id: 'local' } as const;
    const override = { id: 'own', rule: 'by-tier', max: own, by, reason: 'asked for', at: AT };
    const change = { expected: undefined, terms: { version: 'one', overrides: [override] } };
    const counters = patientCounters(database.db);
    expect(await counters.changeTerms(documentId('user', id), change, AT)).toBe(true);
    const confirm = { ...orderOf(id, subjects), amountMinor: 201 };
    expect((await limits.confirm(confirm, LATE)).exceeded).toEqual(exceeded);
  },
);

it.each([{ capture: true }, { capture: false }])(
  'a repeat tells no excess of an order that a trial left out, once the rule notifies, where capture is $capture',
  async ({ capture }) => {
    const { currency: _, ...anyCurrency } = USER_DAY;
    const window = { rollingMs: 60_000, stepMs: 'exact' } as const;
    const trial = libRule({ ...anyCurrency, window, max: { count: 1 }, mode: 'shadow' });
    let rules: readonly Rule[] = [trial, { ...PLAIN, id: 'big' }];
    const limits = createLimits({
      counters: mingoStore(),
      rules: () => Promise.resolve(rules),
    });
    const subjects = { user: 'left-out' };
    const check = (orderId: string, second: number) =>
      limits.check(
        checkOf({ orderId, subjects, capture, amountMinor: 1 }),
        new Date(AT.getTime() + second * 1_000),
      );
    await check('in', 0);
    await check('out', 1);
    rules = [
      libRule({ ...anyCurrency, window, max: { count: 1 }, onExceed: 'notify' }),
      { ...PLAIN, id: 'big' },
    ];
    const again = await check('out', 2);
    expect(again).toMatchObject({ kind: 'allowed', repeated: true, exceeded: [] });
    expect(again).toHaveProperty('rules[0].outcome', 'reached');
  },
);
