import * as z from 'zod/mini';
import { CALENDAR_UNITS } from '../lib/rules/rule.ts';
import { subjects } from '../lib/http/fields.ts';
import { called, said } from '../lib/http/said.ts';
import * as say from './words.ts';

/** What answers say of how rules stand. */

/** What a maximum, or a share of it, is. */
export const quantity = say.named(
  'Quantity',
  'An amount in minor units, and a count.',
  {},
  {
    amount: say.sum('Minor units.'),
    count: say.sum('Transactions, or what checks said with `count`.'),
  },
);

const period = {
  start: say.instant('The first instant in it.'),
  end: say.instant('The first instant after it.'),
};

/** What a maximum is counted over. */
export const ruleWindow = say.byKind('RuleWindow', 'What a maximum is counted over.', {
  transaction: say.named('TransactionWindow', 'Each transaction alone.', {
    kind: say.only('transaction'),
  }),
  lifetime: say.named('LifetimeWindow', 'All time.', { kind: say.only('lifetime') }),
  calendar: say.named(
    'CalendarWindow',
    'A natural period of a time zone.',
    {
      kind: say.only('calendar'),
      unit: say.oneOf(CALENDAR_UNITS, 'What it is a period of.'),
      timeZone: say.text('An IANA name.'),
      ...period,
    },
    { every: say.large('Units, where above 1.', 2) },
  ),
  rolling: say.named('RollingWindow', 'The last so many hours, say.', {
    kind: say.only('rolling'),
    span: say.span('How long it is.'),
    step: said(
      z.union([say.only('exact'), z.string().check(z.regex(say.SPAN_PATTERN))]),
      '`exact`, or the steps in which what leaves the span is forgotten.',
    ),
    ...period,
    maxEarlyRefusal: say.span('By how much it may refuse too early.'),
  }),
});

const OUTCOMES = {
  within: 'room is left',
  reached: 'nothing of this maximum is left',
  exceeded: 'the rule refuses, for it is above `max`',
  'below-minimum': 'the rule refuses, for it is below `min`',
  'exceeded-shadow': 'a rule on trial would have refused',
  'below-minimum-shadow': 'so would one that it is below the `min` of',
} as const;

/** Names a rule. */
export const ruleId = say.text("The rule's id.");
/** Names rules. */
export const ruleIds = (description: string) => say.list(say.text("A rule's id."), description);
const title = say.record(z.string(), 'By language.');

/** When something ends that somebody gave. */
export const until = say.nullable(say.instant('When it ends; null where nobody has said.'));

const standing = {
  mode: say.oneOf(['enforce', 'shadow'], '`shadow`: on trial, counted and never refusing.'),
  window: ruleWindow,
  max: called(quantity, 'What may be counted; what is not limited is absent.'),
};

/** The maximum is the subject's own. */
export const override = say.object("Where `max` is the subject's own, and not the rule's.", {
  reason: say.text('In the words of whoever gave it.'),
  until,
  own: called(quantity, 'The maximum of the rule.'),
});
/** What a rule for single transactions asks at least. */
export const min = called(quantity, 'Of rules for single transactions.');

const figures = {
  min,
  used: called(quantity, 'Confirmed in this window.'),
  held: called(quantity, 'Held in this window.'),
  remaining: called(quantity, 'What is left of `max`.'),
  override,
  retryAt: say.nullable(
    say.instant('Where the rule refuses: when it alone would say yes; null for never.'),
  ),
};

/** How a rule stands that applies. */
export const ruleReport = say.named(
  'RuleReport',
  'How a rule that applies stands after the call.',
  { rule: ruleId, ...standing, outcome: say.oneOfThese(OUTCOMES) },
  { title, subjects: subjects('Whom it counts for. With `report: all`.'), ...figures },
);

const byAttribute = say.object(
  'A maximum that depends on the transaction.',
  {
    by: say.text('`type`, a subject kind or the name of an attribute.'),
    values: say.record(say.large('Minor units, or a number.'), 'The maximum by value.'),
  },
  { else: say.sum('The maximum of all other values, and of none.') },
);

/** How a rule stands that somebody asks about. */
export const ruleUsage = say.named(
  'RuleUsage',
  'How a rule stands that counts for these subjects.',
  {
    rule: ruleId,
    subjects: subjects('Whom it counts for.'),
    ...standing,
    outcome: say.oneOfThese({
      ...OUTCOMES,
      depends: 'the maxima in `max` have room, and those in `maxBy` depend on what nobody said',
    }),
    share: say.nullable(
      said(
        z.number().check(z.minimum(0)),
        'How much of the maximum is taken, of amount or count the larger: 1 is all of it, and more after a late confirm. Null where a maximum is in `maxBy`.',
      ),
    ),
    resetsAt: say.nullable(
      say.instant('When a calendar window ends; null of a rolling window and of a lifetime.'),
    ),
  },
  {
    title,
    currency: say.text('Of rules with a maximum amount.'),
    maxBy: say.object(
      'Maxima that depend on an attribute, a subject or the type, which the query does not say. They are not in `max`.',
      {},
      { amount: byAttribute, count: byAttribute },
    ),
    ...figures,
  },
);

/** A subject kind that no rule knows. */
export const unknownKind = say.named(
  'UnknownKind',
  'A subject kind that no rule knows; most likely it is mistyped.',
  {
    kind: say.text('The kind.'),
    nearest: say.list(say.text('A name.'), 'The names nearest to it, the nearest first.', 3),
  },
);

/** A subject of which every new check is refused. */
export const frozen = say.named('Frozen', 'A subject of which every new check is refused.', {
  subjects: subjects('Who it is.'),
  reason: say.text('In the words of whoever froze it.'),
  until,
});

/** What would pass. */
export const headroom = say.named('Headroom', 'How much would pass, and when.', {
  amount: say.nullable(
    say.sum('The largest amount that would pass now; null where no rule limits it.'),
  ),
  earliestAt: say.nullable(say.instant('When the amount asked would pass; null for never.')),
});
