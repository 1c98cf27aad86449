import * as z from 'zod/mini';
import { attributeValue, subjects } from '../lib/schema/fields.ts';
import { called, said } from '../lib/schema/said.ts';
import { countedEnds, usedQuantity } from './ends.ts';
import { ruleWindow } from './windows.ts';
import * as say from './words.ts';

/** How answers show the standing of rules. */

/** A maximum, or a share of it. */
export const quantity = say.named(
  'Quantity',
  'An amount in minor units, and a count.',
  {},
  {
    amount: say.sum('Minor units.'),
    count: say.sum('The number of transactions, or the sum of the `count` of the checks.'),
  },
);

const OUTCOMES = {
  within: 'room is left',
  reached: 'no room is left',
  exceeded: 'the rule refuses, because the sum would be above `max`',
  'below-minimum': 'the rule refuses, because the order is below `min`',
  'exceeded-shadow': 'a rule on trial would refuse, because the sum would be above `max`',
  'below-minimum-shadow': 'a rule on trial would refuse, because the order is below `min`',
  'exceeded-notify': 'the sum is above `max`. The rule only notifies, and refuses nothing',
  'exceeded-proven': 'the sum is above `max`. The order has the proof that the rule asks for',
} as const;

/** Names a rule. */
export const ruleId = say.text("The rule's id.");
/** Names rules. */
export const ruleIds = (description: string) => say.list(say.text("A rule's id."), description);
const title = say.record(z.string(), 'By language.');

/** When something ends that somebody gave. */
export const until = say.nullable(say.instant('The end; null if nobody set one.'));

const standing = {
  mode: say.oneOf(['enforce', 'shadow'], '`shadow`: on trial. The rule counts and never refuses.'),
  window: ruleWindow,
  max: called(quantity, 'The maximum. A sum that the rule does not limit is absent.'),
};

/** The maximum is the subject's own. */
export const override = say.object(
  "Present if `max` is the subject's own maximum instead of the rule's.",
  {
    reason: say.text('The reason given for it.'),
    until: say.nullable(say.instant('The instant at which `max` changes; null if it stays.')),
    own: called(quantity, 'The maximum of the rule.'),
  },
);
/** The least that a rule for single transactions asks for. */
export const min = called(quantity, 'The minimum. Only rules for single transactions have one.');

const figures = {
  min,
  onExceed: say.oneOf(
    ['notify', 'review', 'challenge'],
    'Absent if the rule refuses an order above `max`. `notify`: it passes, and its answer says by how much it is above. `review`: it passes if a second person approves it. `challenge`: it passes with the proof `challenge`.',
  ),
  challenge: say.text('The proof, as the check names it in `proofs`.'),
  ...countedEnds,
  distinct: say.text(
    '`type`, a subject kind or an attribute. Present if the rule limits its different values: each `count` is a number of these.',
  ),
  used: called(
    usedQuantity,
    'Confirmed in this window, or ended as `outcomes` says; less what `minus` of the rule takes off.',
  ),
  held: called(quantity, 'Held in this window.'),
  remaining: called(quantity, 'The part of `max` that is left.'),
  override,
  retryAt: say.nullable(
    say.instant(
      'If the rule refuses: the time at which this rule would allow the order. Null for never.',
    ),
  ),
};

/** How a rule stands that applies. */
export const ruleReport = say.named(
  'RuleReport',
  'A rule that applies, and its sums after the call.',
  { rule: ruleId, ...standing, outcome: say.oneOfThese(OUTCOMES) },
  {
    title,
    subjects: subjects('The subjects that the rule counts for. Present with `report: all`.'),
    ...figures,
  },
);

const byAttribute = say.object(
  'A maximum that depends on the order.',
  {
    by: say.text('`type`, a subject kind or the name of an attribute.'),
    values: say.record(
      say.large('Minor units, or a number of transactions.'),
      'The maximum by value.',
    ),
  },
  { else: say.sum('The maximum for every other value, and for orders without a value.') },
);

/** Maxima that depend on the order. */
export const maxBy = say.named(
  'MaximumByAttribute',
  'Maxima that depend on an attribute, a subject or a type.',
  {},
  { amount: byAttribute, count: byAttribute },
);

const matched = (description: string) =>
  say.record(say.list(attributeValue, 'Values.'), description);

/** The payments that a rule is about. */
export const scope = say.named('Conditions', 'Conditions on a payment. All of them must hold.', {
  is: matched('`type`, a subject kind or an attribute, to the values of which it has one.'),
  not: matched('The same, to the values of which it has none. A payment without the name passes.'),
});

/** How a rule stands that somebody asks about. */
export const ruleUsage = say.named(
  'RuleUsage',
  'A rule that counts for these subjects, and its sums.',
  {
    rule: ruleId,
    subjects: subjects('The subjects that the rule counts for.'),
    ...standing,
    outcome: say.oneOfThese({
      ...OUTCOMES,
      depends:
        'the maxima in `max` have room; those in `maxBy` depend on an attribute that the query does not give',
    }),
    share: say.nullable(
      said(
        z.number().check(z.minimum(0)),
        'The used and held share of the maximum: 1 is all of it. It can be above 1 after a late confirm. If the rule limits amount and count, this is the larger share. Null if a maximum is in `maxBy`.',
      ),
    ),
    resetsAt: say.nullable(
      say.instant('The end of a calendar window. Null for rolling and lifetime windows.'),
    ),
  },
  {
    title,
    currency: say.text('The currency, if the rule limits amounts.'),
    beginsAt: say.nullable(
      say.instant(
        'Present outside the times of the rule (`when`). Until then it neither counts nor refuses. Null for never.',
      ),
    ),
    counts: called(scope, 'The payments that the rule counts. Absent if it counts all.'),
    minus: called(scope, 'The orders that lower `used` once they are confirmed. Absent: none.'),
    appliesTo: called(scope, 'The counted payments that the rule may refuse. Absent: all.'),
    maxBy: called(
      maxBy,
      'Maxima that depend on an attribute, a subject or a type that the query does not give. They are not in `max`.',
    ),
    later: say.list(
      say.named(
        'LaterMaximum',
        'The maximum from an instant on.',
        { from: say.instant('The start.'), max: called(quantity, 'The maximum then.') },
        { maxBy: called(maxBy, 'Maxima that depend on what the query does not give.') },
      ),
      "Present if the subject's own terms change the maximum later: each change, in the order of time.",
    ),
    ...figures,
    override: say.object(
      "Present if `max` is the subject's own maximum instead of the rule's.",
      override._zod.def.shape,
      {
        maxBy: called(
          maxBy,
          'Maxima of the rule that the query does not tell. They are not in `own`.',
        ),
      },
    ),
  },
);

/** A subject kind that no rule knows. */
export const unknownKind = say.named(
  'UnknownKind',
  'A subject kind that no rule names. It is probably mistyped.',
  {
    kind: say.text('The kind.'),
    nearest: say.list(say.text('A name.'), 'Similar names, the most similar first.', 3),
  },
);

/** A subject of which every new check is refused. */
export const frozen = say.named(
  'Frozen',
  'A frozen subject: Headroom refuses every new check of it.',
  {
    subjects: subjects('The kind and id of the subject.'),
    reason: say.text('The reason given for the freeze.'),
    until,
  },
);
