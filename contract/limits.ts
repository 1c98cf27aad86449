import * as z from 'zod/mini';
import { usedQuantity } from './ends.ts';
import { subjects } from '../lib/schema/fields.ts';
import { called, said } from '../lib/schema/said.ts';
import { frozen, quantity, ruleId, ruleUsage, unknownKind } from './standings.ts';
import * as say from './words.ts';
import { NEAR_SHARES } from '../lib/shared/bounds.ts';

/** The answers of `usage` and `near`. */

/** The answer of `usage`. */
export const usageAnswer = say.named(
  'UsageAnswer',
  'Every limit of these subjects, and its sums.',
  {
    subjects: subjects('The subjects of the query.'),
    frozen: say.list(frozen, 'The frozen ones among them.'),
    rules: say.list(ruleUsage, 'Every rule in force that counts for them.'),
    now: say.instant("The instant of the decision, by the database's clock."),
  },
  {
    withoutInstant: say.list(
      say.object('A rule whose window begins with an instant that the query does not say.', {
        rule: ruleId,
        attribute: say.text('The attribute that says it.'),
      }),
      'Rules that are left out of `rules`: send the attribute to see them.',
    ),
    unknownKinds: say.list(unknownKind, 'Kinds in the query that no rule names.'),
    unseen: say.list(
      say.text('A kind of the query.'),
      'Kinds whose subject has nothing stored: no payment of it counts, and it has no terms. The id may be mistyped.',
    ),
    asOf: say.instant(
      'Present with `stale`: the answer counts everything written before this instant.',
    ),
  },
);

const amounts = (description: string) =>
  say.object(description, {}, { amount: say.sum('Minor units.'), count: say.sum('Transactions.') });

/** A maximum that is nearly taken. */
export const nearRow = say.named(
  'NearRow',
  'A maximum that is nearly or fully taken.',
  {
    rule: ruleId,
    mode: say.oneOf(
      ['enforce', 'shadow'],
      '`shadow`: on trial. The rule counts and never refuses.',
    ),
    subjects: subjects('The subjects that the maximum counts for.'),
    share: said(
      z.literal(NEAR_SHARES),
      'The largest of these shares that the subject reached in the window.',
    ),
    max: amounts('The maximum at the time of the row.'),
    overridden: say.flag("True if it is the subject's own maximum."),
    taken: amounts('The used and held sum at the time of the row.'),
    start: say.nullable(say.instant('The start of the window. Null if it has none.')),
    until: say.nullable(
      say.instant(
        'The time at which the row disappears: the end of the window. In a rolling window, the time at which the payments that crossed the share leave it. Null for never.',
      ),
    ),
    at: say.instant('The time at which the sums were as the row shows them.'),
  },
  {
    currency: say.text('The currency of the amounts.'),
    since: say.instant('The instant that orders say, if the window begins with one.'),
    now: say.object('The sums at the instant of the answer. Absent in events.', {
      used: called(usedQuantity, 'Confirmed in this window.'),
      held: called(quantity, 'Held in this window.'),
      max: called(quantity, 'The maximum in force.'),
      overridden: say.flag("True if it is the subject's own maximum."),
      share: said(
        z.number().check(z.minimum(0)),
        'The used and held share of the maximum: 1 is all of it. It can be above 1 after a late confirm. If the rule limits amount and count, this is the larger share.',
      ),
    }),
  },
);

/** The answer of `near`. */
export const nearAnswer = say.named('NearAnswer', 'A page, those that reached most first.', {
  near: say.list(
    nearRow,
    'Rows of windows that are not over, and of rules that still count there.',
  ),
  next: say.nullable(say.text('Send it as `next` to get the next page. Null on the last page.')),
  kept: say.flag('True if calls write rows when they cross a share (`NEAR`).'),
  scannedAt: say.nullable(
    say.instant('The time of the last scan of the counters. Null for never.'),
  ),
  now: say.instant('The instant of the answer.'),
});
