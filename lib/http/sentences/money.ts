import type { Language } from './language.ts';

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/**
 * Writes an amount as people do: `¥50,000.00`. A private code has two decimals, and stands behind.
 *
 * @param amountMinor whole minor units; exact, since a sum has at most 53 bits
 */
export function moneyText(amountMinor: number, currency: string, language: Language): string {
  const locale = LOCALES[language];
  if (!/^[A-Z]{3}$/.test(currency)) {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
    return `${new Intl.NumberFormat(locale, digits).format(amountMinor / 100)} ${currency}`;
  }
  const options = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const format = new Intl.NumberFormat(locale, options);
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amountMinor / 10 ** decimals);
}

/** Writes a whole number with its groups: `1,000`. */
export function numberText(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** Writes how many payments: `20 payments`, `20笔`. */
export function paymentsText(count: number, language: Language): string {
  const text = numberText(count, language);
  return language === 'zh' ? `${text}笔` : `${text} ${count === 1 ? 'payment' : 'payments'}`;
}
