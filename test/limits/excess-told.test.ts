import { expect, it } from 'vitest';
import { confirmAnswerJson } from '../../lib/http/order-answer.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

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

it.each([
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
    const limits = limitsOver(database.db, [], { rules: () => Promise.resolve(rules) });
    const subjects = { user: name };
    const gold = { attributes: { tier: 'gold' }, type: 'WALLET' };
    const check = checkOf({ orderId: name, subjects, amountMinor: 50, ...gold, holdMs: 1_000 });
    expect(await limits.check(check, AT)).toMatchObject({ kind: 'allowed' });
    const confirm = { ...orderOf(name, subjects), amountMinor: late };
    const told = confirmAnswerJson(await limits.confirm(confirm, LATE));
    expect(told).toMatchObject({ state: 'confirmed', late: true, amount: late });
    expect(told.exceeded).toEqual(exceeded);
    expect(confirmAnswerJson(await limits.confirm(confirm, LATE)).exceeded).toBeUndefined();
  },
);
