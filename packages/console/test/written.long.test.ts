import { afterEach, describe, expect, it, vi } from 'vitest';
import { moneyText } from '../../../lib/http/sentences/money.ts';
import { ISO_4217_SCALED } from '../../../test/support/iso-4217.ts';
import { digitsOf } from '../../../lib/shared/currency.ts';
import type { Reading } from '../src/words/words.tsx';
import { install } from './browser.ts';

await install();
const { readingOf } = await import('../src/words/words.tsx');
const { amountText, formatOf, majorOf, minorOf, instantText, windowText } =
  await import('../src/ui/written.ts');

const LANGUAGES = ['en', 'zh'] as const;
const reading = (language: 'en' | 'zh', digits: Reading['digits'] = digitsOf): Reading => ({
  ...readingOf(language),
  digits: (code) => digits(code),
});

describe('an amount in the console', () => {
  it.each([
    { minor: 120_000, currency: 'CNY', text: '¥1,200.00' },
    { minor: 9_000, currency: 'USD', text: '$90.00' },
    { minor: 9_000, currency: 'HKD', text: 'HK$90.00' },
    { minor: 1_234, currency: 'JPY', text: 'JPY 1,234' },
    { minor: 1_234, currency: 'KWD', text: 'KWD 1.234' },
    { minor: 4_990, currency: 'POINTS', text: '4,990 POINTS' },
  ])("of $minor $currency is $text, as in the API's sentences", ({ minor, currency, text }) => {
    expect(amountText(minor, currency, reading('en')).replaceAll('\u00a0', ' ')).toBe(text);
    for (const language of LANGUAGES)
      expect(amountText(minor, currency, reading(language))).toBe(
        moneyText(minor, { currency }, language),
      );
  });

  it.each(ISO_4217_SCALED)(
    'of $code is typed and told with $digits digits, whatever browser it is',
    ({ code, digits }) => {
      const minor = 1_250 * 10 ** digits;
      expect(minorOf(1_250, digits)).toBe(minor);
      expect(majorOf(minor, digits)).toBe(1_250);
      expect(amountText(minor, code, reading('en'))).toBe(
        moneyText(minor, { currency: code }, 'en'),
      );
      // Of the field in which it is typed.
      expect(formatOf(code, digits)).toMatchObject({
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    },
  );

  it.each([
    { major: 1.005, digits: 2, minor: 101, text: '1.01', why: '1.005 * 100 is 100.49999999999999' },
    { major: 1.0005, digits: 3, minor: 1_001, text: '1.001', why: 'a half is rounded up' },
    { major: 8.4e-7, digits: 6, minor: 1, text: '0.000001', why: 'JavaScript writes 8.4e-7' },
    { major: 10_000_000_000_000, digits: 2, minor: 1e15, text: '10,000,000,000,000.00' },
  ])('of $major is as many minor units as its field shows: $text', (row) => {
    const { major, digits, minor, text } = row;
    expect(minorOf(major, digits)).toBe(minor);
    expect(new Intl.NumberFormat('en', formatOf(undefined, digits)).format(major)).toBe(text);
  });

  it.each([
    { digits: 6, en: '80.500000 USDT', zh: '80.500000 USDT', why: 'the rules say so' },
    {
      digits: undefined,
      en: '80,500,000 minor units of USDT',
      zh: 'USDT 最小单位 80,500,000',
      why: 'nobody has said it yet',
    },
  ])('of USDT is $en, because $why', ({ digits, en, zh }) => {
    expect(
      amountText(
        80_500_000,
        'USDT',
        reading('en', () => digits),
      ),
    ).toBe(en);
    expect(
      amountText(
        80_500_000,
        'USDT',
        reading('zh', () => digits),
      ),
    ).toBe(zh);
  });

  it('looks like that of no other currency', () => {
    const currencies = Intl.supportedValuesOf('currency');
    for (const language of LANGUAGES)
      expect(
        new Set(
          currencies.map((currency) =>
            amountText(1_000_000, currency, reading(language)).replace(/[\d,.]+/, ''),
          ),
        ).size,
      ).toBe(currencies.length);
  });
});

describe('a time without its year', () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  it.each([
    { at: '2026-12-31T15:00:00Z', text: 'Dec 31, 23:00', why: 'it is the year of the reader' },
    { at: '2026-12-31T16:00:00Z', text: 'Jan 1, 2027, 00:00', why: 'it is the next year there' },
  ])('is $text, because $why', ({ at, text }) => {
    vi.useFakeTimers({ now: new Date('2026-12-31T12:00:00Z') });
    expect(instantText(at, 'en', 'Asia/Shanghai')).toBe(text);
  });
});

it.each([
  { unit: 'day', every: 1, en: 'a day', zh: '每天' },
  { unit: 'week', every: 2, en: 'every 2 weeks', zh: '每 2 周' },
  { unit: 'month', every: 3, en: 'every 3 months', zh: '每 3 个月' },
] as const)('a window of $every $unit is $en', ({ unit, every, en, zh }) => {
  const at = { timeZone: 'UTC', start: '', end: '' };
  const window = { kind: 'calendar', unit, ...at, ...(every === 1 ? {} : { every }) } as const;
  expect(windowText(window, reading('en'))).toBe(en);
  expect(windowText(window, reading('zh'))).toBe(zh);
});
