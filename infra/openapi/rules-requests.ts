import {
  AMOUNT_MINOR_MAX,
  ATTRIBUTES_MAX,
  EVERY_MAX,
  LANGUAGE_LENGTH_MAX,
  MATCH_VALUES_MAX,
  ROLLING_STEPS_MAX,
  RULES_BYTES_MAX,
  RULES_MAX,
  SUBJECTS_MAX,
  TITLE_LANGUAGES_MAX,
} from '../../lib/shared/bounds.ts';
import { ATTRIBUTE_PATTERN, isAttributeName } from '../../lib/shared/names.ts';
import { CALENDAR_UNITS, RULE_MODES, WEEK_DAYS } from '../../lib/rules/rule.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { DURATION_PATTERN } from './duration-patterns.ts';
import { GIVEN_INSTANT, GIVEN_ZONE } from './given-patterns.ts';
import { called, flag, list, oneOf, only, referenceTo } from './json-schema.ts';
import { ATTRIBUTE_VALUE, nameOf } from './request-fields.ts';

/**
 * What the calls of rules take. A rule is described here field by field, as narrow as the functions are:
 * test/openapi/rule-fields.test.ts. What must hold between fields is in words, here and in docs/rules.md.
 */

/** What a rule is called. */
export const RULE_ID_PATTERN = '^[a-z][a-z0-9-]{0,63}$';

type Fields = Readonly<Record<string, JsonObject>>;

/** An object with these fields and no others. */
function strict(description: string, always: Fields, maybe: Fields): JsonObject {
  const required = Object.keys(always);
  return {
    type: 'object',
    description,
    properties: { ...always, ...maybe },
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

const LENGTH: JsonObject = { type: 'string', pattern: DURATION_PATTERN };
const whole: JsonObject = { type: 'integer', minimum: 0, maximum: AMOUNT_MINOR_MAX };
const most: JsonObject = { anyOf: [whole, referenceTo('MaximumBy')] };

/** `type`, a subject kind or an attribute: every kind could be an attribute. */
const NAME = nameOf(ATTRIBUTE_PATTERN, (name) => name === 'type' || isAttributeName(name));
/** A value, or a list of values of which one must be. */
const oneOrMore = (value: JsonObject): JsonObject => ({
  anyOf: [value, { type: 'array', items: value, minItems: 1, maxItems: MATCH_VALUES_MAX }],
});
const matched = (description: string, more: Fields, rest: JsonObject): JsonObject => ({
  type: 'object',
  description,
  propertyNames: NAME,
  properties: { type: oneOrMore(referenceTo('Text')), ...more },
  additionalProperties: referenceTo('MatchedValue'),
  ...rest,
});

/** Parts of a rule. */
const PARTS: Fields = {
  MatchedValue: { description: 'A value, or a list of such.', ...oneOrMore(ATTRIBUTE_VALUE) },
  Matched: matched(
    'Each name has this value, or one of these: `type`, whose values are texts, a subject kind or an attribute.',
    {},
    { maxProperties: ATTRIBUTES_MAX },
  ),
  Scope: matched(
    'The same; and under `not`, what no name has.',
    { not: referenceTo('Matched') },
    {
      if: { required: ['not'] },
      then: { maxProperties: ATTRIBUTES_MAX + 1 },
      else: { maxProperties: ATTRIBUTES_MAX },
    },
  ),
  MaximumBy: {
    type: 'object',
    description: 'A maximum for each value of `by`, and `else` for every other.',
    properties: {
      by: { type: 'string', ...NAME, description: '`type`, a subject kind or an attribute.' },
      else: whole,
    },
    required: ['by', 'else'],
    additionalProperties: whole,
    maxProperties: MATCH_VALUES_MAX + 2,
  },
};

const WINDOW: JsonObject = {
  description: 'What the maximum is counted over.',
  anyOf: [
    { type: 'string', enum: ['transaction', 'lifetime'] },
    strict(
      'A natural period.',
      {
        unit: oneOf(CALENDAR_UNITS, 'Of the calendar.'),
        timeZone: { ...GIVEN_ZONE, description: 'An IANA name.' },
      },
      {
        every: { type: 'integer', minimum: 1, maximum: EVERY_MAX, description: 'So many units.' },
        dayStart: {
          type: 'string',
          pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
          description: 'A time of day, `04:00`, of days and longer units.',
        },
        weekStart: oneOf(WEEK_DAYS, 'Of weeks.'),
        monthDay: {
          type: 'integer',
          minimum: 1,
          maximum: 31,
          description: 'Of months, quarters, years.',
        },
      },
    ),
    strict(
      'The last so many hours, say.',
      { rolling: { ...LENGTH, description: 'How long: PT1S to P366D.' } },
      {
        step: {
          anyOf: [only('exact'), LENGTH],
          description: `\`exact\`, or a duration: at most \`rolling\`, and at least 1/${ROLLING_STEPS_MAX} of it.`,
        },
      },
    ),
  ],
};

const RULE = strict(
  'A rule, as a rule file has it. What must hold between its fields is said in words; a 400 names each mistake.',
  {
    per: {
      ...list(referenceTo('Kind'), 'Whom it counts for.'),
      ...{ minItems: 1, maxItems: SUBJECTS_MAX, uniqueItems: true },
    },
    window: WINDOW,
  },
  {
    id: { type: 'string', pattern: RULE_ID_PATTERN, description: 'Its name.' },
    title: {
      anyOf: [
        referenceTo('Text'),
        {
          type: 'object',
          propertyNames: {
            pattern: '^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$',
            maxLength: LANGUAGE_LENGTH_MAX,
          },
          additionalProperties: referenceTo('Text'),
          maxProperties: TITLE_LANGUAGES_MAX,
        },
      ],
      description: 'A text, or one by language.',
    },
    currency: {
      type: 'string',
      pattern: '^[A-Z0-9]{3,12}$',
      description: 'Of amounts; required with one.',
    },
    match: called('Matched', 'What it is about.'),
    counts: called('Scope', 'In place of `match`: what it counts.'),
    appliesTo: called('Scope', 'In place of `match`: what it may refuse, of what it counts.'),
    min: {
      ...strict(
        'Of `window: transaction` alone, at most `max`.',
        {},
        { amount: whole, count: whole },
      ),
      minProperties: 1,
    },
    max: {
      ...strict(
        'Minor units, and a number. Required, but beside `min`.',
        {},
        { amount: most, count: most },
      ),
      minProperties: 1,
    },
    mode: oneOf(RULE_MODES, '`enforce` where nothing is said.'),
    refunds: strict(
      'What refunds give back; both where nothing is said.',
      {},
      { amount: flag('The amount.'), count: flag('The count.') },
    ),
    from: { ...GIVEN_INSTANT, description: 'When it begins.' },
    to: { ...GIVEN_INSTANT, description: 'The first instant at which it is over, after `from`.' },
  },
);

const why: Fields = {
  reason: called('Reason', 'Why: kept with the change.'),
  dryRun: flag('Only says what would change.'),
};
const anew: Fields = {
  beginAnew: flag(
    'Needed where the sum of a rule is reset: it begins at zero, or in another counter.',
  ),
};
const BODY = `At most ${RULES_BYTES_MAX} bytes.`;

/** Components for what they take. */
export const RULES_REQUESTS: Fields = {
  ...PARTS,
  Rule: RULE,
  PutRuleRequest: strict(
    BODY,
    { rule: called('Rule', 'Its `id` may be left out; it is that of the path.') },
    { ...anew, ...why },
  ),
  ReplaceRulesRequest: strict(
    BODY,
    {
      rules: {
        ...list(
          { ...referenceTo('Rule'), required: ['id'] },
          'All that there are to be, each with its `id`.',
        ),
        minItems: 1,
        maxItems: RULES_MAX,
      },
    },
    {
      ...anew,
      drop: flag('Needed where rules that are there are not among these: they are deleted.'),
      ...why,
    },
  ),
};
