/** An invented wallet: its rules in the course of time, and what people ask of it. */
import { readableRules, rulesInForce } from '../../lib/rule-file/rule-list.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { RuleSet, StoredRule } from '../../lib/rule-file/rule-set.ts';
import type { InForce } from '../../lib/backtest/history.ts';
import { compile } from '../../lib/plan/compile.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';
import type { Chance } from '../interleavings/chance.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const ZONE = { timeZone: 'Asia/Shanghai' };
const DAY = { unit: 'day', ...ZONE };

const FIRST_RULES: readonly StoredRule[] = [
  {
    id: 'single',
    per: ['user'],
    currency: 'CNY',
    window: 'transaction',
    min: { amount: 100 },
    max: { amount: 500_000 },
  },
  {
    id: 'user-day',
    per: ['user'],
    currency: 'CNY',
    window: DAY,
    max: { amount: 300_000, count: 12 },
  },
  {
    id: 'user-month',
    per: ['user'],
    currency: 'CNY',
    window: { unit: 'month', ...ZONE },
    max: { amount: 3_000_000 },
    refunds: { count: false },
  },
  {
    id: 'user-hour',
    per: ['user'],
    currency: 'CNY',
    window: { rolling: 'PT1H', step: 'PT5M' },
    max: { count: 6 },
  },
  {
    id: 'withdraw',
    per: ['user'],
    currency: 'CNY',
    match: { type: 'WITHDRAWAL' },
    window: { rolling: 'PT10M', step: 'exact' },
    max: { count: 2 },
  },
  {
    id: 'merchant-day',
    per: ['merchant'],
    currency: 'CNY',
    window: DAY,
    max: { amount: 2_000_000 },
  },
  { id: 'pair-day', per: ['user', 'merchant'], currency: 'CNY', window: DAY, max: { count: 4 } },
  {
    ...{ id: 'own-pair-day', per: ['merchant', 'user'], counterparts: 'many', currency: 'CNY' },
    ...{ window: DAY, max: { count: 5 } },
  },
  {
    id: 'card-day',
    per: ['card'],
    currency: 'CNY',
    window: { ...DAY, dayStart: '23:00' },
    max: { count: 4 },
  },
  {
    id: 'devices',
    per: ['user'],
    window: { unit: 'week', ...ZONE },
    max: { distinct: { device: 3 } },
  },
  {
    id: 'wrong-pins',
    per: ['user'],
    outcome: 'rolledBack',
    reasonCodes: ['wrong-pin'],
    window: { rolling: 'PT24H' },
    max: { count: 3 },
  },
  {
    id: 'abandoned',
    per: ['user'],
    outcome: ['rolledBack', 'expired'],
    window: { rolling: 'PT2H' },
    max: { count: 8 },
  },
  {
    id: 'tier-week',
    per: ['user'],
    currency: 'CNY',
    window: { unit: 'week', ...ZONE },
    max: { amount: { by: 'tier', gold: 2_000_000, silver: 900_000, else: 400_000 } },
  },
  {
    id: 'trial-day',
    per: ['user'],
    currency: 'CNY',
    window: DAY,
    max: { amount: 150_000 },
    mode: 'shadow',
  },
  {
    id: 'trial-app',
    per: ['user'],
    currency: 'CNY',
    match: { channel: 'app' },
    window: DAY,
    max: { amount: 100_000 },
    mode: 'shadow',
  },
  {
    id: 'unverified',
    per: ['user'],
    currency: 'CNY',
    match: { verified: false },
    window: 'lifetime',
    max: { amount: 200_000 },
  },
];

type Rules = readonly StoredRule[];

function changed(rules: Rules, id: string, fields: object): Rules {
  return rules.map((rule) => (rule.id === id ? { ...rule, ...fields } : rule));
}

/** Each change makes a set of the one before. */
const CHANGES: readonly ((rules: Rules) => Rules)[] = [
  (rules) => changed(rules, 'user-day', { max: { amount: 250_000, count: 10 } }),
  (rules) => [
    ...rules,
    {
      id: 'merchant-hour',
      per: ['merchant'],
      currency: 'CNY',
      window: { rolling: 'PT1H' },
      max: { count: 12 },
    },
  ],
  (rules) => changed(rules, 'trial-app', { mode: 'enforce', max: { amount: 220_000 } }),
  (rules) => changed(rules, 'user-hour', { window: { rolling: 'PT2H', step: 'PT10M' } }),
  (rules) => rules.filter(({ id }) => id !== 'pair-day'),
];

/** A set of rules from an instant on. */
export type SetFrom = { readonly at: Date; readonly rules: readonly Rule[] };

/** The sets of the wallet's rules in a span of time, and as a back-test reads them. */
export function setsIn(from: Date, spanMs: number) {
  const by = { kind: 'command', id: 'x' } as const;
  const sets: SetFrom[] = [];
  const read: InForce['rules'][number][] = [];
  let set: RuleSet = { revision: 0, rules: [] };
  for (const [place, change] of [() => FIRST_RULES, ...CHANGES].entries()) {
    const at = new Date(from.getTime() + (place * spanMs) / (CHANGES.length + 1));
    ({ set } = nextSet(set, change(set.rules.map(({ rule }) => rule)), { at, by }));
    sets.push({ at, rules: rulesInForce(set) });
    read.push({ at, rules: compile(readableRules(set)) });
  }
  return { sets, read };
}

/** A number from 0 up to 1. */
export function part(chance: Chance): number {
  return chance.below(2 ** 32) / 2 ** 32;
}

/** Makes an order: few users and merchants have most of them. */
export function orderMaker(chance: Chance, users: number, merchants: number) {
  const skewed = (most: number): number => Math.floor(most * part(chance) ** 2.5);
  let made = 0;
  return (user = skewed(users)): CheckRequest => {
    const bell = part(chance) + part(chance) + part(chance) + part(chance) - 2;
    const amountMinor = Math.max(20, Math.round(Math.exp(9.2 + 1.3 * bell)));
    const card = chance.isLucky(30) ? { card: `c-${user}-${chance.below(2)}` } : {};
    const merchant = chance.isLucky(80) ? { merchant: `m-${skewed(merchants)}` } : {};
    return {
      appId: 'default',
      orderId: `o-${(made += 1)}`,
      type: chance.isLucky(15) ? 'WITHDRAWAL' : 'PAYMENT',
      subjects: { user: `u-${user}`, ...merchant, ...card },
      amountMinor,
      leastMinor: chance.isLucky(8) ? 1 + chance.below(Math.ceil(amountMinor / 2)) : undefined,
      count: chance.isLucky(2) ? 2 : 1,
      currency: chance.isLucky(3) ? 'USD' : 'CNY',
      attributes: {
        channel: chance.isLucky(60) ? 'app' : 'web',
        verified: user % 11 !== 0,
        ...(chance.isLucky(70) ? { tier: chance.pick(['silver', 'gold']) } : {}),
        ...(chance.isLucky(98) ? { device: `d-${chance.below(4)}` } : {}),
      },
      holdMs: chance.pick([60, 300, 900, 900, 900, 3_600, 86_400]) * SECOND_MS,
      capture: chance.isLucky(20),
      dryRun: false,
    };
  };
}
