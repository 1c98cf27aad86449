import { decimalText, digitsOf } from '../lib/shared/currency.ts';

/**
 * Writes an amount as people do: `amountText(2_000_000, 'CNY')` is `20,000.00`.
 *
 * @param amountMinor whole minor units, perhaps negative
 * @param currency of ISO 4217, or a private code
 */
export function amountText(amountMinor: number | bigint, currency: string): string {
  const [whole = '', fraction] = decimalText(amountMinor, digitsOf(currency)).split('.');
  const sign = whole.startsWith('-') ? '-' : '';
  const grouped = `${sign}${BigInt(whole.replace('-', '')).toLocaleString('en')}`;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
