import { describe, expect, it } from 'vitest';
import { amountText } from '../../cli/money.ts';
import { moneyText } from '../../lib/http/sentences/money.ts';
import { digitsOf, ISO_4217_PUBLISHED, isoDigits } from '../../lib/shared/currency.ts';
import { ISO_4217, ISO_4217_SCALED, ISO_4217_TEXT } from '../support/iso-4217.ts';

describe('the digits of a currency', () => {
  it('are those of every currency in the list of ISO 4217', () => {
    expect(ISO_4217_TEXT).toContain(`published on ${ISO_4217_PUBLISHED}`);
    expect(ISO_4217.length).toBeGreaterThan(170);
    const ours = ISO_4217.map(({ code }) => ({ code, digits: isoDigits(code) }));
    expect(ours).toEqual(ISO_4217);
  });

  it.each(['ANG', 'BGN', 'HRK'])('stay those of a currency that ISO withdrew: %s', (code) => {
    expect(ISO_4217.some((row) => row.code === code)).toBe(false);
    expect(isoDigits(code)).toBe(2);
  });

  it('are none where nobody said how many a private code has', () => {
    for (const code of ['USDT', 'POINTS', 'A1B', 'XAU', 'XXX', 'constructor'])
      expect([code, digitsOf(code), digitsOf(code, 6)]).toEqual([code, 0, 6]);
  });

  // packages/console/test/written.long.test.ts compares the console with these sentences.
  it.each(ISO_4217_SCALED)(
    'of $code are $digits on the command line and in sentences, whatever Node runs them',
    ({ code, digits }) => {
      const minor = 1_250 * 10 ** digits;
      const text = digits === 0 ? '1,250' : `1,250.${'0'.repeat(digits)}`;
      expect(amountText(minor, code)).toBe(text);
      for (const language of ['en', 'zh'] as const)
        expect(/\d[\d,.]*/.exec(moneyText(minor, { currency: code }, language))?.[0]).toBe(text);
    },
  );
});
