import { isoDigits } from '../../lib/shared/currency.ts';
import { amountText } from '../money.ts';
import type { Survey } from './survey.ts';
import type { Tally } from './tally.ts';
import { countText, numberText } from '../output.ts';

/** Sums up a file, a line for each currency. */
export function surveyText(path: string, { rows, wrong, repeated, amounts }: Survey): string {
  const wrongText = wrong === 0 ? '' : `, ${numberText(wrong)} of them wrong`;
  const againText =
    repeated === 0
      ? ''
      : `, ${numberText(repeated)} of them ${repeated === 1 ? 'an earlier one' : 'earlier ones'} again`;
  const currencies = [...amounts].map(([currency, { count, sumMinor, leastMinor, mostMinor }]) => {
    const [least, most] = [leastMinor, mostMinor].map((minor) => amountText(minor, currency));
    const sum = amountText(sumMinor, currency);
    // A file does not say how many digits a currency has for which ISO 4217 has none.
    const isUnsaid = isoDigits(currency) === undefined && currency !== 'XXX';
    const unit = isUnsaid ? ' minor units' : '';
    const payments = countText(count, 'payment');
    return `  ${currency}: ${payments} of ${least} to ${most}${unit}, ${sum} in all`;
  });
  return [`${path}: ${countText(rows, 'row')}${wrongText}${againText}`, ...currencies].join('\n');
}

/** The rows that are wrong, a line each, and how many more there are. */
export function wrongText({ wrong, named }: Survey): string {
  const lines = named.map(({ line, problem }) => `line ${line}: ${problem}`);
  const more = wrong - named.length;
  return [...lines, ...(more === 0 ? [] : [`and ${countText(more, 'row')} more`])].join('\n');
}

/** Sums up the outcome of all rows. */
export function summaryText(rows: number, tally: Tally, rejectedPath: string): string {
  const { counted, repeated, over, withoutRule, rejected } = tally;
  const parts: readonly (readonly [number, string])[] = [
    [repeated, 'recorded before'],
    [over, 'not counted, because all windows of their time are over'],
    [withoutRule, 'not counted, because no rule counts them'],
    [rejected, 'not taken'],
  ];
  const told = parts.flatMap(([number, what]) =>
    number === 0 ? [] : [`${numberText(number)} ${what}`],
  );
  const lines = [
    `${countText(rows, 'row')}: ${[`${numberText(counted)} counted`, ...told].join(', ')}.`,
    ...listed('Counted by', tally.countedBy),
    ...listed('Above the maximum of', tally.exceededBy),
    ...listed('Not taken', tally.codes),
    ...(rejected === 0 ? [] : [`They are in ${rejectedPath}, each with its problem.`]),
  ];
  return lines.join('\n');
}

function listed(title: string, numbers: Readonly<Record<string, number>>): readonly string[] {
  const each = Object.entries(numbers)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, number]) => `${name} ${numberText(number)}`);
  return each.length === 0 ? [] : [`${title}: ${each.join(', ')}.`];
}
