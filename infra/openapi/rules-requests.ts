import { ROLLING_STEPS_MAX, RULES_BYTES_MAX, RULES_MAX } from '../../lib/domain/bounds.ts';
import { CALENDAR_UNITS, RULE_MODES, WEEK_DAYS } from '../../lib/domain/rule.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import { DURATION_PATTERN } from './duration-patterns.ts';
import { called, flag, instant, list, oneOf, only, referenceTo, text } from './json-schema.ts';

/**
 * What the calls of rules take. A rule is described here field by field, and what must hold between its
 * fields is in words, in docs/rules.md: the functions say every mistake with its place.
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

const names = (description: string): JsonObject => ({ type: 'object', description });
const LENGTH: JsonObject = { type: 'string', pattern: DURATION_PATTERN };
const whole: JsonObject = { type: 'integer', minimum: 0 };
const most: JsonObject = {
  anyOf: [whole, names('`by`: `type`, a kind or an attribute; maxima by its value; and `else`.')],
};

const WINDOW: JsonObject = {
  description: 'What the maximum is counted over.',
  anyOf: [
    { type: 'string', enum: ['transaction', 'lifetime'] },
    strict(
      'A natural period.',
      { unit: oneOf(CALENDAR_UNITS, 'Of the calendar.'), timeZone: text('An IANA name.') },
      {
        every: { type: 'integer', minimum: 1, description: 'So many units.' },
        dayStart: text('A time of day: `04:00`.'),
        weekStart: oneOf(WEEK_DAYS, 'Of weeks.'),
        monthDay: { type: 'integer', minimum: 1, maximum: 31, description: 'Of months.' },
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
  'A rule, as a rule file has it.',
  {
    per: list(text('A subject kind.'), 'Whom it counts for.'),
  },
  {
    id: { type: 'string', pattern: RULE_ID_PATTERN, description: 'Its name.' },
    title: {
      anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
      description: 'A text, or one by language.',
    },
    currency: text('Of amounts; required with one.'),
    match: names('What it is about: names to a value, or a list of such.'),
    counts: names('In place of `match`: what it counts.'),
    appliesTo: names('What it may refuse, of what it counts.'),
    window: WINDOW,
    min: strict('Of a single transaction.', {}, { amount: whole, count: whole }),
    max: strict('Minor units, and a number.', {}, { amount: most, count: most }),
    mode: oneOf(RULE_MODES, '`enforce` where nothing is said.'),
    refunds: strict(
      'What refunds give back; both where nothing is said.',
      {},
      { amount: flag('The amount.'), count: flag('The count.') },
    ),
    from: instant('When it begins.'),
    to: instant('The first instant at which it is over.'),
  },
);

const why: Fields = {
  reason: called('Text', 'Why: kept with the change.'),
  dryRun: flag('Only says what would change.'),
};
const BODY = `At most ${RULES_BYTES_MAX} bytes.`;

/** Components for what they take. */
export const RULES_REQUESTS: Fields = {
  Rule: RULE,
  PutRuleRequest: strict(
    BODY,
    { rule: called('Rule', 'Its `id` may be left out; it is that of the path.') },
    why,
  ),
  ReplaceRulesRequest: strict(
    BODY,
    {
      rules: {
        ...list(referenceTo('Rule'), 'All that there are to be, each with its `id`.'),
        minItems: 1,
        maxItems: RULES_MAX,
      },
    },
    why,
  ),
};
