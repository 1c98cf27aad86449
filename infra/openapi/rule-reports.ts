import { CALENDAR_UNITS } from '../../lib/domain/rule.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import {
  called,
  duration,
  instant,
  list,
  nullable,
  object,
  oneOf,
  only,
  referenceTo,
  SPAN,
  sum,
  text,
} from './json-schema.ts';

/** What an answer tells of a rule. */

const period = {
  start: instant('The first instant in it.'),
  end: instant('The first instant after it.'),
};

const units: JsonObject = { type: 'integer', minimum: 2, description: 'Units, where above 1.' };

const step: JsonObject = {
  anyOf: [only('exact'), SPAN],
  description: '`exact`, or the steps in which what leaves the span is forgotten.',
};

const WINDOWS = {
  TransactionWindow: object('Each transaction alone.', { kind: only('transaction') }),
  LifetimeWindow: object('All time.', { kind: only('lifetime') }),
  CalendarWindow: object(
    'A natural period of a time zone.',
    {
      kind: only('calendar'),
      unit: oneOf(CALENDAR_UNITS, 'What it is a period of.'),
      timeZone: text('An IANA name.'),
      ...period,
    },
    { every: units },
  ),
  RollingWindow: object('The last so many hours, say.', {
    kind: only('rolling'),
    span: duration('How long it is.'),
    step,
    ...period,
    maxEarlyRefusal: duration('By how much it may refuse too early.'),
  }),
};

const KINDS = {
  transaction: 'TransactionWindow',
  lifetime: 'LifetimeWindow',
  calendar: 'CalendarWindow',
  rolling: 'RollingWindow',
};

const window: JsonObject = {
  description: 'What a maximum is counted over.',
  oneOf: Object.values(KINDS).map(referenceTo),
  discriminator: {
    propertyName: 'kind',
    mapping: Object.fromEntries(
      Object.entries(KINDS).map(([kind, id]) => [kind, `#/components/schemas/${id}`]),
    ),
  },
};

const OUTCOMES = [
  ['within', 'room is left'],
  ['reached', 'nothing of this maximum is left'],
  ['exceeded', 'the rule refuses, for it is above `max`'],
  ['below-minimum', 'the rule refuses, for it is below `min`'],
  ['exceeded-shadow', 'a rule on trial would have refused'],
  ['below-minimum-shadow', 'so would one that it is below the `min` of'],
] as const;

const standing = {
  mode: oneOf(['enforce', 'shadow'], '`shadow`: on trial, counted and never refusing.'),
  window: referenceTo('Window'),
  max: called('Quantity', 'What may be counted; what is not limited is absent.'),
  outcome: outcomes(OUTCOMES),
};

function outcomes(all: readonly (readonly [string, string])[]): JsonObject {
  const meanings = all.map(([outcome, meaning]) => `\`${outcome}\`: ${meaning}`);
  return oneOf(
    all.map(([outcome]) => outcome),
    `${meanings.join('; ')}.`,
  );
}

const figures = {
  min: called('Quantity', 'Of rules for single transactions.'),
  used: called('Quantity', 'Confirmed in this window.'),
  held: called('Quantity', 'Held in this window.'),
  remaining: called('Quantity', 'What is left of `max`.'),
  override: object("Where `max` is the subject's own, and not the rule's.", {
    reason: text('In the words of whoever gave it.'),
    until: nullable(instant('When it ends; null where nobody has said.')),
    own: called('Quantity', 'The maximum of the rule.'),
  }),
  retryAt: nullable(
    instant('Where the rule refuses: when it alone would say yes; null for never.'),
  ),
};

const byAttribute = object(
  'A maximum that depends on the transaction.',
  {
    by: text('`type`, a subject kind or the name of an attribute.'),
    values: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 0 },
      description: 'The maximum by value.',
    },
  },
  { else: sum('The maximum of all other values, and of none.') },
);

const rule = { rule: text("The rule's id.") };
const title: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'By language.',
};

/** Components for rules. */
export const RULE_REPORTS: Readonly<Record<string, JsonObject>> = {
  Quantity: object(
    'An amount in minor units, and a count.',
    {},
    {
      amount: sum('Minor units.'),
      count: sum('Transactions, or what checks said with `count`.'),
    },
  ),
  ...WINDOWS,
  Window: window,
  RuleStanding: object(
    'How a rule stands that counts for these subjects.',
    {
      ...rule,
      subjects: called('Subjects', 'Whom it counts for.'),
      ...standing,
      outcome: outcomes([
        ...OUTCOMES,
        [
          'depends',
          'the maxima in `max` have room, and those in `maxBy` depend on what nobody said',
        ],
      ]),
      share: nullable({
        type: 'number',
        minimum: 0,
        description:
          'How much of the maximum is taken, of amount or count the larger: 1 is all of it, and more after a late confirm. Null where a maximum is in `maxBy`.',
      }),
      resetsAt: nullable(
        instant('When a calendar window ends; null of a rolling window and of a lifetime.'),
      ),
    },
    {
      title,
      currency: text('Of rules with a maximum amount.'),
      maxBy: object(
        'Maxima that depend on an attribute, a subject or the type, which the query does not say. They are not in `max`.',
        {},
        { amount: byAttribute, count: byAttribute },
      ),
      ...figures,
    },
  ),
  RuleReport: object(
    'How a rule that applies stands after the call.',
    { ...rule, ...standing },
    { title, subjects: called('Subjects', 'Whom it counts for. With `report: all`.'), ...figures },
  ),
  UnknownKind: object('A subject kind that no rule knows; most likely it is mistyped.', {
    kind: text('The kind.'),
    nearest: {
      ...list(text('A name.'), 'The names nearest to it, the nearest first.'),
      maxItems: 3,
    },
  }),
  Frozen: object('A subject of which every new check is refused.', {
    subjects: called('Subjects', 'Who it is.'),
    reason: text('In the words of whoever froze it.'),
    until: nullable(instant('When it ends; null where nobody has said.')),
  }),
  Headroom: object('How much would pass, and when.', {
    amount: nullable(sum('The largest amount that would pass now; null where no rule limits it.')),
    earliestAt: nullable(instant('When the amount asked would pass; null for never.')),
  }),
};
