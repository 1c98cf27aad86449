import type { Rule, RuleWindow } from '@headroom-limits/client';
import { decimalText } from '../../../../lib/shared/currency.ts';
import type { Reading } from '../words/words.tsx';

/** One sign of two currencies: it is the yuan's. As the sentences of the API have it. */
const DISPLAYS: Readonly<Record<string, 'narrowSymbol' | 'code'>> = {
  CNY: 'narrowSymbol',
  JPY: 'code',
};

/** How amounts with so many digits are written, none like those of another currency. */
export function formatOf(
  currency: string | undefined,
  digits: number,
): Intl.NumberFormatOptions & { readonly style?: 'currency' } {
  // All digits, whatever the browser thinks that people leave out.
  const fixed = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency) || currency === 'XXX') return fixed;
  const currencyDisplay = DISPLAYS[currency] ?? 'symbol';
  return { style: 'currency', currency, currencyDisplay, ...fixed };
}

/** Stands for an amount that was typed so that it can mean two things: 1,5 is 1.5 or 15. No field takes it. */
export const UNCLEAR = Number.POSITIVE_INFINITY;

/** Whether a comma stands where no thousands end. Both languages write 1,500.00. */
export function isUnclear(typed: string): boolean {
  const figures = typed.replaceAll(/[^\d.,，]/g, '').replaceAll('，', ',');
  return figures.includes(',') && !/^\d{1,3}(,\d{3})+(\.\d*)?$/.test(figures);
}

/** Minor units of what was typed in major units, rounded as it is written: 1.005 with two digits is 101. */
export function minorOf(major: number, digits: number): number {
  if (major === UNCLEAR) return major;
  const [figure, exponent = '0'] = String(major).split('e');
  return Math.round(Number(`${figure}e${Number(exponent) + digits}`));
}

/** Major units, to be typed or drawn. */
export function majorOf(minor: number, digits: number): number {
  return minor / 10 ** digits;
}

/** An amount of minor units as people write it: ¥1,200.00. It says so where nobody knows the digits. */
export function amountText(
  minor: number,
  currency: string | undefined,
  { locale, say, digits }: Reading,
): string {
  const known = currency === undefined ? 0 : digits(currency);
  const format = formatOf(currency, known ?? 0);
  const text = new Intl.NumberFormat(locale, format).format(decimalText(minor, known ?? 0));
  if (currency === undefined) return say('money.unknown', { amount: text });
  if (currency === 'XXX') return text;
  if (known === undefined) return say('money.minor', { amount: text, currency });
  return format.style === 'currency' ? text : `${text} ${currency}`;
}

/** An amount, a count, or both: `¥50,000.00 · 100 payments`. */
export function quantityText(
  { amount, count }: { readonly amount?: number | null; readonly count?: number | null },
  currency: string | undefined,
  reading: Reading,
): string {
  const { say } = reading;
  const none = say('limit.noMax');
  const parts = [
    ...(amount === undefined
      ? []
      : [amount === null ? none : amountText(amount, currency, reading)]),
    ...(count === undefined ? [] : [count === null ? none : say('limit.payments', { count })]),
  ];
  return parts.length === 0 ? none : parts.join(' · ');
}

/** An instant, without its year where that is this year; the reader's own time unless a zone is given. */
export function instantText(
  at: string,
  locale: string,
  timeZone?: string,
  hasSeconds = false,
): string {
  const date = new Date(at);
  const yearOf = (instant: Date, zone?: string): string =>
    new Intl.DateTimeFormat('en', { year: 'numeric', timeZone: zone }).format(instant);
  const isThisYear = yearOf(date, timeZone) === yearOf(new Date());
  return new Intl.DateTimeFormat(locale, {
    ...(isThisYear ? {} : { year: 'numeric' as const }),
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(hasSeconds ? { second: '2-digit' as const } : {}),
    hourCycle: 'h23',
    timeZone,
  }).format(date);
}

/** A day of a zone: Nov 21. */
export function dayText(at: string, locale: string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone }).format(
    new Date(at),
  );
}

/** A share of a whole: 2.4 %. It is 100 % only where nothing is left. */
export function shareText(share: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(
    share < 1 ? Math.min(share, 0.999) : share,
  );
}

type Of<Kind> = Extract<RuleWindow, { readonly kind: Kind }>;

/** Over what a rule sums, without when that is. */
export type ToldWindow =
  | (Pick<Of<'calendar'>, 'kind' | 'unit' | 'every' | 'since'> & {
      readonly isClosedAtTimes?: true;
    })
  | Pick<Of<'rolling'>, 'kind' | 'span'>
  | Pick<Of<'since'>, 'kind' | 'since' | 'for'>
  | Exclude<RuleWindow, { readonly start: string }>;

/** A window as a rule has it, for its words. */
export function toldWindow(window: Rule['window']): ToldWindow {
  if (typeof window === 'string') return { kind: window };
  if ('rolling' in window) return { kind: 'rolling', span: window.rolling };
  if ('for' in window) return { kind: 'since', since: window.since, for: window.for };
  const { unit, every, since, closed } = window;
  return {
    kind: 'calendar',
    unit,
    ...(every === undefined ? {} : { every }),
    ...(since === undefined ? {} : { since }),
    ...(closed === undefined ? {} : { isClosedAtTimes: true }),
  };
}

/** Over what a rule sums, in two words. */
export function windowText(window: ToldWindow, { say, locale }: Reading): string {
  switch (window.kind) {
    case 'calendar': {
      const { unit, every = 1, since, isClosedAtTimes } = window;
      if (isClosedAtTimes) return say('limit.per.businessDay');
      const units =
        every === 1 ? say(`limit.per.${unit}`) : say(`limit.every.${unit}`, { count: every });
      return since === undefined ? units : say('limit.sinceDate', { window: units, ...since });
    }
    case 'since':
      return say('limit.since', { span: spanText(window.for, locale), ...window.since });
    case 'rolling':
      return say('limit.rolling', { span: spanText(window.span, locale) });
    case 'lifetime':
      return say('limit.lifetime');
    case 'transaction':
      return say('limit.transaction');
  }
}

/** The zone of a window's calendar, if it follows one. */
export function zoneOf(window: RuleWindow): string | undefined {
  return 'timeZone' in window ? window.timeZone : undefined;
}

const UNITS = { D: 'day', H: 'hour', M: 'minute', S: 'second' } as const;

/** `PT24H` as `24 hours`. */
export function spanText(span: string, locale: string): string {
  const parts = [...span.matchAll(/([\d.]+)([DHMS])/g)].map(([, figure = '', sign = '']) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unitDisplay: 'long',
      unit: UNITS[sign as keyof typeof UNITS], // as it matched
    }).format(Number(figure)),
  );
  return parts.length === 0 ? span : parts.join(' ');
}

/** The reader's own time zone. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether the browser knows a time zone. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
