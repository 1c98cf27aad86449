import type {
  BacktestControl,
  BacktestCurrency,
  BacktestMissing,
  BacktestOutcomes,
  BacktestResult,
} from '@headroom-limits/client';
import { parseAbsolute, toCalendarDate } from '@internationalized/date';
import { amountText } from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';

/** The two ways to judge a check: by what happened before it, or by what the draft decided before it. */
export const REPLAYS = ['knockOn', 'direct'] as const;
/** One of them. */
export type Replay = (typeof REPLAYS)[number];

/** How orders end, the best end first. */
export const ENDS = ['paid', 'paidLate', 'refunded', 'givenBack', 'expired', 'held'] as const;

/** How the amount of an order may differ. */
const PARTS = ['less', 'more'] as const;

/** Above this share of decisions that nobody can explain, a result is read with care. */
const CARE_SHARE = 0.001;

/** Minor units of a currency; a row without one has none. */
export function moneyText(minor: number, currency: string, reading: Reading): string {
  return amountText(minor, currency === '' ? undefined : currency, reading);
}

/** What the draft would have done to the checks of a currency, in one sentence. */
export function resultSentence(
  { currency, recorded, ...of }: BacktestCurrency,
  replay: Replay,
  reading: Reading,
): string {
  const { say, locale } = reading;
  const { newlyRefused, newlyAllowed, outcomes } = of[replay];
  const n = (count: number) => ({ count, n: new Intl.NumberFormat(locale).format(count) });
  const checks = recorded.allowed.checks + recorded.refused.checks;
  const amount = (minor: number): string => moneyText(minor, currency, reading);
  return say('test.sentence', {
    checks: say('test.checks', n(checks)),
    currency: currency === '' ? say('use.anyCurrency') : currency,
    refuses:
      newlyRefused.checks === 0
        ? say('test.refusesNone')
        : say('test.refuses', {
            orders: say('test.orders', n(newlyRefused.orders)),
            subjects: say('test.subjects', n(newlyRefused.subjects)),
            amount: amount(newlyRefused.amount),
            paid: n(paidIn(outcomes)).n,
          }),
    allows:
      newlyAllowed.checks === 0
        ? say('test.allowsNone')
        : say('test.allows', {
            orders: say('test.orders', n(newlyAllowed.orders)),
            amount: amount(newlyAllowed.amount),
          }),
  });
}

/** Orders that take what fits, and would have got another amount: up to two lines. */
export function partsLines(
  { currency, ...of }: BacktestCurrency,
  replay: Replay,
  reading: Reading,
): readonly string[] {
  const { say, locale } = reading;
  return PARTS.flatMap((kind) => {
    const { checks: count, amount } = of[replay][kind];
    if (count === 0) return [];
    const checks = say('test.checks', { count, n: new Intl.NumberFormat(locale).format(count) });
    return [say(`test.${kind}`, { checks, amount: moneyText(amount, currency, reading) })];
  });
}

type Ends = BacktestCurrency[Replay];

/** How orders are decided otherwise. */
export const DECIDED = ['refused', 'allowed'] as const;
/** One of them. */
export type Decided = (typeof DECIDED)[number];

/** How many checks are decided otherwise, over all currencies. */
export function changedIn({ currencies }: Pick<BacktestResult, 'currencies'>, replay: Replay) {
  const of = (read: (ends: Ends) => { readonly checks: number }): number =>
    currencies.reduce((sum, { [replay]: ends }) => sum + read(ends).checks, 0);
  return {
    refused: of(({ newlyRefused }) => newlyRefused),
    allowed: of(({ newlyAllowed }) => newlyAllowed),
  };
}

/** The orders that are shown at first: newly refused ones, unless only others are there. */
export function firstDecided({ refused, allowed }: Readonly<Record<Decided, number>>): Decided {
  return refused === 0 && allowed > 0 ? 'allowed' : 'refused';
}

const DAY_MS = 86_400_000;

/**
 * The refused checks of each day. A back-test counts by 24 hours from its first instant on; where the clock was
 * changed, these are parts of two days. They stand at the day of their middle.
 */
export function refusedByDay(byDay: Ends['byDay'], to: string, zone: string) {
  const days = new Map<string, { at: string; recorded: number; draft: number }>();
  for (const { from, recorded, draft } of byDay) {
    const first = Date.parse(from);
    const at = new Date((first + Math.min(first + DAY_MS, Date.parse(to))) / 2).toISOString();
    const name = toCalendarDate(parseAbsolute(at, zone)).toString();
    const day = days.get(name) ?? { at, recorded: 0, draft: 0 };
    day.recorded += recorded.refused;
    day.draft += draft.refused;
    days.set(name, day);
  }
  return [...days.values()];
}

/** Says that no rule refuses: something else may. */
export function noRuleText(
  { draft: { refused } }: Pick<Ends, 'draft'>,
  { say, locale }: Reading,
): string {
  if (refused.checks === 0) return say('test.noRule');
  return say('test.noRuleBut', { n: new Intl.NumberFormat(locale).format(refused.checks) });
}

/** How many were paid: also late, and also those that were refunded then. */
function paidIn({ paid, paidLate, refunded }: BacktestOutcomes): number {
  return paid.checks + paidLate.checks + refunded.checks;
}

/** How much of the past the replay explains, with two digits. All of it is said only where no check differs. */
export function explainedText({ share }: { readonly share: number }, locale: string): string {
  const explained = Math.floor((1 - share) * 10_000) / 10_000;
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
    share > 0 ? Math.min(explained, 0.9999) : 1,
  );
}

/** Whether a result must be read with care. */
export function needsCare({ direct, knockOn }: BacktestControl): boolean {
  return Math.max(direct.share, knockOn.share) > CARE_SHARE;
}

/** What the audit does not tell, each in a line. */
export function missingLines(
  missing: BacktestMissing,
  { say, locale }: Reading,
  instantOf: (at: string) => string,
): readonly string[] {
  const { rulesWithAttributes, countedFrom, rulesCountedFrom, rulesOfOthers, ...counts } = missing;
  const names = Object.keys(counts) as readonly (keyof typeof counts)[]; // what is left are numbers
  const rules = rulesWithAttributes.join(', ');
  return [
    ...names
      .filter((name) => counts[name] > 0)
      .map((name) =>
        say(`test.missing.${name}`, {
          n: new Intl.NumberFormat(locale).format(counts[name]),
          rules,
        }),
      ),
    ...(countedFrom === null
      ? []
      : [
          say('test.missing.countedFrom', {
            time: instantOf(countedFrom),
            rules: rulesCountedFrom.join(', '),
          }),
        ]),
    ...(rulesOfOthers.length === 0
      ? []
      : [say('test.missing.rulesOfOthers', { rules: rulesOfOthers.join(', ') })]),
  ];
}
