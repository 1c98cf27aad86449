import type { Language } from '../../shared/language.ts';

const SPANS = [
  { ms: 86_400_000, unit: 'day' },
  { ms: 3_600_000, unit: 'hour' },
  { ms: 60_000, unit: 'minute' },
  { ms: 1_000, unit: 'second' },
] as const;

/** A span in the largest unit that it is whole in, one of at least two: `24 hours`, `7 days`. */
export function spanText(spanMs: number, language: Language): string {
  const [first, ...smaller] = SPANS.filter(({ ms }) => spanMs % ms === 0);
  const found = first?.ms === spanMs ? (smaller[0] ?? first) : first;
  const { unit, ms } = found ?? { unit: 'millisecond', ms: 1 };
  const [locale, unitDisplay] =
    language === 'en' ? (['en', 'long'] as const) : (['zh-CN', 'short'] as const);
  const options = { style: 'unit', unit, unitDisplay, useGrouping: false } as const;
  return new Intl.NumberFormat(locale, options).format(spanMs / ms);
}
