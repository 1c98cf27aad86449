import type { Language } from './language.ts';

/** One sign of two currencies: it is the yuan's. */
const DISPLAYS: Readonly<Record<string, 'narrowSymbol' | 'code'>> = {
  CNY: 'narrowSymbol',
  JPY: 'code',
};
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/**
 * Writes an amount so that no two currencies look alike: `HK$1.00` beside `$1.00`, and `JPY 1` beside `¥0.01`.
 * A private code has no known decimals, so its minor units stand before it.
 */
export function moneyText(amountMinor: number, currency: string, language: Language): string {
  const locale = LOCALES[language];
  if (!/^[A-Z]{3}$/.test(currency)) return `${numberText(amountMinor, language)} ${currency}`;
  const currencyDisplay = DISPLAYS[currency] ?? 'symbol';
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay });
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
