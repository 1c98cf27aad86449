import type * as z from 'zod/mini';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { Rule } from '../../rule/rule.ts';
import { max, min } from './bounds.ts';
import { appliesTo, counts, match } from './counted.ts';
import { counterparts } from './counterparts.ts';
import { currency, digits } from './currency.ts';
import { from, mode, to } from './effect.ts';
import { id } from './id.ts';
import { minus } from './minus.ts';
import { onExceed } from './on-exceed.ts';
import { outcome, reasonCodes } from './outcome.ts';
import { per } from './per.ts';
import { refunds } from './refunds.ts';
import { require } from './require.ts';
import type { Clauses, RuleField } from './rule-field.ts';
import { title } from './title.ts';
import { when } from './when.ts';
import { window } from './window.ts';

/** The fields of a rule, in the order in which they are described, said and their mistakes are told. */
const FIELDS = {
  id,
  title,
  per,
  counterparts,
  currency,
  digits,
  match,
  counts,
  appliesTo,
  minus,
  outcome,
  reasonCodes,
  require,
  window,
  when,
  min,
  max,
  onExceed,
  refunds,
  from,
  to,
  mode,
};

type FieldRows = typeof FIELDS;
/** The name of a field of a rule. */
type FieldName = keyof FieldRows;

type Schemas = { readonly [Name in FieldName]: FieldRows[Name]['schema'] };
type Given = { readonly [Name in FieldName]?: z.output<Schemas[Name]> };

const ROWS = Object.entries(FIELDS) as unknown as readonly (readonly [FieldName, RuleField])[]; // each as it is written

/** The schema of each field. */
export const SCHEMAS = Object.fromEntries(
  ROWS.map(([name, { schema }]) => [name, schema]),
) as Schemas; // of its row

/** A rule in whose file nothing stands but what must. */
const ABSENT: Partial<Rule> = Object.assign(
  {},
  ...ROWS.map(([, { otherwise }]) => otherwise),
) as Partial<Rule>; // of which each row makes its part

/** Makes a rule of its fields, each as its schema read it. */
export function ruleOfFields(given: Given): Rule {
  const present = ROWS.flatMap(([name, { becomes }]) =>
    given[name] === undefined ? [] : [becomes(given[name])],
  );
  return Object.assign({}, ABSENT, ...present) as Rule; // of which each row makes its part
}

/** Names what is wrong between fields. */
export function* wrongBetween(find: Find): Generator<Wrong> {
  for (const [, { between }] of ROWS) if (between !== undefined) yield* between(find);
}

/** A field that is part of the counter. */
type CounterPart = {
  [Name in FieldName]: FieldRows[Name] extends { readonly counter: unknown } ? Name : never;
}[FieldName];

const PARTS = ROWS.flatMap(([name, { counter }]) =>
  counter === undefined ? [] : [{ name: name as CounterPart, textOf: counter }],
);

/** What a counter comes from, in the words of a rule file. */
export const COUNTER_PARTS: readonly CounterPart[] = PARTS.map(({ name }) => name);

/** Names what sets two rules' counters apart; nothing where they count in the same. */
export function counterDifferences(one: Rule, other: Rule): readonly CounterPart[] {
  return PARTS.flatMap(({ name, textOf }) => (textOf(one) === textOf(other) ? [] : [name]));
}

/** The fields by whose change alone more may pass, whatever it is: those that nobody can compare. */
export const RAISING: readonly FieldName[] = ROWS.flatMap(([name, { raise }]) =>
  raise === undefined ? [name] : [],
);

/** What a sentence says of a rule after its first clause, field by field. */
export const ruleClauses: Clauses = (...of) =>
  ROWS.flatMap(([, { clauses }]) => clauses?.(...of) ?? []);
