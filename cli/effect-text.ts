import type { Proposal, TermsEffect } from '../packages/client/src/index.ts';
import { amountText, type Digits } from './money.ts';
import { countText, tableText } from './output.ts';

type State = TermsEffect['steps'][number]['before'];
type Sum = 'amount' | 'count';
const SUMS: readonly Sum[] = ['amount', 'count'];

/** Writes what a change of terms does, a line for each time in which nothing changes. */
export function effectTable({ steps, currency }: TermsEffect, digits: Digits): string {
  const states = steps.flatMap(({ before, after }) => [before, after]);
  const limited = SUMS.filter((sum) =>
    states.some(({ max, maxBy }) => (max?.[sum] ?? maxBy?.[sum]) !== undefined),
  );
  const text = (state: State): string => stateText(state, limited, currency, digits);
  return tableText(
    ['from', 'until', 'before', 'after'].map((name) => ({ name })),
    steps.map(({ from, until, before, after }) => [from, until ?? '-', text(before), text(after)]),
  );
}

/** Writes the maxima of a state, or whether a subject is frozen. @param limited the sums to write */
export function stateText(
  { max, maxBy, frozen }: State,
  limited: readonly Sum[],
  currency: string | undefined,
  digits: Digits,
): string {
  if (frozen !== undefined) return frozen ? 'frozen' : 'not frozen';
  const parts = limited.map((sum) => {
    const by = maxBy?.[sum];
    const write = (value: number | undefined): string => sumText(sum, value, currency, digits);
    if (by === undefined) return write(max?.[sum]);
    const values = Object.entries(by.values).map(([value, most]) => `${value} ${write(most)}`);
    return `by ${by.by}: ${[...values, `else ${write(by.else)}`].join(', ')}`;
  });
  return parts.length === 0 ? 'no maximum' : parts.join('; ');
}

/** Writes a maximum: an amount with its currency, or so many payments. */
export function sumText(
  sum: Sum,
  value: number | null | undefined,
  currency: string | undefined,
  digits: Digits,
): string {
  if (value === undefined || value === null)
    return sum === 'amount' ? 'any amount' : 'any number of payments';
  if (sum === 'count') return countText(value, 'payment');
  return currency === undefined
    ? `${value} minor units`
    : `${amountText(value, currency, digits)} ${currency}`;
}

/** Writes the maximum that a proposal asks for, or an order's amount; a hyphen where it asks for none. */
export function askedText({ max, currency, order }: Proposal, digits: Digits): string {
  if (order !== undefined) return sumText('amount', order.amount, currency, digits);
  if (max === undefined) return '-';
  const parts = SUMS.flatMap((sum) => {
    const asked = max[sum];
    if (asked === undefined) return [];
    if (typeof asked !== 'object' || asked === null)
      return [sumText(sum, asked as number | null, currency, digits)]; // so it is answered
    const { by, ...values } = asked as Readonly<Record<string, number | string>>;
    const each = Object.entries(values).map(
      ([value, most]) => `${value} ${sumText(sum, Number(most), currency, digits)}`,
    );
    return [`by ${by ?? ''}: ${each.join(', ')}`];
  });
  return parts.join('; ');
}
