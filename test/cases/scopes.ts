/** Black-box cases about what enters a sum, what its maximum is asked for, and which maximum that is. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { changeRules, changeTerms, check, confirm } from './case.ts';

const DAY: ModelRule = {
  id: 'day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 100 },
  mode: 'enforce',
};
/** It limits how many payments there are, in whichever currency. */
const ANY_CURRENCY: ModelRule = {
  id: 'any-currency',
  per: ['user'],
  window: 'lifetime',
  max: { count: 9 },
  mode: 'enforce',
};
const gold = { attributes: { tier: 'gold' } };
const silver = { attributes: { tier: 'silver' } };

export const SCOPE_CASES: readonly LimitCase[] = [
  {
    id: 'scope-counts-all-asks-some',
    title: 'What a rule does not apply to enters its sum, and is never refused by it',
    rules: [{ ...DAY, appliesTo: { is: { type: 'WITHDRAWAL' } } }],
    onNoRule: 'allow',
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 90, type: 'PAYMENT' },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 11, type: 'WITHDRAWAL' },
        { kind: 'refused', exceeded: ['day'], rules: { day: { held: { amount: 90, count: 1 } } } },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 10, type: 'WITHDRAWAL' },
        { kind: 'allowed', limitReached: true },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 500, type: 'PAYMENT' },
        { kind: 'allowed', applying: [], limitReached: false },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'E', amount: 0, type: 'WITHDRAWAL' },
        { kind: 'refused', exceeded: ['day'] },
      ),
    ],
    why: 'payments may use up what withdrawals have',
  },
  {
    id: 'scope-edits-keep-the-sum',
    title: 'Another scope of a maximum is no other counter; another scope of the sum is',
    rules: [{ ...DAY, appliesTo: { is: { tier: 'gold' } } }],
    onNoRule: 'allow',
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 60, ...silver },
        { kind: 'allowed', applying: [] },
      ),
      changeRules('2026-03-02T10:01:00+08:00', [DAY]),
      check(
        '2026-03-02T10:01:01+08:00',
        { orderId: 'B', amount: 41, ...silver },
        { kind: 'refused', exceeded: ['day'], rules: { day: { held: { amount: 60, count: 1 } } } },
      ),
      changeRules('2026-03-02T10:02:00+08:00', [{ ...DAY, counts: { not: { tier: 'gold' } } }]),
      check(
        '2026-03-02T10:02:01+08:00',
        { orderId: 'C', amount: 41, ...silver },
        { kind: 'allowed', rules: { day: { held: { amount: 41, count: 1 } } } },
      ),
    ],
    why: 'only what is counted says what the sum is',
  },
  {
    id: 'generation-begins-at-zero',
    title: 'A rule of another generation begins at zero, also with what was held before',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'A', amount: 60 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 40, capture: true },
        { kind: 'allowed' },
      ),
      changeRules('2026-03-02T10:01:00+08:00', [{ ...DAY, generation: 2 }]),
      check(
        '2026-03-02T10:01:01+08:00',
        { orderId: 'C', amount: 90 },
        {
          kind: 'allowed',
          rules: { day: { used: { amount: 0, count: 0 }, held: { amount: 90, count: 1 } } },
        },
      ),
      confirm('2026-03-02T10:01:02+08:00', { orderId: 'A' }, { kind: 'confirmed', exceeded: [] }),
      check(
        '2026-03-02T10:01:03+08:00',
        { orderId: 'D', amount: 10 },
        {
          kind: 'allowed',
          rules: { day: { used: { amount: 0, count: 0 }, held: { amount: 100, count: 2 } } },
        },
      ),
      check(
        '2026-03-02T10:01:04+08:00',
        { orderId: 'E', amount: 1 },
        { kind: 'refused', exceeded: ['day'] },
      ),
      changeRules('2026-03-02T10:02:00+08:00', [{ ...DAY, generation: 2, max: { amount: 101 } }]),
      check(
        '2026-03-02T10:02:01+08:00',
        { orderId: 'E', amount: 1 },
        { kind: 'allowed', rules: { day: { held: { amount: 101, count: 3 } } } },
      ),
    ],
    why: 'a change that adds a rule again says that earlier payments do not count',
  },
  {
    id: 'scope-not',
    title: 'What `not` names is left out, of every name; what has no such attribute is in',
    rules: [
      {
        ...DAY,
        counts: {
          is: { type: ['PAYMENT', 'TRANSFER'] },
          not: { channel: 'branch', tier: ['staff', 'test'] },
        },
      },
    ],
    onNoRule: 'allow',
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, type: 'PAYMENT' },
        { kind: 'allowed', applying: ['day'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, type: 'TRANSFER', ...gold },
        { kind: 'allowed', applying: ['day'] },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 1, type: 'PAYMENT', attributes: { channel: 'branch' } },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 1, type: 'PAYMENT', attributes: { tier: 'test' } },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'E', amount: 1, type: 'WITHDRAWAL' },
        { kind: 'allowed', applying: [] },
      ),
    ],
    why: 'a rule for all but staff names staff, not everybody else',
  },
  {
    id: 'scope-maximum-by-tier',
    title: 'A customer who moves from one tier to another keeps the sum and gets the other maximum',
    rules: [{ ...DAY, maxBy: { name: 'tier', of: 'amount', values: { gold: 500, silver: 200 } } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 150, ...silver },
        {
          kind: 'allowed',
          rules: { day: { remaining: { amount: 50 } } },
          headroom: { amount: 50 },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 51, ...silver },
        { kind: 'refused', exceeded: ['day'] },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 51, ...gold },
        {
          kind: 'allowed',
          rules: { day: { held: { amount: 201, count: 2 }, remaining: { amount: 299 } } },
        },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 1 },
        { kind: 'refused', exceeded: ['day'], rules: { day: { remaining: { amount: 0 } } } },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'E', amount: 1, attributes: { tier: 'bronze' } },
        { kind: 'refused', exceeded: ['day'] },
      ),
    ],
    why: 'one counter for all tiers: nobody begins at zero by changing theirs',
  },
  {
    id: 'scope-late-tells-no-excess',
    title:
      'A confirm does not know the tier of its order, so it names no excess over a maximum by tier',
    rules: [
      { ...DAY, id: 'by-tier', maxBy: { name: 'tier', of: 'amount', values: { gold: 500 } } },
      { ...DAY, id: 'for-all', max: { amount: 300 } },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 200, ...gold, holdMs: 1_000 },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'B', amount: 200, ...gold },
        { kind: 'allowed' },
      ),
      confirm(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'A' },
        { kind: 'confirmed', late: true, exceeded: [{ rule: 'for-all', amount: 100 }] },
      ),
    ],
    why: 'what is not known is not said; what is the same for all is',
  },
  {
    id: 'scope-shared-counter',
    title: 'Of rules that share a counter, those that apply refuse; it is entered once',
    rules: [
      { ...DAY, id: 'gold', max: { amount: 50 }, appliesTo: { is: { tier: 'gold' } } },
      { ...DAY, id: 'silver', max: { amount: 20 }, appliesTo: { is: { tier: 'silver' } } },
      { ...DAY, id: 'trial', max: { amount: 5 }, mode: 'shadow' },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 30, ...gold },
        {
          kind: 'allowed',
          applying: ['gold', 'trial'],
          rules: {
            gold: { held: { amount: 30, count: 1 } },
            trial: { outcome: 'exceeded-shadow' },
          },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, ...silver },
        { kind: 'refused', exceeded: ['silver'], applying: ['silver', 'trial'] },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 20, ...gold },
        { kind: 'allowed', limitReached: true },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 900 },
        { kind: 'allowed', applying: ['trial'] },
      ),
    ],
    why: 'a transaction that no maximum is asked for still counts for those that are asked later',
  },
  {
    id: 'scope-counts-is-no-limit',
    title:
      'A rule whose sum an order would only enter limits nothing, so that the order is without a rule',
    rules: [{ ...DAY, appliesTo: { is: { tier: 'gold' } } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1 },
        { kind: 'refused', reason: 'no-rule', applying: [] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, ...gold },
        { kind: 'allowed', rules: { day: { held: { amount: 1, count: 1 } } } },
      ),
    ],
    why: 'what nothing limits is refused where every order needs a rule',
  },
  {
    id: 'no-rule-unlimited',
    title: 'A rule without currency is not enough where every amount needs a limit',
    rules: [DAY, ANY_CURRENCY, { ...DAY, id: 'trial', currency: 'EUR', mode: 'shadow' }],
    onNoRule: 'refuse-unlimited',
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, currency: 'CNY' },
        { kind: 'allowed', applying: ['day', 'any-currency'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, currency: 'USD' },
        {
          ...{ kind: 'refused', reason: 'no-rule', exceeded: [], applying: ['any-currency'] },
          ...{ rules: { 'any-currency': { held: { amount: 0, count: 1 } } } },
          headroom: { amount: 0, earliestAt: null },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, count: 9, currency: 'USD' },
        {
          ...{ kind: 'refused', reason: 'no-rule', exceeded: ['any-currency'] },
          ...{ applying: ['any-currency'], rules: { 'any-currency': { outcome: 'exceeded' } } },
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 0, currency: 'USD' },
        {
          ...{ kind: 'allowed', applying: ['any-currency'] },
          headroom: { amount: 0, earliestAt: '2026-03-02T10:00:02+08:00' },
        },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 900, currency: 'EUR' },
        { kind: 'allowed', applying: ['any-currency', 'trial'] },
      ),
    ],
    why: 'one rule that counts payments would let any amount of any other currency pass',
  },
  {
    id: 'no-rule-own-none',
    title: 'A subject without an own maximum is still limited by its rule',
    rules: [DAY],
    onNoRule: 'refuse-unlimited',
    steps: [
      changeTerms('2026-03-02T09:00:00+08:00', {
        overrides: [{ rule: 'day', max: { amount: null } }],
      }),
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 900 },
        { kind: 'allowed', applying: ['day'], headroom: { amount: null } },
      ),
    ],
    why: 'its author has looked at the amount',
  },
];
