/** Black-box cases about a subject's own maximum of a rule that is exact, or becomes another one. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { changeRules, changeTerms, check, record } from './case.ts';

const EXACT: ModelRule = {
  id: 'often',
  per: ['user'],
  window: { rollingMs: 3_600_000, stepMs: 'exact' },
  max: { count: 4 },
  mode: 'enforce',
};
const TRIAL: ModelRule = { ...EXACT, mode: 'shadow' };
const STEPPED: ModelRule = { ...EXACT, window: { rollingMs: 3_600_000, stepMs: 60_000 } };
const at = (time: string): string => `2026-03-02T${time}+08:00`;

export const EXACT_TERMS_CASES: readonly LimitCase[] = [
  {
    id: 'exact-terms-trial',
    title: 'A trial with an exact window is full by the subject’s own maximum',
    rules: [TRIAL],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'often', max: { count: 1 } }] }),
      check(
        at('10:00:01'),
        { orderId: 'A', amount: 1, count: 3 },
        {
          kind: 'allowed',
          rules: {
            often: { held: { count: 0 }, remaining: { count: 1 }, outcome: 'exceeded-shadow' },
          },
        },
      ),
      record(
        at('10:00:03'),
        { orderId: 'B', amount: 1, count: 2, at: new Date(at('10:00:02')) },
        { kind: 'recorded', counted: [] },
      ),
      check(
        at('10:00:04'),
        { orderId: 'C', amount: 1 },
        { kind: 'allowed', rules: { often: { held: { count: 1 }, outcome: 'reached' } } },
      ),
    ],
    why: 'lest a trial fill the document with buckets',
  },
  {
    id: 'exact-terms-later',
    title: 'No maximum of a subject’s own is the most that an exact window takes, once it is one',
    rules: [STEPPED],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'often', max: { count: null } }] }),
      check(
        at('10:00:01'),
        { orderId: 'A', amount: 1, count: 500 },
        { kind: 'allowed', rules: { often: { remaining: {} } } },
      ),
      changeRules(at('10:00:02'), [EXACT]),
      check(
        at('10:00:03'),
        { orderId: 'B', amount: 1, count: 101 },
        { kind: 'refused', exceeded: ['often'], rules: { often: { remaining: { count: 100 } } } },
      ),
      check(
        at('10:00:04'),
        { orderId: 'C', amount: 1, count: 100 },
        { kind: 'allowed', limitReached: true, rules: { often: { remaining: { count: 0 } } } },
      ),
    ],
    why: 'each payment has a bucket of its own, and a document has room for so many',
  },
  {
    id: 'exact-terms-too-many',
    title: 'A maximum of a subject’s own above what an exact window takes is that, once it is one',
    rules: [STEPPED],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'often', max: { count: 5_000 } }] }),
      changeRules(at('10:00:02'), [EXACT]),
      check(
        at('10:00:03'),
        { orderId: 'B', amount: 1 },
        { kind: 'allowed', rules: { often: { remaining: { count: 99 } } } },
      ),
    ],
    why: 'a rule itself says no more',
  },
  {
    id: 'terms-amount-without-currency',
    title: 'An amount of a subject’s own is none, once its rule has no currency',
    rules: [{ ...STEPPED, currency: 'CNY', max: { amount: 100, count: 4 } }],
    steps: [
      changeTerms(at('10:00:00'), { overrides: [{ rule: 'often', max: { amount: 0 } }] }),
      check(
        at('10:00:01'),
        { orderId: 'A', amount: 1 },
        { kind: 'refused', exceeded: ['often'], rules: { often: { remaining: { amount: 0 } } } },
      ),
      changeRules(at('10:00:02'), [STEPPED]),
      check(
        at('10:00:03'),
        { orderId: 'B', amount: 1 },
        {
          kind: 'allowed',
          limitReached: false,
          rules: { often: { remaining: { count: 3 }, outcome: 'within' } },
          headroom: { amount: null },
        },
      ),
    ],
    why: 'it limits counts alone',
  },
];
