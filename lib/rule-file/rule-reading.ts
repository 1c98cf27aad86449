import type { Mistake } from '../shared/errors.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, mistakesOf, ownField } from '../schema/mistakes.ts';
import { fieldsOnly } from '../schema/fields.ts';
import { component, said } from '../schema/said.ts';
import { ruleOfFields, SCHEMAS, wrongBetween } from './fields/fields.ts';
import type { Rule } from '../rule/rule.ts';
import { windowOf } from '../rule/windows/windows.ts';

type RuleReading = { readonly rule?: Rule; readonly mistakes: readonly Mistake[] };

/** The component `Rule`. The path of a put may say its id. */
const schema = component(
  'Rule',
  said(
    fieldsOnly(SCHEMAS, 'an object that describes a rule'),
    'A rule, as in a rule file. Words state the rules between fields that a schema cannot. A 400 names each mistake.',
    { required: ['per', 'window'] },
  ),
);

/** Reads one rule of a rule file or of the collection. `at`: where it stands, for mistakes. */
export function readRule(input: unknown, at: Path): RuleReading {
  const result = schema.safeParse(input);
  const found = result.success ? [] : mistakesOf(result.error, input, at);
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { mistakes: found };
  const mistakes = [...found, ...mistakesBetween(input, at)];
  if (!result.success || mistakes.length > 0) return { mistakes };
  const rule = ruleOfFields(result.data);
  return { rule: { ...rule, window: windowOf(rule) }, mistakes };
}

function mistakesBetween(rule: object, at: Path): readonly Mistake[] {
  const find = (...path: Path): unknown => path.reduce<unknown>(ownField, rule);
  return [...wrongBetween(find)].map(([path, expected, value = find(...path)]) =>
    mistakeAt([...at, ...path], value, expected),
  );
}
