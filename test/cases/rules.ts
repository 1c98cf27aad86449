/** Black-box cases about which rules apply and what they say. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { changeRules, check, confirm, rollback } from './case.ts';

const SHANGHAI_DAY = { unit: 'day', timeZone: 'Asia/Shanghai' } as const;

const COUNT: ModelRule = {
  id: 'user-count',
  per: ['user'],
  window: SHANGHAI_DAY,
  max: { count: 5 },
  mode: 'enforce',
};

const AMOUNT: ModelRule = {
  id: 'user-amount',
  per: ['user'],
  currency: 'CNY',
  window: SHANGHAI_DAY,
  max: { amount: 10 },
  mode: 'enforce',
};

const SINGLE: ModelRule = {
  id: 'single',
  per: ['user'],
  currency: 'CNY',
  window: 'transaction',
  min: { amount: 5 },
  max: { amount: 50 },
  mode: 'enforce',
};

export const RULE_CASES: readonly LimitCase[] = [
  {
    id: 'rules-1',
    title: 'One rule that refuses keeps all counters as they were',
    rules: [
      { ...AMOUNT, id: 'a', match: { type: 'TRANSFER' } },
      { ...AMOUNT, id: 'b' },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 9, type: 'PAYMENT', capture: true },
        { kind: 'allowed', applying: ['b'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 5, type: 'TRANSFER' },
        {
          kind: 'refused',
          exceeded: ['b'],
          applying: ['a', 'b'],
          rules: {
            a: {
              used: { amount: 0, count: 0 },
              held: { amount: 0, count: 0 },
              remaining: { amount: 10 },
              outcome: 'within',
            },
            b: {
              used: { amount: 9, count: 1 },
              held: { amount: 0, count: 0 },
              remaining: { amount: 1 },
              outcome: 'exceeded',
              retryAt: '2026-03-03T00:00:00+08:00',
            },
          },
          headroom: { amount: 1, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Z', amount: 1, type: 'TRANSFER' },
        {
          kind: 'allowed',
          limitReached: true,
          rules: {
            a: { held: { amount: 1, count: 1 }, outcome: 'within' },
            b: { outcome: 'reached' },
          },
        },
      ),
    ],
    why: 'all rules or none: a half-taken hold would starve the other limit',
  },
  {
    id: 'rules-2',
    title: 'Where no rule applies, and such orders are to pass, one is allowed, held, and told so',
    onNoRule: 'allow',
    rules: [{ ...AMOUNT, match: { type: 'WITHDRAWAL' } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1_000, type: 'PAYMENT' },
        {
          kind: 'allowed',
          repeated: false,
          state: 'held',
          applying: [],
          limitReached: false,
          headroom: { amount: null, earliestAt: '2026-03-02T10:00:00+08:00' },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 999, type: 'PAYMENT' },
        { kind: 'orderReused' },
      ),
      confirm('2026-03-02T10:00:02+08:00', { orderId: 'X' }, { kind: 'confirmed', amount: 1_000 }),
    ],
    why: 'an order is an order, also while nothing limits it',
  },
  {
    id: 'rules-2-refused',
    title: 'Where no rule applies the order is refused, and nothing is held',
    rules: [{ ...AMOUNT, match: { type: 'WITHDRAWAL' } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1, type: 'PAYMENT' },
        {
          ...{ kind: 'refused', reason: 'no-rule', exceeded: [], applying: [] },
          headroom: { amount: 0, earliestAt: null },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 1, type: 'WITHDRAWAL', currency: 'RMB' },
        { kind: 'refused', reason: 'no-rule' },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 1, type: 'WITHDRAWAL', subjects: { wallet: 'u-1' } },
        { kind: 'refused', reason: 'no-rule' },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'X', amount: 1, type: 'PAYMENT', capture: true },
        { kind: 'refused', reason: 'no-rule' },
      ),
      confirm('2026-03-02T10:00:04+08:00', { orderId: 'X' }, { kind: 'notFound' }),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'X', amount: 10, type: 'WITHDRAWAL' },
        { kind: 'allowed', repeated: false, rules: { 'user-amount': { held: { amount: 10 } } } },
      ),
      check(
        '2026-03-02T10:00:06+08:00',
        { orderId: 'Y', amount: 1, type: 'WITHDRAWAL' },
        { kind: 'refused', reason: 'rule', exceeded: ['user-amount'] },
      ),
    ],
    why: 'a name that nobody has limited (RMB for CNY, wallet for user) is most likely a mistake',
  },
  {
    id: 'rules-2-shadow',
    title: 'A rule on trial applies, too: it alone lets an order pass',
    rules: [{ ...AMOUNT, mode: 'shadow' }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 11 },
        { kind: 'allowed', rules: { 'user-amount': { outcome: 'exceeded-shadow' } } },
      ),
    ],
    why: 'a trial must not refuse, and somebody has thought of such orders',
  },
  {
    id: 'rules-2-known',
    title: 'An order that is held stays so when its rule goes; once expired it is refused',
    rules: [AMOUNT],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:00+08:00', { orderId: 'Y', amount: 2 }, { kind: 'allowed' }),
      changeRules('2026-03-02T10:00:01+08:00', []),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 1 },
        {
          kind: 'allowed',
          repeated: true,
          applying: [],
          headroom: { amount: 0, earliestAt: null },
        },
      ),
      confirm('2026-03-02T10:00:03+08:00', { orderId: 'X' }, { kind: 'confirmed', late: false }),
      check(
        '2026-03-02T10:15:00+08:00',
        { orderId: 'Y', amount: 2 },
        { kind: 'refused', reason: 'no-rule' },
      ),
      confirm('2026-03-02T10:15:01+08:00', { orderId: 'Y' }, { kind: 'confirmed', late: true }),
    ],
    why: 'an order has one outcome, whatever rules there are by now; a new decision is by those of now',
  },
  {
    id: 'rules-2-dates',
    title:
      'A rule applies while it is in effect, and no instant at which none does lets an ask pass',
    rules: [
      {
        ...AMOUNT,
        from: new Date('2026-03-02T10:00:00+08:00'),
        to: new Date('2026-03-02T12:00:00+08:00'),
      },
    ],
    steps: [
      check(
        '2026-03-02T09:59:59.999+08:00',
        { orderId: 'X', amount: 1 },
        { kind: 'refused', reason: 'no-rule' },
      ),
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 11 },
        {
          ...{ kind: 'refused', reason: 'rule' },
          rules: { 'user-amount': { retryAt: '2026-03-02T12:00:00+08:00' } },
          headroom: { amount: 10, earliestAt: null },
        },
      ),
      check('2026-03-02T11:59:59.999+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check(
        '2026-03-02T12:00:00+08:00',
        { orderId: 'Z', amount: 1 },
        { kind: 'refused', reason: 'no-rule' },
      ),
    ],
    why: 'the rule by itself no longer says no then, but nothing says yes',
  },
  {
    id: 'rules-3',
    title: 'A maximum count of 0 refuses all, for ever',
    rules: [{ ...COUNT, max: { count: 0 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['user-count'],
          rules: { 'user-count': { remaining: { count: 0 }, outcome: 'exceeded', retryAt: null } },
          headroom: { amount: 0, earliestAt: null },
        },
      ),
    ],
    why: 'zero is a value; no window to come will let it pass',
  },
  {
    id: 'rules-3-amount',
    title: 'A maximum amount of 0 lets only nothing pass',
    rules: [{ ...AMOUNT, max: { amount: 0 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1 },
        { kind: 'refused', headroom: { amount: 0, earliestAt: null } },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 0 },
        { kind: 'allowed', limitReached: true },
      ),
    ],
    why: '0 + 0 is not more than 0',
  },
  {
    id: 'rules-4',
    title: 'With a maximum of 1 the first check says that the limit is reached',
    rules: [{ ...COUNT, max: { count: 1 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: {
            'user-count': {
              held: { count: 1 },
              remaining: { count: 0 },
              outcome: 'reached',
            },
          },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 1 },
        { kind: 'refused', exceeded: ['user-count'] },
      ),
    ],
    why: 'the customer can be told before the next payment fails',
  },
  {
    id: 'rules-5',
    title: 'A maximum that is lowered or raised keeps what was used',
    rules: [{ ...COUNT, max: { count: 100 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1, count: 3, capture: true },
        { kind: 'allowed', rules: { 'user-count': { remaining: { count: 97 } } } },
      ),
      changeRules('2026-03-02T11:00:00+08:00', [{ ...COUNT, max: { count: 10 } }]),
      check(
        '2026-03-02T11:00:01+08:00',
        { orderId: 'X', amount: 1, count: 3, capture: true },
        {
          kind: 'allowed',
          repeated: true,
          rules: { 'user-count': { used: { count: 3 }, remaining: { count: 7 } } },
        },
      ),
      changeRules('2026-03-02T12:00:00+08:00', [{ ...COUNT, max: { count: 200 } }]),
      check(
        '2026-03-02T12:00:01+08:00',
        { orderId: 'X', amount: 1, count: 3, capture: true },
        { kind: 'allowed', rules: { 'user-count': { remaining: { count: 197 } } } },
      ),
      changeRules('2026-03-02T13:00:00+08:00', [{ ...COUNT, max: { count: 2 } }]),
      check(
        '2026-03-02T13:00:01+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'refused',
          rules: { 'user-count': { used: { count: 3 }, remaining: { count: 0 } } },
        },
      ),
    ],
    why: 'a counter is named by what it counts, not by its maximum',
  },
  {
    id: 'rules-5-renamed',
    title: 'A rule that is renamed keeps what was used',
    rules: [COUNT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1, capture: true },
        { kind: 'allowed' },
      ),
      changeRules('2026-03-02T11:00:00+08:00', [{ ...COUNT, id: 'another-name' }]),
      check(
        '2026-03-02T11:00:01+08:00',
        { orderId: 'Y', amount: 1 },
        { kind: 'allowed', rules: { 'another-name': { used: { count: 1 }, held: { count: 1 } } } },
      ),
    ],
    why: 'a counter is named by what it counts, not by the rule',
  },
  {
    id: 'rules-5-deleted',
    title: 'A hold whose rule is deleted can be confirmed and counts once the rule is back',
    rules: [COUNT],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:00+08:00', { orderId: 'Y', amount: 1 }, { kind: 'allowed' }),
      changeRules('2026-03-02T10:01:00+08:00', []),
      confirm(
        '2026-03-02T10:02:00+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: false, late: false, amount: 1, exceeded: [] },
      ),
      rollback('2026-03-02T10:02:00+08:00', { orderId: 'Y' }, { kind: 'rolledBack' }),
      changeRules('2026-03-02T10:03:00+08:00', [COUNT]),
      check(
        '2026-03-02T10:04:00+08:00',
        { orderId: 'Z', amount: 1 },
        { kind: 'allowed', rules: { 'user-count': { used: { count: 1 }, held: { count: 1 } } } },
      ),
    ],
    why: 'confirm and rollback go by what the hold names and do not look at rules',
  },
  {
    id: 'rules-6',
    title: 'A shadow rule over its maximum allows and shows what it would have said',
    rules: [{ ...AMOUNT, id: 'trial', mode: 'shadow' }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 8, capture: true },
        { kind: 'allowed', limitReached: false, rules: { trial: { outcome: 'within' } } },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 5 },
        {
          kind: 'allowed',
          limitReached: false,
          rules: {
            trial: {
              used: { amount: 8, count: 1 },
              held: { amount: 5, count: 1 },
              remaining: { amount: 0 },
              outcome: 'exceeded-shadow',
            },
          },
          headroom: { amount: null, earliestAt: '2026-03-02T10:00:01+08:00' },
        },
      ),
    ],
    why: 'a trial limit is measured and never felt: neither headroom nor limitReached know it',
  },
  {
    id: 'rules-6-reached',
    title: 'A shadow rule that is just full says reached, and the limit is not reached',
    rules: [{ ...AMOUNT, id: 'trial', mode: 'shadow' }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 10 },
        { kind: 'allowed', limitReached: false, rules: { trial: { outcome: 'reached' } } },
      ),
    ],
    why: 'the next will not be refused',
  },
  {
    id: 'rules-6-refused',
    title: 'A refusal names the enforced rules only',
    rules: [
      { ...AMOUNT, id: 'trial', mode: 'shadow', max: { amount: 5 } },
      { ...AMOUNT, id: 'real', max: { amount: 10 } },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 11 },
        {
          kind: 'refused',
          exceeded: ['real'],
          rules: { trial: { outcome: 'exceeded-shadow' }, real: { outcome: 'exceeded' } },
          headroom: { amount: 10, earliestAt: null },
        },
      ),
    ],
    why: 'a trial limit is never the reason',
  },
  {
    id: 'rules-6-exact',
    title: 'A shadow rule with an exact window is entered only while it has room',
    rules: [
      {
        id: 'trial',
        per: ['user'],
        window: { rollingMs: 10_000, stepMs: 'exact' },
        max: { count: 1 },
        mode: 'shadow',
      },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1 },
        { kind: 'allowed', rules: { trial: { held: { count: 1 }, outcome: 'reached' } } },
      ),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'allowed',
          repeated: false,
          rules: { trial: { held: { count: 1 }, outcome: 'exceeded-shadow' } },
        },
      ),
      check(
        '2026-03-02T10:00:10+08:00',
        { orderId: 'Z', amount: 1 },
        { kind: 'allowed', rules: { trial: { held: { count: 1 }, outcome: 'reached' } } },
      ),
      confirm('2026-03-02T10:00:11+08:00', { orderId: 'Y' }, { kind: 'confirmed' }),
      check(
        '2026-03-02T10:00:12+08:00',
        { orderId: 'Z', amount: 1 },
        {
          kind: 'allowed',
          repeated: true,
          rules: { trial: { used: { count: 0 }, held: { count: 1 } } },
        },
      ),
    ],
    why: 'every event of an exact window is a bucket of its own, so a trial could fill the document',
  },
  {
    id: 'rules-7',
    title: 'A refusal takes nothing, and what just fits is allowed',
    rules: [AMOUNT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 5, capture: true },
        { kind: 'allowed', limitReached: false },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 6 },
        {
          kind: 'refused',
          rules: { 'user-amount': { remaining: { amount: 5 } } },
          headroom: { amount: 5 },
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Z', amount: 5 },
        { kind: 'allowed', limitReached: true },
      ),
    ],
    why: 'the maximum itself is inside',
  },
  {
    id: 'rules-8',
    title: 'An amount above the maximum of one transaction is refused by that rule alone',
    rules: [SINGLE, { ...AMOUNT, max: { amount: 100 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 51 },
        {
          kind: 'refused',
          exceeded: ['single'],
          rules: {
            single: { outcome: 'exceeded', retryAt: null },
            'user-amount': {
              used: { amount: 0, count: 0 },
              held: { amount: 0, count: 0 },
              outcome: 'within',
            },
          },
          headroom: { amount: 50, earliestAt: null },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 50 },
        {
          kind: 'allowed',
          limitReached: false,
          rules: {
            single: { outcome: 'within' },
            'user-amount': { held: { amount: 50, count: 1 } },
          },
        },
      ),
    ],
    why: 'one transaction has no counter, so it is never used up',
  },
  {
    id: 'rules-8-minimum',
    title: 'An amount below the minimum of one transaction is refused',
    rules: [SINGLE],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 4 },
        {
          kind: 'refused',
          exceeded: ['single'],
          rules: { single: { outcome: 'below-minimum', retryAt: null } },
          headroom: { amount: 50, earliestAt: null },
        },
      ),
      check('2026-03-02T10:00:01+08:00', { orderId: 'Y', amount: 5 }, { kind: 'allowed' }),
    ],
    why: 'the minimum itself is inside; the largest amount that would pass is still 50',
  },
  {
    id: 'rules-8-unreachable',
    title: 'Where less remains than the minimum of one transaction, nothing passes',
    rules: [SINGLE, { ...AMOUNT, max: { amount: 12 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 8 },
        {
          kind: 'allowed',
          limitReached: false,
          rules: { 'user-amount': { remaining: { amount: 4 } } },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
    ],
    why: 'an amount of 4 fits the day and not the minimum of 5',
  },
  {
    id: 'rules-8-count',
    title: 'A minimum and a maximum of the count of one transaction',
    rules: [
      {
        id: 'batch',
        per: ['user'],
        window: 'transaction',
        min: { count: 2 },
        max: { count: 3 },
        mode: 'enforce',
      },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1, count: 1 },
        {
          kind: 'refused',
          rules: { batch: { outcome: 'below-minimum', retryAt: null } },
          headroom: { amount: 0, earliestAt: null },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 1, count: 4 },
        {
          kind: 'refused',
          rules: { batch: { outcome: 'exceeded' } },
          headroom: { amount: 0, earliestAt: null },
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Z', amount: 1, count: 2 },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'W', amount: 1, count: 3 },
        { kind: 'allowed' },
      ),
    ],
    why: 'no amount at all makes a count pass that does not',
  },
  {
    id: 'rules-8-shadow',
    title: 'A shadow rule on one transaction shows and does not refuse',
    rules: [{ ...SINGLE, mode: 'shadow' }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 51 },
        { kind: 'allowed', rules: { single: { outcome: 'exceeded-shadow' } } },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 4 },
        { kind: 'allowed', rules: { single: { outcome: 'below-minimum-shadow' } } },
      ),
    ],
    why: 'shadow is shadow, with a counter or without',
  },
  {
    id: 'rules-8-both',
    title: 'What is above a maximum and below a minimum is exceeded',
    rules: [{ ...SINGLE, max: { count: 1 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 4, count: 2 },
        { kind: 'refused', exceeded: ['single'], rules: { single: { outcome: 'exceeded' } } },
      ),
    ],
    why: 'more of the amount would not help',
  },
  {
    id: 'rules-8-zero',
    title: 'A maximum of 0 for one transaction lets nothing but zero pass, and is never reached',
    rules: [{ ...SINGLE, min: {}, max: { amount: 0 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 0 },
        { kind: 'allowed', limitReached: false, headroom: { amount: 0 } },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 1 },
        { kind: 'refused', exceeded: ['single'], headroom: { amount: 0, earliestAt: null } },
      ),
    ],
    why: 'limitReached speaks of counters, and one transaction has none',
  },
  {
    id: 'count-several',
    title: 'One check may stand for several transactions',
    rules: [COUNT],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1, count: 3 },
        {
          kind: 'allowed',
          rules: { 'user-count': { held: { count: 3 }, remaining: { count: 2 } } },
        },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 1, count: 3 },
        { kind: 'refused', headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' } },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Y', amount: 1, count: 6 },
        { kind: 'refused', headroom: { amount: 0, earliestAt: null } },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'Y', amount: 1, count: 2 },
        { kind: 'allowed', limitReached: true },
      ),
      rollback('2026-03-02T10:00:04+08:00', { orderId: 'X' }, { kind: 'rolledBack' }),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'Z', amount: 1, count: 3 },
        { kind: 'allowed', limitReached: true },
      ),
    ],
    why: 'all of the batch or none; its count goes back whole',
  },
  {
    id: 'both-maxima',
    title: 'A rule with both maxima refuses by whichever is used up first',
    rules: [{ ...AMOUNT, max: { amount: 10, count: 2 } }],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: { 'user-amount': { remaining: { amount: 8, count: 0 }, outcome: 'reached' } },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
      check('2026-03-02T10:00:02+08:00', { orderId: 'Z', amount: 1 }, { kind: 'refused' }),
    ],
    why: '8 remain, and yet nothing may pass',
  },
  {
    id: 'currency',
    title: 'A rule with a currency sees its currency only, a rule without one counts all',
    rules: [AMOUNT, { ...COUNT, max: { count: 2 } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1_000, currency: 'USD' },
        { kind: 'allowed', applying: ['user-count'], headroom: { amount: null } },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 10 },
        {
          kind: 'allowed',
          applying: ['user-amount', 'user-count'],
          rules: {
            'user-amount': { held: { amount: 10, count: 1 } },
            'user-count': { held: { amount: 0, count: 2 } },
          },
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Z', amount: 1, currency: 'USD' },
        { kind: 'refused', exceeded: ['user-count'], applying: ['user-count'] },
      ),
    ],
    why: 'amounts of two currencies are never added, so without a currency there is no amount',
  },
  {
    id: 'match-lists',
    title: 'A match on type and channel wants each key, and of a list any one value',
    onNoRule: 'allow',
    rules: [{ ...COUNT, match: { type: ['PAYMENT', 'TRANSFER'], channel: 'app' } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, type: 'PAYMENT', attributes: { channel: 'app' } },
        { kind: 'allowed', applying: ['user-count'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, type: 'TRANSFER', attributes: { channel: 'app', extra: true } },
        { kind: 'allowed', rules: { 'user-count': { held: { count: 2 } } } },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 1, type: 'PAYMENT', attributes: { channel: 'web' } },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'D', amount: 1, type: 'REFUND', attributes: { channel: 'app' } },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'E', amount: 1, attributes: { channel: 'app' } },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'F', amount: 1, type: 'PAYMENT' },
        { kind: 'allowed', applying: [] },
      ),
    ],
    why: 'a list shares one counter; what the request does not say does not match',
  },
  {
    id: 'match-values',
    title: 'A match compares kinds of values as well: true, 1 and "1" are three things',
    rules: [
      { ...COUNT, id: 'number', match: { tier: 1 } },
      { ...COUNT, id: 'string', match: { tier: '1' } },
      { ...COUNT, id: 'boolean', match: { tier: [true] } },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, attributes: { tier: 1 } },
        { kind: 'allowed', applying: ['number'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, attributes: { tier: '1' } },
        { kind: 'allowed', applying: ['string'], rules: { string: { held: { count: 1 } } } },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 1, attributes: { tier: true } },
        { kind: 'allowed', applying: ['boolean'], rules: { boolean: { held: { count: 1 } } } },
      ),
    ],
    why: 'their counters are three as well',
  },
  {
    id: 'match-subject',
    title: 'A match on a subject kind compares with the id of that subject',
    onNoRule: 'allow',
    rules: [{ ...COUNT, match: { merchant: ['m-1', 'm-2'] } }],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, subjects: { user: 'u-1', merchant: 'm-2' } },
        { kind: 'allowed', applying: ['user-count'] },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'B', amount: 1, subjects: { user: 'u-1', merchant: 'm-3' } },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'C', amount: 1, subjects: { user: 'u-1' } },
        { kind: 'allowed', applying: [] },
      ),
    ],
    why: 'per says who is counted, match says what is',
  },
  {
    id: 'match-order',
    title: 'Two ways to write the same match share one counter',
    rules: [
      { ...COUNT, id: 'one', match: { type: ['PAYMENT', 'TRANSFER'], channel: 'app' } },
      { ...COUNT, id: 'two', match: { channel: ['app'], type: ['TRANSFER', 'PAYMENT'] } },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, type: 'PAYMENT', attributes: { channel: 'app' } },
        {
          kind: 'allowed',
          rules: { one: { held: { count: 1 } }, two: { held: { count: 1 } } },
        },
      ),
      changeRules('2026-03-02T10:01:00+08:00', [
        { ...COUNT, id: 'three', match: { channel: 'app', type: ['TRANSFER', 'PAYMENT'] } },
      ]),
      check(
        '2026-03-02T10:02:00+08:00',
        { orderId: 'B', amount: 1, type: 'TRANSFER', attributes: { channel: 'app' } },
        { kind: 'allowed', rules: { three: { held: { count: 2 } } } },
      ),
    ],
    why: 'an editor that sorts a file must not set limits back to zero',
  },
  {
    id: 'shared-counter',
    title: 'Two rules over one counter: the transaction enters once, the smaller maximum refuses',
    rules: [
      { ...AMOUNT, id: 'hard', max: { amount: 20 } },
      { ...AMOUNT, id: 'soft', max: { amount: 10 } },
      { ...AMOUNT, id: 'trial', max: { amount: 4 }, mode: 'shadow' },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 6 },
        {
          kind: 'allowed',
          limitReached: false,
          rules: {
            hard: { held: { amount: 6, count: 1 }, remaining: { amount: 14 }, outcome: 'within' },
            soft: { held: { amount: 6, count: 1 }, remaining: { amount: 4 }, outcome: 'within' },
            trial: {
              held: { amount: 6, count: 1 },
              remaining: { amount: 0 },
              outcome: 'exceeded-shadow',
            },
          },
          headroom: { amount: 4 },
        },
      ),
      confirm('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'confirmed', exceeded: [] }),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Y', amount: 5 },
        {
          kind: 'refused',
          exceeded: ['soft'],
          rules: {
            hard: { used: { amount: 6, count: 1 }, outcome: 'within' },
            trial: { outcome: 'exceeded-shadow' },
          },
        },
      ),
    ],
    why: 'a bucket that is added to once per rule would count 12 or 18',
  },
  {
    id: 'several-refuse',
    title: 'All rules that refuse are named, and the ask passes when the last of them lets it',
    rules: [
      { ...COUNT, id: 'day', max: { count: 1 } },
      {
        ...COUNT,
        id: 'hour',
        window: { unit: 'hour', timeZone: 'Asia/Shanghai' },
        max: { count: 1 },
      },
      { ...COUNT, id: 'lifetime', window: 'lifetime', max: { count: 2 } },
    ],
    steps: [
      check(
        '2026-03-02T10:20:00+08:00',
        { orderId: 'X', amount: 1, capture: true },
        { kind: 'allowed', limitReached: true },
      ),
      check(
        '2026-03-02T10:40:00+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['day', 'hour'],
          rules: {
            day: { retryAt: '2026-03-03T00:00:00+08:00' },
            hour: { retryAt: '2026-03-02T11:00:00+08:00' },
            lifetime: { used: { count: 1 }, outcome: 'within' },
          },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
      check(
        '2026-03-03T00:00:00+08:00',
        { orderId: 'Y', amount: 1, capture: true },
        { kind: 'allowed', rules: { lifetime: { used: { count: 2 }, outcome: 'reached' } } },
      ),
      check(
        '2026-03-04T00:00:00+08:00',
        { orderId: 'Z', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['lifetime'],
          rules: { lifetime: { retryAt: null } },
          headroom: { amount: 0, earliestAt: null },
        },
      ),
    ],
    why: 'a lifetime does not end',
  },
  {
    id: 'effective',
    title: 'A rule applies from its first instant until just before its last',
    onNoRule: 'allow',
    rules: [
      {
        ...COUNT,
        max: { count: 1 },
        from: new Date('2026-03-02T10:00:00+08:00'),
        to: new Date('2026-03-02T12:00:00+08:00'),
      },
    ],
    steps: [
      check(
        '2026-03-02T09:59:59.999+08:00',
        { orderId: 'A', amount: 1, capture: true },
        { kind: 'allowed', applying: [] },
      ),
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'B', amount: 1, capture: true },
        {
          kind: 'allowed',
          applying: ['user-count'],
          rules: { 'user-count': { used: { count: 1 } } },
        },
      ),
      check(
        '2026-03-02T11:59:59.999+08:00',
        { orderId: 'C', amount: 1 },
        { kind: 'refused', exceeded: ['user-count'] },
      ),
      check(
        '2026-03-02T12:00:00+08:00',
        { orderId: 'C', amount: 1 },
        { kind: 'allowed', applying: [] },
      ),
    ],
    why: 'half-open, and what happened before a rule began was not counted for it',
  },
  {
    id: 'effective-retry',
    title: 'What a rule refuses passes when the rule ends',
    onNoRule: 'allow',
    rules: [
      { ...COUNT, id: 'campaign', max: { count: 0 }, to: new Date('2026-03-02T12:00:00+08:00') },
      { ...COUNT, id: 'later', max: { count: 0 }, to: new Date('2026-03-02T13:00:00+08:00') },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['campaign', 'later'],
          rules: {
            campaign: { retryAt: '2026-03-02T12:00:00+08:00' },
            later: { retryAt: '2026-03-02T13:00:00+08:00' },
          },
          headroom: { amount: 0, earliestAt: '2026-03-02T13:00:00+08:00' },
        },
      ),
      check(
        '2026-03-02T12:00:00+08:00',
        { orderId: 'A', amount: 1 },
        { kind: 'refused', exceeded: ['later'] },
      ),
      check('2026-03-02T13:00:00+08:00', { orderId: 'A', amount: 1 }, { kind: 'allowed' }),
    ],
    why: 'null means never, and that would be wrong by then',
  },
  {
    id: 'effective-shared',
    title: 'A rule that begins later over a counter in use knows what was used',
    rules: [
      { ...COUNT, id: 'always' },
      { ...COUNT, id: 'later', max: { count: 2 }, from: new Date('2026-03-02T12:00:00+08:00') },
    ],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'A', amount: 1, count: 2, capture: true },
        { kind: 'allowed', applying: ['always'] },
      ),
      check(
        '2026-03-02T12:00:00+08:00',
        { orderId: 'B', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['later'],
          applying: ['always', 'later'],
          rules: { always: { used: { count: 2 } }, later: { used: { count: 2 } } },
        },
      ),
    ],
    why: 'from and to are not part of what a counter counts',
  },
  {
    id: 'every-from',
    title: 'Ten days from the day of `from` are one window',
    rules: [
      {
        ...COUNT,
        window: { unit: 'day', every: 10, timeZone: 'Asia/Shanghai' },
        max: { count: 1 },
        from: new Date('2026-03-05T15:00:00+08:00'),
      },
    ],
    steps: [
      check(
        '2026-03-05T15:00:00+08:00',
        { orderId: 'A', amount: 1, capture: true },
        { kind: 'allowed', headroom: { earliestAt: '2026-03-15T00:00:00+08:00' } },
      ),
      check('2026-03-14T23:59:59+08:00', { orderId: 'B', amount: 1 }, { kind: 'refused' }),
      check('2026-03-15T00:00:00+08:00', { orderId: 'B', amount: 1 }, { kind: 'allowed' }),
    ],
    why: 'the first window begins with the period that contains `from`, at its midnight',
  },
];
