import { expect, it } from 'vitest';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import { wrongBuckets } from '../../lib/rule-file/wrong-buckets.ts';

const of = (count: number, window: unknown, more: object = {}) =>
  Array.from({ length: count }, (_, index) => ({
    id: `r${index}-${JSON.stringify(window)
      .replace(/[^a-z0-9]/gi, '')
      .toLowerCase()
      .slice(0, 40)}`,
    per: ['user'],
    match: { kind: `k-${index}` },
    window,
    max: { count: 9 },
    ...more,
  }));
const HOUR = { rolling: 'PT1H' };
const DAY = { unit: 'day', timeZone: 'UTC' };
const YEAR = (year: number) => ({
  from: `${year}-01-01T00:00:00Z`,
  to: `${year + 1}-01-01T00:00:00Z`,
});
const wrong = (windows: number, buckets: number, todo: string) => ({
  value: `one of ${windows} rolling windows per user, whose rules may need ${buckets} buckets in one document`,
  expected: `rules that need at most 1000: ${todo}`,
});
const step = (steps: number): string => `give each a \`step\` of at least 1/${steps} of its window`;

it.each([
  { why: '48 steps, and the one that leaves', rules: of(20, HOUR), wrong: [] },
  { why: 'one more', rules: of(21, HOUR), wrong: [wrong(21, 1_029, step(46))] },
  { why: '50 of 19 steps', rules: of(50, { rolling: 'PT19M', step: 'PT1M' }), wrong: [] },
  {
    why: '50 of 20 steps',
    rules: of(50, { rolling: 'PT20M', step: 'PT1M' }),
    wrong: [wrong(50, 1_050, step(19))],
  },
  {
    why: 'a step that does not divide the window takes one more',
    rules: of(50, { rolling: 'PT19M30S', step: 'PT1M' }),
    wrong: [wrong(50, 1_050, step(19))],
  },
  {
    why: 'other windows have one',
    rules: [...of(20, HOUR), ...of(20, DAY)],
    wrong: [],
  },
  {
    why: 'other windows have one, each',
    rules: [...of(20, HOUR), ...of(21, DAY)],
    wrong: [wrong(20, 1_001, step(47))],
  },
  {
    why: 'an exact one has one for each payment',
    rules: of(12, { rolling: 'PT1H', step: 'exact' }, { max: { count: 90 } }),
    wrong: [wrong(12, 1_080, 'use fewer of them per user')],
  },
  { why: 'rules of one counter share them', rules: of(30, HOUR, { match: {} }), wrong: [] },
  { why: 'drafts have none', rules: of(30, HOUR, { mode: 'draft' }), wrong: [] },
  {
    why: 'each kind has a document',
    rules: [...of(15, HOUR), ...of(15, { rolling: 'PT2H' }, { per: ['card', 'user'] })],
    wrong: [],
  },
  {
    why: 'rules of two years follow each other',
    rules: [...of(15, HOUR, YEAR(2026)), ...of(15, { rolling: 'PT2H' }, YEAR(2028))],
    wrong: [],
  },
  {
    why: 'but what they counted stays for a window',
    rules: [
      ...of(15, { rolling: 'P366D' }, YEAR(2026)),
      ...of(15, { rolling: 'PT2H' }, YEAR(2027)),
    ],
    wrong: [wrong(30, 1_470, step(32))],
  },
])('$why', ({ rules, wrong: mistakes }) => {
  expect(wrongBuckets(parseRules(rules, 'a test'))).toMatchObject(mistakes);
  expect(wrongBuckets(parseRules(rules, 'a test'))).toHaveLength(mistakes.length);
});
