import { describe, expect, it } from 'vitest';
import { moneyText } from '../../../lib/http/sentences/money.ts';
import { ISO_4217_SCALED } from '../../../test/support/iso-4217.ts';
import { amountText, majorOf, minorOf, moneyOf } from '../src/ui/written.ts';

describe('an amount in the console', () => {
  it.each([
    { minor: 120_000, currency: 'CNY', text: '¥1,200.00' },
    { minor: 9_000, currency: 'USD', text: '$90.00' },
    { minor: 9_000, currency: 'HKD', text: 'HK$90.00' },
    { minor: 1_234, currency: 'JPY', text: 'JPY 1,234' },
    { minor: 1_234, currency: 'KWD', text: 'KWD 1.234' },
    { minor: 4_990, currency: 'POINTS', text: '4,990 POINTS' },
  ])("of $minor $currency is $text, as in the API's sentences", ({ minor, currency, text }) => {
    expect(amountText(minor, currency, 'en').replaceAll('\u00a0', ' ')).toBe(text);
    for (const [locale, language] of [
      ['en', 'en'],
      ['zh-CN', 'zh'],
    ] as const)
      expect(amountText(minor, currency, locale)).toBe(moneyText(minor, currency, language));
  });

  it.each(ISO_4217_SCALED)(
    'of $code is typed and told with $digits digits, whatever browser it is',
    ({ code, digits }) => {
      const minor = 1_250 * 10 ** digits;
      expect(minorOf(1_250, code)).toBe(minor);
      expect(majorOf(minor, code)).toBe(1_250);
      expect(amountText(minor, code, 'en')).toBe(moneyText(minor, code, 'en'));
      // Of the field in which it is typed.
      expect(moneyOf(code)).toMatchObject({
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      });
    },
  );

  it('looks like that of no other currency', () => {
    const currencies = Intl.supportedValuesOf('currency');
    for (const locale of ['en', 'zh-CN'])
      expect(
        new Set(
          currencies.map((currency) =>
            amountText(1_000_000, currency, locale).replace(/[\d,.]+/, ''),
          ),
        ).size,
      ).toBe(currencies.length);
  });
});
