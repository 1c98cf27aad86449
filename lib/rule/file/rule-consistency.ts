import type { Mistake } from '../../shared/errors.ts';
import { isoDigits } from '../../shared/currency.ts';
import { readInstant } from '../../schema/instant.ts';
import type { Find, Path, Wrong } from '../../schema/mistakes.ts';
import { mistakeAt, ownField } from '../../schema/mistakes.ts';
import { isSingleForm, wrongWindows } from '../windows/windows.ts';

const QUANTITIES = ['amount', 'count'] as const;
const EITHER_SUM = 'an object with amount, count or both';

/** Names what is wrong between the fields of what may be a rule. Each may be right by itself. */
export function mistakesBetween(rule: object, at: Path): readonly Mistake[] {
  const find = (...path: Path): unknown => path.reduce<unknown>(ownField, rule);
  const wrong = [wrongWindows, wrongSums, wrongDigits, wrongScopes, wrongNames].flatMap((each) => [
    ...each(find),
  ]);
  return wrong.map(([path, expected, value = find(...path)]) =>
    mistakeAt([...at, ...path], value, expected),
  );
}

function* wrongSums(find: Find): Generator<Wrong> {
  const isSingle = isSingleForm(find('window'));
  const limits = (bound: string): boolean =>
    QUANTITIES.some((name) => find(bound, name) !== undefined);
  // A rule for single transactions may have a minimum alone.
  const isMinimum = isSingle && find('max') === undefined && limits('min');
  if (!limits('max') && !isMinimum) yield [['max'], EITHER_SUM];
  if (find('min') !== undefined && !isSingle)
    yield [['min'], 'nothing here: a minimum is for window: transaction only'];
  else if (find('min') !== undefined && !limits('min')) yield [['min'], EITHER_SUM];
  else
    for (const name of QUANTITIES) {
      const [least, most] = [find('min', name), find('max', name)];
      if (typeof least === 'number' && typeof most === 'number' && least > most)
        yield [['min', name], `at most max.${name}, ${most}`];
    }
  const hasAmount = ['min', 'max'].some((bound) => find(bound, 'amount') !== undefined);
  const hasCurrency = find('currency') !== undefined;
  if (hasAmount && !hasCurrency)
    yield [['currency'], 'a currency, because the rule limits amounts'];
  const [from, to] = [readInstant(find('from')), readInstant(find('to'))];
  if (from !== undefined && to !== undefined && from >= to) yield [['to'], 'an instant after from'];
  // What a rule does not count cannot be given back, or kept.
  if (find('refunds') !== undefined && isSingle)
    yield [['refunds'], 'nothing here: a rule for single transactions counts nothing'];
  else if (find('refunds', 'amount') !== undefined && !hasCurrency)
    yield [['refunds', 'amount'], 'nothing here: a rule without a currency counts only payments'];
}

/** Nobody may say otherwise than ISO 4217 how many digits a currency has. */
function* wrongDigits(find: Find): Generator<Wrong> {
  const currency = find('currency');
  if (find('digits') === undefined) return;
  if (currency === undefined) yield [['digits'], 'nothing here: the rule has no currency'];
  if (typeof currency !== 'string') return;
  const known = isoDigits(currency);
  if (known !== undefined)
    yield [['digits'], `nothing here: ISO 4217 says ${known} for ${currency}`];
}

/** What is counted and what is asked about are said once, and only where they can differ. */
function* wrongScopes(find: Find): Generator<Wrong> {
  const [match, counts, appliesTo] = [find('match'), find('counts'), find('appliesTo')];
  if (match !== undefined && (counts ?? appliesTo) !== undefined)
    yield [['match'], 'either match, or counts and appliesTo'];
  else if (counts !== undefined && isSingleForm(find('window')))
    yield [
      ['counts'],
      'nothing here: a rule for single transactions counts nothing; use appliesTo',
    ];
}

const MATCHED: readonly Path[] = [
  ...[['match'], ['counts'], ['counts', 'not'], ['appliesTo'], ['appliesTo', 'not']],
];

function* wrongNames(find: Find): Generator<Wrong> {
  for (const path of MATCHED) {
    const given = find(...path, 'type');
    const values: readonly unknown[] = Array.isArray(given) ? given : [given];
    // A type is always text; a rule that matched another would never apply.
    const wrong = values.find((value) => typeof value === 'number' || typeof value === 'boolean');
    if (wrong !== undefined) yield [[...path, 'type'], 'types as text', wrong];
  }
  // The one name that schemas of names do not see: they leave it out without a word.
  for (const path of [...MATCHED, ['title'], ['max', 'amount'], ['max', 'count']])
    if (find(...path, '__proto__') !== undefined) yield [[...path, '__proto__'], 'no such name'];
}
