/**
 * Writes an amount as people do: `amountText(2_000_000, 'CNY')` is `20,000.00`.
 *
 * @param amountMinor whole minor units, perhaps negative
 * @param currency of ISO 4217, or a private code
 */
export function amountText(amountMinor: number | bigint, currency: string): string {
  const decimals = decimalsOf(currency);
  const digits = String(amountMinor)
    .replace('-', '')
    .padStart(decimals + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - decimals)).toLocaleString('en');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${amountMinor < 0 ? '-' : ''}${whole}${fraction}`;
}

/**
 * How many decimals a currency has. Intl knows those of ISO 4217, but for a few currencies whose
 * smallest unit is out of use. Three letters that it does not know have two. Nobody knows those of
 * a private code: `POINTS` is written in minor units.
 */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 0;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
