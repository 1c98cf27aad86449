import type { Curve, Demand, SuggestedMaximum, Suggestion } from '../../lib/backtest/suggestion.ts';
import { DEMANDS } from '../../lib/backtest/suggestion.ts';
import type { Rule } from '../../lib/rule/rule.ts';
import { isLifted } from '../../lib/rule/rule.ts';
import { bar } from '../chart/bars.ts';
import type { Digits } from '../money.ts';
import { amountText } from '../money.ts';
import { countText, numberText, tableText, visible } from '../output.ts';
import { missingText } from './backtest-text.ts';

const BAR_WIDTH = 24;

const TITLES: Readonly<Record<Demand, string>> = {
  passed: 'orders that passed',
  all: 'those that were refused, too',
};

/** Writes a suggestion for people. */
export function suggestionText(suggestion: Suggestion, rule: Rule, digits: Digits): string {
  const { maxima, missing } = suggestion;
  return [
    headText(suggestion),
    ...maxima.map((one) => maximumText(one, suggestion, digits)),
    notesOn(suggestion, rule).map(visible).join('\n'),
    missingText(missing),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function headText({ rule, from, to, rows, warmUpFrom, share }: Suggestion): string {
  return `Rule ${visible(rule)} from ${from} to ${to}. ${countText(rows, 'row')} were read, from ${warmUpFrom} on.
These maxima would ever have refused at most ${percentText(share)} of the subjects.`;
}

function percentText(share: number): string {
  return `${Number((share * 100).toFixed(6))} %`;
}

function maximumText(one: SuggestedMaximum, suggestion: Suggestion, digits: Digits): string {
  const { present } = one;
  const write = writerOf(one, suggestion, digits);
  const found = DEMANDS.flatMap((demand) => {
    const curve = one[demand];
    return curve === null ? [] : [`${write(curve.suggested.maximum)} by ${TITLES[demand]}`];
  });
  const head = `${nameOf(one)}: ${found.join(', ')}. The rule has ${write(present)}.`;
  const curves = DEMANDS.flatMap((demand) => {
    const curve = one[demand];
    return curve === null ? [] : [curveText(demand, curve, write, suggestion, digits)];
  });
  return [found.length === 0 ? `${nameOf(one)}: no order` : head, ...curves].join('\n\n');
}

function nameOf({ of, by }: Pick<SuggestedMaximum, 'of' | 'by'>): string {
  if (by === undefined) return `max.${of}`;
  return visible(
    `max.${of} ${by.value === null ? `else, by ${by.name}` : `${by.name}=${by.value}`}`,
  );
}

type Write = (number: number) => string;

function writerOf({ of }: SuggestedMaximum, { currency }: Suggestion, digits: Digits): Write {
  if (of === 'count' || currency === null) return numberText;
  return (minor) => `${amountText(minor, currency, digits)} ${currency}`;
}

function curveText(
  demand: Demand,
  { subjects, points }: Curve,
  write: Write,
  { currency }: Suggestion,
  digits: Digits,
): string {
  const most = Math.max(...points.map(({ maximum }) => maximum));
  const columns = [
    { name: 'share', isNumber: true },
    { name: 'maximum', isNumber: true },
    { name: 'refused', isNumber: true },
    { name: 'orders', isNumber: true },
    ...(currency === null ? [] : [{ name: 'amount', isNumber: true }]),
    { name: '' },
  ];
  const rows = points.map(({ share, maximum, subjects: refused, orders, amount }) => [
    percentText(share),
    write(maximum),
    numberText(refused),
    numberText(orders),
    ...(currency === null ? [] : [amountText(amount ?? 0, currency, digits)]),
    bar(maximum, most, BAR_WIDTH),
  ]);
  const title = `${countText(subjects, 'subject')}, ${TITLES[demand]}:`;
  return `${title}\n${tableText(columns, rows)}`;
}

/** Says how the rule and its subjects change the meaning of a suggestion. */
function notesOn(suggestion: Suggestion, rule: Rule): readonly string[] {
  const { maxima, together, ownMaxima } = suggestion;
  const notes: string[] = [];
  if (maxima.length > 1)
    notes.push(
      `Each maximum is alone here. Together they would have refused ${countText(together.passed, 'subject')}, with refused orders ${numberText(together.all)}.`,
    );
  for (const one of maxima)
    if (DEMANDS.some((demand) => (one[demand]?.suggested.maximum ?? 0) > one.most))
      notes.push(`${nameOf(one)} of this rule is at most ${numberText(one.most)}.`);
  if (ownMaxima > 0)
    notes.push(
      `Left out: ${countText(ownMaxima, 'subject')} with a maximum of ${ownMaxima === 1 ? 'its' : 'their'} own.`,
    );
  if (isLifted(rule))
    notes.push('Orders with a proof or an approval pass above any maximum, and are left out.');
  if (rule.onExceed === 'notify')
    notes.push('This rule only notifies: refused stands for orders above its maximum.');
  return notes;
}

/** Writes the curves as SVG. */
export async function writeCurve(
  file: string,
  suggestion: Suggestion,
  digits: Digits,
): Promise<void> {
  const panels = suggestion.maxima.flatMap((one) => {
    const series = DEMANDS.flatMap((demand) => {
      const values = one[demand]?.points.map(({ maximum }) => maximum);
      return values === undefined ? [] : [{ name: TITLES[demand], values }];
    });
    const names = one.all?.points.map(({ share }) => percentText(share)) ?? [];
    const title = `${suggestion.rule}, ${nameOf(one)}: the maximum by the share of refused subjects`;
    const write = writerOf(one, suggestion, digits);
    return series.length === 0 ? [] : [{ title, names, series, write }];
  });
  const { writeSvg } = await import('../chart/svg.ts');
  writeSvg(file, { type: 'line', panels });
}
