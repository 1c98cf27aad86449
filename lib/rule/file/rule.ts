import * as z from 'zod/mini';
import {
  DIGITS_MAX,
  LANGUAGE_LENGTH_MAX,
  SUBJECTS_MAX,
  TITLE_LANGUAGES_MAX,
} from '../../shared/bounds.ts';
import type { Mistake } from '../../shared/errors.ts';
import type { Rule, Scope } from '../rule.ts';
import { RULE_MODES } from '../rule.ts';
import { present } from '../../shared/present.ts';
import {
  choice,
  currencyCode,
  entriesFrom,
  flag,
  instant,
  kind,
  patternText,
  text,
  wholeNumber,
} from '../../schema/fields.ts';
import type { Path } from '../../schema/mistakes.ts';
import { mistakesOf } from '../../schema/mistakes.ts';
import { mistakesBetween } from './rule-consistency.ts';
import { least, match, most, names, scope } from './rule-scope.ts';
import { countedFrom } from '../windows/windows.ts';
import { window } from './rule-window.ts';
import { component, referenceTo, said } from '../../schema/said.ts';

type RuleReading = { readonly rule?: Rule; readonly mistakes: readonly Mistake[] };

const ID = /^[a-z][a-z0-9-]{0,63}$/;

const RULE_ID_EXPECTED =
  'an id as text: a lower-case letter, then up to 63 lower-case letters, digits, hyphens';

/** Says whether a text can be a rule's id. */
export function isRuleId(value: unknown): value is string {
  return typeof value === 'string' && ID.test(value);
}

/** BCP 47's code for a title without a language. */
const UNDETERMINED = 'und';

/** What names a language: BCP 47, as far as titles need it. */
export const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;
const TITLES_EXPECTED = `a text, or an object of at most ${TITLE_LANGUAGES_MAX} languages (en, zh, zh-Hant; at most ${LANGUAGE_LENGTH_MAX} characters) to texts`;
const titles = said(
  z.pipe(
    entriesFrom<Readonly<Record<string, string>>>(0, TITLE_LANGUAGES_MAX, TITLES_EXPECTED),
    z.record(z.custom<string>(isLanguage), text(), { error: TITLES_EXPECTED }),
  ),
  undefined,
  referenceTo('Titles'),
);

function isLanguage(name: unknown): name is string {
  return typeof name === 'string' && name.length <= LANGUAGE_LENGTH_MAX && LANGUAGE.test(name);
}

const PER_EXPECTED = `a list of 1 to ${SUBJECTS_MAX} different subject kinds`;
const per = said(
  z.array(kind(), { error: PER_EXPECTED }).check(
    z.minLength(1, { error: PER_EXPECTED }),
    z.maxLength(SUBJECTS_MAX, { error: PER_EXPECTED }),
    z.refine((kinds) => new Set(kinds).size === kinds.length, { error: PER_EXPECTED }),
  ),
  'The subject kinds that the rule counts for.',
  { uniqueItems: true },
);

const refunds = said(
  z.strictObject(
    { amount: z.optional(flag('The amount.')), count: z.optional(flag('The count.')) },
    { error: 'an object with amount, count or both, each true or false' },
  ),
  'The sums that refunds give back. Default: both.',
);

/** Names a rule. */
export const ruleId = (description: string) => patternText(ID, RULE_ID_EXPECTED, description);

const shape = {
  id: ruleId('Its name.'),
  title: z.optional(
    said(z.union([text(), titles], { error: TITLES_EXPECTED }), 'A text, or one by language.'),
  ),
  per,
  currency: z.optional(
    currencyCode('The currency of the amounts. Required if the rule limits amounts.'),
  ),
  digits: z.optional(
    wholeNumber(
      0,
      DIGITS_MAX,
      'The digits after the point, for a currency of which ISO 4217 has none, such as 6 for USDT. All rules of the currency have the same. A rule file says them once, in `currencies`. Default: 0.',
    ),
  ),
  match: z.optional(
    said(match, 'The orders that the rule counts and may refuse.', referenceTo('Matched')),
  ),
  counts: z.optional(scope('Instead of `match`: the orders that the rule counts.')),
  appliesTo: z.optional(
    scope('Instead of `match`: the orders that the rule may refuse, of those that it counts.'),
  ),
  require: z.optional(
    said(
      names,
      'Names that an order must have: subject kinds, attributes or `type`. A check without them is a 422 that names them. It concerns the orders that the rule counts, or would count if they had the names. A rule on trial requires nothing, and a record is counted as it is.',
      { uniqueItems: true },
    ),
  ),
  window,
  min: z.optional(
    said(least, 'The minimum, at most `max`. Only for `window: transaction`.', {
      minProperties: 1,
    }),
  ),
  max: z.optional(
    said(most, 'The maximum: minor units, and a number. Required unless the rule has `min`.', {
      minProperties: 1,
    }),
  ),
  mode: z.optional(choice(RULE_MODES, 'Default: `enforce`.')),
  refunds: z.optional(refunds),
  from: z.optional(instant('The start of the rule.')),
  to: z.optional(
    instant('The end of the rule, after `from`: the first instant at which it no longer applies.'),
  ),
};
const schema = z.strictObject(shape, {
  error: ({ code }) =>
    code === 'unrecognized_keys'
      ? `only the fields ${Object.keys(shape).join(', ')}`
      : 'an object that describes a rule',
});
/** The component `Rule`. The path of a put may say its id. */
export const ruleSchema = component(
  'Rule',
  said(
    schema,
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
  return result.success && mistakes.length === 0
    ? { rule: ruleOf(result.data), mistakes }
    : { mistakes };
}

const EVERYTHING: Scope = { is: {}, not: {} };

function ruleOf(given: z.infer<typeof schema>): Rule {
  const { title = {}, currency, digits, match: is, from, to } = given;
  const [owner, ...others] = given.per;
  if (owner === undefined) throw new TypeError('a rule counts per at least one kind');
  const { window: over, max = { max: {} }, refunds: givesBack = {} } = given;
  return {
    id: given.id,
    title: typeof title === 'string' ? { [UNDETERMINED]: title } : title,
    per: [owner, ...others],
    // `match` is short for a rule that applies to all it counts.
    counts: is === undefined ? (given.counts ?? EVERYTHING) : { is, not: {} },
    appliesTo: given.appliesTo ?? EVERYTHING,
    window: countedFrom(over, from),
    min: given.min ?? {},
    ...max,
    mode: given.mode ?? 'enforce',
    refunds: { amount: givesBack.amount ?? true, count: givesBack.count ?? true },
    ...present({ currency, digits, require: given.require, from, to }),
  };
}
