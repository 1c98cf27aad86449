import { boundsOf } from './bounds.ts';
import { digits, table } from './markdown.ts';
import type { Results } from './measure-all.ts';

/** The costs with a bound, beside another revision where one was measured. */
export function boundsText(results: Results): readonly string[] {
  const { beside } = results.circumstances;
  const cell = (value: number | undefined): string => (value === undefined ? '' : digits(value));
  const rows = boundsOf(results).map(({ name, most, measured: [own, before] }) => [
    name,
    cell(own),
    ...(beside === undefined ? [] : [cell(before)]),
    digits(most),
    own !== undefined && own <= most ? 'reached' : 'missed',
  ]);
  const head = [
    'cost',
    'measured',
    ...(beside === undefined ? [] : [`of ${beside}`]),
    'at most',
    '',
  ];
  return [
    'A cost has a bound. Processor time is that of one order, with 16 callers on many subjects.',
    '',
    ...table(head, rows),
    '',
  ];
}
