import type { BacktestCurrency, BacktestMissing } from '@headroom-limits/client';
import { describe, expect, it } from 'vitest';
import { digitsOf } from '../../../lib/shared/currency.ts';
import { BACKTESTS_EXAMPLES } from '../../../tools/openapi/backtests-examples.ts';
import { install } from './browser.ts';

await install();
const {
  changedIn,
  explainedText,
  firstDecided,
  missingLines,
  needsCare,
  noRuleText,
  partsLines,
  refusedByDay,
  resultSentence,
} = await import('../src/screens/back-test/told.ts');
const { daysOf, firstDays, isSameDraft, notesOf, rangeOf, scaled, triedOf } =
  await import('../src/screens/back-test/question.ts');
const { readingOf } = await import('../src/words/words.tsx');

const [en, zh] = [readingOf('en'), readingOf('zh')].map((one) => ({ ...one, digits: digitsOf }));
const { result } = BACKTESTS_EXAMPLES.findBacktest.answer;
const [example] = result.currencies;
if (en === undefined || zh === undefined || example === undefined)
  throw new Error('there are two languages, and an example');
const currency: BacktestCurrency = example;
const RULE = {
  id: 'user-day',
  per: ['user'],
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  currency: 'CNY',
  max: { amount: 301, count: 1 },
} as const;

describe('the result of a back-test, in a sentence', () => {
  const sums = (orders: number, amount: number) => ({
    ...{ checks: orders, orders, payments: orders, subjects: orders, amount },
  });
  const told = (refused: number, allowed: number, code = 'CNY'): BacktestCurrency => ({
    ...currency,
    currency: code,
    knockOn: {
      ...currency.knockOn,
      newlyRefused: sums(refused, 480_000),
      newlyAllowed: sums(allowed, 20_000),
      outcomes: {
        ...currency.knockOn.outcomes,
        ...{ paid: { checks: 1, amount: 1 }, refunded: { checks: 1, amount: 1 } },
      },
    },
  });

  // prettier-ignore
  it.each([
    { of: told(3, 1), says: 'Among 5,804 checks in CNY, the draft would have newly refused 3 orders of 3 subjects: ¥4,800.00 (2 of them paid), and newly allowed 1 order: ¥200.00.' },
    { of: told(0, 0), says: 'Among 5,804 checks in CNY, the draft would have newly refused none, and newly allowed none.' },
    { of: told(1, 0, ''), says: 'Among 5,804 checks in an unknown currency, the draft would have newly refused 1 order of 1 subject: 480,000 minor units of an unknown currency (2 of them paid), and newly allowed none.' },
  ])('says: $says', ({ of, says }) => {
    expect(resultSentence(of, 'knockOn', en)).toBe(says);
  });

  it('is in Chinese, too, with the amounts of its currency', () => {
    expect(resultSentence(told(3, 0), 'knockOn', zh)).toBe(
      '在 CNY 的 5,804 次检查中，草稿会新拒绝 3 个主体的 3 笔订单，共 ¥4,800.00（其中 2 笔已付款），不新增放行。',
    );
  });
});

describe('orders that would have got another amount', () => {
  const { knockOn } = currency;
  const parts = { less: { checks: 1_203, amount: 48_000 }, more: { checks: 1, amount: 50 } };
  const of: BacktestCurrency = { ...currency, knockOn: { ...knockOn, ...parts } };

  it('have a line where they get less, and one where they get more', () => {
    expect(partsLines(of, 'knockOn', en)).toEqual([
      'Passed with less than recorded: 1,203 checks, ¥480.00 less in all.',
      'Passed with more than recorded: 1 check, ¥0.50 more in all.',
    ]);
    expect(partsLines(of, 'knockOn', zh)).toEqual([
      '通过的金额少于实际：1,203 次检查，共少 ¥480.00。',
      '通过的金额多于实际：1 次检查，共多 ¥0.50。',
    ]);
  });

  it('have none where there are none', () => {
    expect(partsLines(of, 'direct', en)).toEqual([]);
  });
});

describe('the days of a result', () => {
  const hours = (from: string, refused: number) => ({
    from,
    recorded: { allowed: 9, refused },
    draft: { allowed: 9, refused: refused + 1 },
  });
  it('have the day of their middle where the clock is put back, and none stands twice', () => {
    const byDay = [
      hours('2026-10-31T04:00:00Z', 1),
      hours('2026-11-01T04:00:00Z', 2),
      hours('2026-11-02T04:00:00Z', 4),
      hours('2026-11-03T04:00:00Z', 8),
    ];
    const days = refusedByDay(byDay, '2026-11-03T05:00:00Z', 'America/New_York');
    expect(days).toEqual([
      { at: '2026-10-31T16:00:00.000Z', recorded: 1, draft: 2 },
      { at: '2026-11-01T16:00:00.000Z', recorded: 2, draft: 3 },
      { at: '2026-11-02T16:00:00.000Z', recorded: 12, draft: 14 },
    ]);
  });
});

describe('what the draft decides otherwise', () => {
  // prettier-ignore
  it.each([
    { refused: 3, allowed: 2, first: 'refused' },
    { refused: 0, allowed: 2, first: 'allowed' },
    { refused: 0, allowed: 0, first: 'refused' },
  ])('begins with $first where $refused are refused and $allowed allowed', ({ first, ...changed }) => {
    expect(firstDecided(changed)).toBe(first);
  });

  it('is added up over currencies', () => {
    const { newlyRefused, newlyAllowed } = currency.direct;
    expect(changedIn({ currencies: [currency, currency] }, 'direct')).toEqual({
      refused: 2 * newlyRefused.checks,
      allowed: 2 * newlyAllowed.checks,
    });
  });

  it('may be refused by no rule, and says so', () => {
    const { refused, allowed } = currency.knockOn.draft;
    const of = (checks: number) => ({ draft: { allowed, refused: { ...refused, checks } } });
    expect(noRuleText(of(0), en)).toBe('No rule of the draft refuses anything.');
    expect(noRuleText(of(1_200), en)).toBe(
      'No rule of the draft refuses anything. Refused for other reasons, such as that no rule applies: 1,200.',
    );
  });
});

describe('how far a result can be trusted', () => {
  // prettier-ignore
  it.each([
    { share: 0, says: '100%', why: 'nothing differs' },
    { share: 1e-9, says: '99.99%', why: 'something differs' },
    { share: 0.0000203, says: '99.99%', why: '2 of 98,534 differ' },
    { share: 0.0238, says: '97.62%', why: 'a back-test without attributes is far off' },
  ])('is $says where $share differs, because $why', ({ share, says }) => {
    expect(explainedText({ share }, 'en')).toBe(says);
  });

  it('asks for care where one of both replays is above 0.1 %', () => {
    const of = (direct: number, knockOn: number) => ({
      checks: 1,
      direct: { differences: 1, share: direct },
      knockOn: { differences: 1, share: knockOn },
    });
    expect([of(0.001, 0.001), of(0, 0.0011), of(0.0011, 0)].map(needsCare)).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('has a line for each thing that is missing, and none for another', () => {
    const missing: BacktestMissing = {
      ...result.missing,
      lostRows: 3,
      withoutAttributes: 21_550,
      rulesWithAttributes: ['gold', 'tier'],
      countedFrom: '2026-01-03T00:00:00Z',
      rulesCountedFrom: ['life'],
    };
    expect(missingLines(missing, en, (at) => at)).toEqual([
      'Lost rows, at least: 3.',
      'Rows without attributes: 21,550. These rules ask for some: gold, tier.',
      'These rules count only from 2026-01-03T00:00:00Z on: life.',
    ]);
    expect(missingLines(result.missing, en, (at) => at)).toEqual([]);
  });
});

describe('a rule is tried', () => {
  it('as if it were enforced, and at all times: a draft of next week refuses nothing', () => {
    const rule = { ...RULE, mode: 'draft', from: '2027-01-01T00:00:00Z' } as const;
    expect(triedOf(rule)).toEqual({ put: RULE });
    expect(notesOf(rule)).toEqual(['enforced', 'undated']);
    expect(notesOf(RULE)).toEqual([]);
    expect(notesOf({ ...RULE, onExceed: 'notify' })).toEqual(['notifies']);
    expect(notesOf({ ...RULE, onExceed: 'review' })).toEqual(['asks']);
    expect(notesOf({ ...RULE, onExceed: { challenge: 'sca' } })).toEqual(['asks']);
    expect(triedOf({ ...RULE, mode: 'retired' })).toEqual({ drop: 'user-day' });
  });

  it('with half of each maximum, and with 1 at least', () => {
    expect(scaled(RULE, 0.5).max).toEqual({ amount: 150, count: 1 });
    const max = { amount: { by: 'tier', gold: 900, none: 0, else: 500 }, distinct: { card: 3 } };
    expect(scaled({ ...RULE, max }, 0.5).max).toEqual({
      amount: { by: 'tier', gold: 450, none: 0, else: 250 },
      distinct: { card: 1 },
    });
  });

  it('and is the same draft however its fields are ordered', () => {
    const { id, ...rest } = RULE;
    expect(isSameDraft({ put: RULE }, { put: { ...rest, id } })).toBe(true);
    expect(isSameDraft({ put: RULE }, { put: scaled(RULE, 0.5) })).toBe(false);
    expect(isSameDraft({ drop: 'user-day' }, undefined)).toBe(false);
  });
});

describe('the days of a back-test', () => {
  const NOW = Date.parse('2026-03-03T04:07:30Z');
  const ZONE = 'Asia/Shanghai';

  it('are the last thirty, up to some minutes ago', () => {
    const days = firstDays(ZONE, NOW);
    expect(days).toEqual({ from: '2026-02-01', to: '2026-03-03' });
    expect(rangeOf(days, ZONE, NOW)).toEqual({
      from: '2026-01-31T16:00:00.000Z',
      to: '2026-03-03T04:00:00.000Z',
    });
  });

  // prettier-ignore
  it.each([
    { from: '2026-02-28', to: '2026-02-28', range: { from: '2026-02-27T16:00:00.000Z', to: '2026-02-28T16:00:00.000Z' }, why: 'a day has its own hours' },
    { from: '2026-03-02', to: '2026-03-01', range: undefined, why: 'they are in the wrong order' },
    { from: '2026-03-04', to: '2026-03-05', range: undefined, why: 'they are to come' },
    { from: '', to: '2026-03-01', range: undefined, why: 'one is empty' },
  ])('$from to $to are $range, because $why', ({ from, to, range }) => {
    expect(rangeOf({ from, to }, ZONE, NOW)).toEqual(range);
    if (range !== undefined) expect(daysOf(range, ZONE)).toEqual({ from, to });
  });
});
