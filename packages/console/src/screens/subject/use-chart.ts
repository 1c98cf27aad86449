import type { RuleUsage, UsageHistoryAnswer } from '@headroom-limits/client';
import type { ChartOptions } from '../../ui/chart.tsx';
import { amountText, dayText, majorOf, instantText, zoneOf } from '../../ui/written.ts';
import type { Reading } from '../../words/words.tsx';

/** Currencies of which something was counted; an unknown one is a hyphen. */
export function currenciesOf({ windows }: UsageHistoryAnswer): readonly string[] {
  return [...new Set(windows.flatMap(({ sums }) => sums.map(({ currency }) => currency ?? '-')))];
}

/** A chart of one currency: its windows, and the maximum where they are the rule's own. */
export function optionsOf(
  { windows, timeZone, unit: every }: UsageHistoryAnswer,
  currency: string,
  rule: RuleUsage | undefined,
  reading: Reading,
): ChartOptions {
  const { say, locale, digits } = reading;
  const code = currency === '-' ? undefined : currency;
  const found = windows.map(({ sums }) => sums.find((sum) => (sum.currency ?? '-') === currency));
  const isCount = found.every((sum) => (sum?.amount ?? 0) === 0);
  const valueOf = (sum: (typeof found)[number]): number =>
    isCount ? (sum?.count ?? 0) : (sum?.amount ?? 0);
  // Only windows of the rule's own are compared with its maximum.
  const max = rule !== undefined && zoneOf(rule.window) !== undefined ? rule.max : {};
  const maximum = isCount ? max.count : max.amount;
  const unit = isCount
    ? say('use.payments', { currency: code ?? say('use.anyCurrency') })
    : code === undefined
      ? say('use.unknown')
      : say('use.in', { currency: code });
  return {
    unit: `${unit} · ${timeZone}`,
    names: windows.map(({ start }) =>
      every === 'minute' || every === 'hour'
        ? instantText(start, locale, timeZone)
        : dayText(start, locale, timeZone),
    ),
    series: { name: say('use.net'), values: found.map(valueOf) },
    write: (value, isShort = false) =>
      isCount
        ? new Intl.NumberFormat(locale).format(value)
        : isShort
          ? new Intl.NumberFormat(locale, { notation: 'compact' }).format(
              majorOf(value, digits(code ?? '') ?? 0),
            )
          : amountText(value, code, reading),
    ...(maximum === undefined ? {} : { line: { name: say('use.maximum'), value: maximum } }),
  };
}
