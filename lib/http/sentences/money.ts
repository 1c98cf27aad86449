import { decimalText, digitsOf } from '../../shared/currency.ts';
import { measureOf } from '../../rule/measures/measures.ts';
import type { CountOf } from '../../rule/rule.ts';
import type { Language } from '../../shared/language.ts';

/** One sign of two currencies: it is the yuan's. */
const DISPLAYS: Readonly<Record<string, 'narrowSymbol' | 'code'>> = {
  CNY: 'narrowSymbol',
  JPY: 'code',
};
const LOCALES: Readonly<Record<Language, string>> = { en: 'en', zh: 'zh-CN' };

/** What has amounts: a rule, or a refusal by one. Digits are of a currency for which ISO 4217 has none. */
type Priced = { readonly currency?: string; readonly digits?: number };

/**
 * Writes an amount so that no two currencies look alike: `HK$1.00` beside `$1.00`, and `JPY 1` beside `¥0.01`.
 * A code that is none of ISO's three letters stands behind its amount.
 */
export function moneyText(
  amountMinor: number,
  { currency = '', digits: said }: Priced,
  language: Language,
): string {
  const locale = LOCALES[language];
  const digits = digitsOf(currency, said);
  const value = decimalText(amountMinor, digits);
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (!/^[A-Z]{3}$/.test(currency))
    return `${new Intl.NumberFormat(locale, fixed).format(value)} ${currency}`;
  const currencyDisplay = DISPLAYS[currency] ?? 'symbol';
  const style = { style: 'currency', currency, currencyDisplay } as const;
  return new Intl.NumberFormat(locale, { ...style, ...fixed }).format(value);
}

/** Writes a whole number with its groups: `1,000`. */
export function numberText(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** Writes how many payments: `20 payments`, `20笔`. */
function paymentsText(count: number, language: Language): string {
  const text = numberText(count, language);
  return language === 'zh' ? `${text}笔` : `${text} ${count === 1 ? 'payment' : 'payments'}`;
}

/** Writes a count of a rule: of payments, or of what it counts in their place. */
export function countText(count: number, rule: CountOf, language: Language): string {
  const words = measureOf(rule).words?.(rule, language);
  if (words === undefined) return paymentsText(count, language);
  return words.count(numberText(count, language), count === 1);
}
