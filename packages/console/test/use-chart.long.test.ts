import type { RuleUsage, UsageHistoryAnswer } from '@headroom-limits/client';
import { describe, expect, it } from 'vitest';
import { digitsOf } from '../../../lib/shared/currency.ts';
import { install } from './browser.ts';

await install();
const { optionsOf } = await import('../src/screens/subject/use-chart.ts');
const { readingOf } = await import('../src/words/words.tsx');

const reading = { ...readingOf('en'), digits: digitsOf };
const [start, end] = ['2026-03-03T16:00:00.000Z', '2026-03-04T16:00:00.000Z'];
const period = { start, end };
const answerOf = (unit: 'day' | 'hour', currency: string, amount: number): UsageHistoryAnswer => ({
  ...{ subjects: { user: 'u-1' }, unit, timeZone: 'Asia/Shanghai', now: end },
  windows: [{ ...period, sums: [{ currency, amount, count: 3, refunded: 0 }] }],
});
const ruleOf = (window: RuleUsage['window']): RuleUsage => ({
  ...{ rule: 'r', subjects: { user: 'u-1' }, mode: 'enforce', window, max: { amount: 500 } },
  ...{ outcome: 'within', share: 0, resetsAt: null },
});
const DAY = ruleOf({ kind: 'calendar', unit: 'day', timeZone: 'Asia/Shanghai', ...period });
const ROLLING = ruleOf({
  ...{ kind: 'rolling', span: 'PT1H', step: 'PT5M', maxEarlyRefusal: 'PT5M' },
  ...period,
});
const line = { name: 'Maximum now', value: 500 };

describe('a chart of what was counted', () => {
  // prettier-ignore
  it.each([
    { answer: answerOf('day', 'CNY', 900), rule: DAY, line, unit: 'In CNY · Asia/Shanghai', names: ['Mar 4'], why: 'its days are those of the rule' },
    { answer: answerOf('day', 'CNY', 900), rule: ROLLING, line: undefined, unit: 'In CNY · Asia/Shanghai', names: ['Mar 4'], why: 'no day is compared with the maximum of an hour' },
    { answer: answerOf('hour', 'CNY', 900), rule: DAY, line, unit: 'In CNY · Asia/Shanghai', names: ['Mar 4, 00:00'], why: 'hours of one day differ' },
    { answer: answerOf('day', 'XXX', 0), rule: undefined, line: undefined, unit: 'Number of payments in XXX · Asia/Shanghai', names: ['Mar 4'], why: 'other payments are in other charts' },
  ])('has the maximum $line.value over $names, because $why', ({ answer, rule, why: _why, ...told }) => {
    const { sums } = answer.windows[0] ?? { sums: [] };
    const { line: drawn, unit, names } = optionsOf(answer, sums[0]?.currency ?? '', rule, reading);
    expect({ line: drawn, unit, names: names.map((name) => name.replace(/, 2026/, '')) }).toEqual(told);
  });
});
