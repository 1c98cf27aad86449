import type {
  BacktestControl,
  BacktestCurrency,
  BacktestMissing,
  BacktestOutcomes,
} from '@headroom-limits/client';
import { amountText } from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';

/** The two ways to judge a check: by what happened before it, or by what the draft decided before it. */
export const REPLAYS = ['knockOn', 'direct'] as const;
/** One of them. */
export type Replay = (typeof REPLAYS)[number];

/** How orders end, the best end first. */
export const ENDS = ['paid', 'paidLate', 'refunded', 'givenBack', 'expired', 'held'] as const;

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
