import { describe, expect, it } from 'vitest';
import { amountText } from '../../cli/money.ts';

describe('an amount in minor units, as people write it', () => {
  // prettier-ignore
  it.each([
    { amountMinor: 2_000_000, currency: 'CNY', text: '20,000.00', why: 'a yuan has 100 fen' },
    { amountMinor: 5, currency: 'CNY', text: '0.05', why: 'there is a digit before the point' },
    { amountMinor: -500, currency: 'EUR', text: '-5.00', why: 'a sum may be damaged' },
    { amountMinor: 1_200, currency: 'JPY', text: '1,200', why: 'a yen has no smaller unit' },
    { amountMinor: 1_234, currency: 'KWD', text: '1.234', why: 'a dinar has 1,000 fils' },
    { amountMinor: 1_234, currency: 'POINTS', text: '1,234', why: 'a private code says nothing' },
    { amountMinor: 1_234, currency: 'A1B', text: '1,234', why: 'ISO 4217 has letters alone' },
    { amountMinor: Number.MAX_SAFE_INTEGER, currency: 'CNY', text: '90,071,992,547,409.91', why: 'no digit is lost' },
  ])('$amountMinor of $currency is $text: $why', ({ amountMinor, currency, text }) => {
    expect(amountText(amountMinor, currency)).toBe(text);
  });
});
