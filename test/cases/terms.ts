/** Black-box cases about a subject's own terms: other maxima, and being frozen. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { changeTerms, check, confirm, rollback } from './case.ts';

const DAY: ModelRule = {
  id: 'day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 100, count: 9 },
  mode: 'enforce',
};
const MERCHANT: ModelRule = { ...DAY, id: 'merchant', per: ['merchant'], max: { amount: 50 } };
const ONE: ModelRule = {
  id: 'one',
  per: ['user'],
  currency: 'CNY',
  window: 'transaction',
  min: { amount: 2 },
  max: { amount: 30 },
  mode: 'enforce',
};
const at = (time: string): string => `2026-03-02T${time}+08:00`;
const until = (time: string): Date => new Date(at(time));
const BOTH = { subjects: { user: 'u-1', merchant: 'm-1' } };

export const TERMS_CASES: readonly LimitCase[] = [
  {
    id: 'terms-higher-and-over-again',
    title: 'A higher maximum holds from its instant up to its end, over the same sum',
    rules: [DAY],
    steps: [
      check(at('10:00:00'), { orderId: 'A', amount: 90, capture: true }, { kind: 'allowed' }),
      changeTerms(at('10:00:01'), {
        overrides: [
          { rule: 'day', max: { amount: 300 }, from: until('10:01:00'), until: until('11:00:00') },
        ],
      }),
      check(
        at('10:00:59'),
        { orderId: 'B', amount: 20 },
        { kind: 'refused', reason: 'rule', exceeded: ['day'] },
      ),
      check(
        at('10:01:00'),
        { orderId: 'C', amount: 20, capture: true },
        { kind: 'allowed', rules: { day: { remaining: { amount: 190, count: 7 } } } },
      ),
      check(at('10:59:59'), { orderId: 'D', amount: 190 }, { kind: 'allowed', limitReached: true }),
      check(
        at('11:00:00'),
        { orderId: 'E', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['day'],
          rules: { day: { held: { amount: 190, count: 1 }, remaining: { amount: 0, count: 6 } } },
        },
      ),
    ],
    why: 'a raise for a while ends by itself, and nothing is counted again',
  },
  {
    id: 'terms-lower-and-none',
    title: 'A lower maximum refuses, and says when it ends; null is none',
    rules: [DAY],
    steps: [
      changeTerms(at('10:00:00'), {
        overrides: [{ rule: 'day', max: { amount: 10 }, until: until('12:00:00') }],
      }),
      check(
        at('10:00:01'),
        { orderId: 'A', amount: 11 },
        {
          kind: 'refused',
          exceeded: ['day'],
          rules: { day: { outcome: 'exceeded', retryAt: at('12:00:00') } },
          headroom: { amount: 10, earliestAt: at('12:00:00') },
        },
      ),
      check(at('10:00:02'), { orderId: 'B', amount: 10 }, { kind: 'allowed', limitReached: true }),
      changeTerms(at('10:00:03'), {
        overrides: [{ rule: 'day', max: { amount: null, count: 3 } }],
      }),
      check(
        at('10:00:04'),
        { orderId: 'C', amount: 5_000, count: 2 },
        { kind: 'allowed', limitReached: true, headroom: { amount: 0 } },
      ),
      check(
        at('10:00:05'),
        { orderId: 'D', amount: 1 },
        { kind: 'refused', exceeded: ['day'], rules: { day: { remaining: { count: 0 } } } },
      ),
      changeTerms(at('10:00:06'), {}),
      check(
        at('10:00:07'),
        { orderId: 'D', amount: 1 },
        { kind: 'refused', rules: { day: { remaining: { amount: 0, count: 6 } } } },
      ),
      check(
        at('10:20:07'),
        { orderId: 'D', amount: 1 },
        { kind: 'allowed', rules: { day: { remaining: { amount: 99, count: 8 } } } },
      ),
    ],
    why: 'what is given in place of a maximum stands, and what is not stays the rule’s own',
  },
  {
    id: 'terms-of-one-subject',
    title: 'Terms are of one subject, and of one rule',
    rules: [DAY, MERCHANT],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'merchant', max: { amount: 70 } }] }, [
        'merchant',
        'm-1',
      ]),
      check(at('10:00:01'), { orderId: 'A', amount: 60, ...BOTH }, { kind: 'allowed' }),
      check(
        at('10:00:02'),
        { orderId: 'B', amount: 60, subjects: { user: 'u-2', merchant: 'm-2' } },
        { kind: 'refused', exceeded: ['merchant'] },
      ),
      check(
        at('10:00:03'),
        { orderId: 'C', amount: 11, ...BOTH },
        { kind: 'refused', exceeded: ['merchant'] },
      ),
      check(
        at('10:00:04'),
        { orderId: 'D', amount: 10, ...BOTH },
        { kind: 'allowed', rules: { merchant: { remaining: { amount: 0 } } } },
      ),
    ],
    why: 'one merchant’s raise is nobody else’s',
  },
  {
    id: 'terms-single',
    title: 'The maximum of a single transaction may be a subject’s own; its minimum is not',
    rules: [ONE],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'one', max: { amount: 40 } }] }),
      check(at('10:00:01'), { orderId: 'A', amount: 40 }, { kind: 'allowed' }),
      check(at('10:00:02'), { orderId: 'B', amount: 41 }, { kind: 'refused', exceeded: ['one'] }),
      check(
        at('10:00:03'),
        { orderId: 'C', amount: 1 },
        { kind: 'refused', rules: { one: { outcome: 'below-minimum' } } },
      ),
    ],
    why: 'an override changes the maximum alone',
  },
  {
    id: 'terms-frozen',
    title: 'Of a frozen subject every new check is refused; what was held goes on',
    rules: [DAY],
    steps: [
      check(at('10:00:00'), { orderId: 'A', amount: 10 }, { kind: 'allowed' }),
      check(at('10:00:01'), { orderId: 'B', amount: 10 }, { kind: 'allowed' }),
      changeTerms(at('10:00:02'), { frozen: { until: until('10:10:00') } }),
      check(
        at('10:00:03'),
        { orderId: 'C', amount: 10 },
        {
          kind: 'refused',
          reason: 'frozen',
          exceeded: [],
          rules: { day: { outcome: 'within', held: { amount: 20, count: 2 } } },
          headroom: { amount: 0, earliestAt: at('10:10:00') },
        },
      ),
      check(at('10:00:04'), { orderId: 'A', amount: 10 }, { kind: 'allowed', repeated: true }),
      confirm(at('10:00:05'), { orderId: 'A', amount: 9 }, { kind: 'confirmed', amount: 9 }),
      rollback(at('10:00:06'), { orderId: 'B' }, { kind: 'rolledBack' }),
      check(
        at('10:09:59'),
        { orderId: 'C', amount: 95 },
        {
          kind: 'refused',
          reason: 'frozen',
          exceeded: ['day'],
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
      check(at('10:10:00'), { orderId: 'C', amount: 10 }, { kind: 'allowed' }),
    ],
    why: 'a freeze stops what is new, and ends by itself',
  },
  {
    id: 'terms-frozen-beside-home',
    title: 'A frozen merchant refuses what its rules count, from any payer',
    rules: [DAY, MERCHANT],
    steps: [
      changeTerms(at('10:00:00'), { frozen: {} }, ['merchant', 'm-1']),
      check(
        at('10:00:01'),
        { orderId: 'A', amount: 10, ...BOTH },
        { kind: 'refused', reason: 'frozen', headroom: { amount: 0, earliestAt: null } },
      ),
      check(at('10:00:02'), { orderId: 'B', amount: 100 }, { kind: 'allowed' }),
      changeTerms(at('10:00:03'), {}, ['merchant', 'm-1']),
      check(
        at('10:00:04'),
        { orderId: 'A', amount: 10, ...BOTH },
        { kind: 'refused', reason: 'rule', exceeded: ['day'] },
      ),
      rollback(at('10:00:05'), { orderId: 'B' }, { kind: 'rolledBack' }),
      check(at('10:00:06'), { orderId: 'A', amount: 10, ...BOTH }, { kind: 'allowed' }),
    ],
    why: 'nothing was held anywhere meanwhile',
  },
  {
    id: 'terms-late',
    title: 'What a late confirm exceeds is told by the subject’s own maximum',
    rules: [DAY],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'day', max: { amount: 20 } }] }),
      check(at('10:00:01'), { orderId: 'A', amount: 15 }, { kind: 'allowed' }),
      check(at('10:30:00'), { orderId: 'B', amount: 15 }, { kind: 'allowed' }),
      confirm(
        at('10:31:00'),
        { orderId: 'A' },
        { kind: 'confirmed', late: true, exceeded: [{ rule: 'day', amount: 10 }] },
      ),
    ],
    why: 'it is the maximum in force',
  },
];
