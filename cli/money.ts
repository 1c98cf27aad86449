import { decimalText, digitsOf } from '../lib/shared/currency.ts';

/** Says how many digits a currency has after the point. */
export type Digits = (currency: string) => number;

/**
 * Writes an amount as people do: `amountText(2_000_000, 'CNY')` is `20,000.00`.
 *
 * @param amountMinor whole minor units, perhaps negative
 * @param currency of ISO 4217, or a private code
 * @param digits by default those of ISO 4217, and none of private codes
 */
export function amountText(
  amountMinor: number | bigint,
  currency: string,
  digits: Digits = digitsOf,
): string {
  const [whole = '', fraction] = decimalText(amountMinor, digits(currency)).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const grouped = `${sign}${BigInt(whole.replace('-', '')).toLocaleString('en')}`;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
