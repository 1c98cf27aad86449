import { called } from '../lib/http/said.ts';
import { problem } from './problem.ts';
import { frozen, headroom, ruleId, ruleIds, ruleReport, unknownKind } from './standings.ts';
import * as say from './words.ts';

/** What the calls about orders answer, of one and of many. */

const now = say.instant("The instant of the decision, by the database's clock.");
const repeated = say.flag('An earlier call did it, and this one changed nothing.');
const uncounted = say.list(
  say.text('A document: `merchant:m-1`.'),
  'Documents beside home in which a late payment may not be counted.',
);
const refusals = {
  refusedBy: ruleIds('The rules that refused.'),
  shadowRefusedBy: ruleIds('The rules on trial that would have refused.'),
};
const nothing = { repeated: say.only(false), limitReached: say.only(false), ...refusals };
const rules = say.list(
  ruleReport,
  'Those that `report` asks for: every rule that applies, or those that refused and would have. Absent with `report: none`.',
);

/** Of a repeat of what was refunded since. */
const refunds = {
  refunded: say.nullable(
    say.sum('Of all refunds, in minor units; null where the audit could not be read.'),
  ),
  remaining: say.sum('What may still be refunded.'),
};

const allowed = {
  always: {
    decision: say.only('allowed'),
    ...refusals,
    repeated,
    state: say.oneOf(
      ['held', 'confirmed', 'partlyRefunded', 'refunded', 'none'],
      '`confirmed` with `capture`, or where the order was confirmed since; `partlyRefunded` and `refunded` where it was paid back since; `none` for a dry run.',
    ),
    limitReached: say.flag('This order took the last of some rule.'),
    headroom,
    now,
  },
  maybe: {
    ...refunds,
    reservation: say.text(
      'Where and what the hold is. Opaque: give it back to confirm or rollback.',
    ),
    holdExpiresAt: say.instant('The first instant at which the hold does not count.'),
    uncounted,
    rules,
  },
};
const refused = {
  always: {
    decision: say.only('refused'),
    reason: say.oneOf(
      ['rule', 'no-rule', 'frozen'],
      '`rule`: those of `refusedBy`; `frozen`: those of `frozen`; `no-rule`: none applies, and such orders are refused (`ON_NO_RULE=refuse`), or none limits the amount (`ON_NO_RULE=refuse-unlimited`).',
    ),
    ...nothing,
    headroom,
    now,
  },
  maybe: {
    rules,
    frozen: say.list(frozen, 'Subjects that are frozen, with the reason `frozen`.'),
    unknownKinds: say.list(
      unknownKind,
      'With the reason `no-rule`: subject kinds that no rule knows.',
    ),
  },
};
const undecided = {
  decision: say.only('allowed'),
  undecided: say.only(true),
  ...nothing,
  state: say.only('none'),
  now,
};

const ALLOWED = 'It may happen.';
const REFUSED = 'It may not happen, and nothing changed.';
const UNDECIDED =
  'The store did not decide, and the deployment lets such orders pass (`ON_UNDECIDED=allow`).';

/** What `check` answers. */
export const checkAnswer = say.either('CheckAnswer', 'Allowed or refused.', [
  say.named('AllowedCheck', ALLOWED, allowed.always, allowed.maybe),
  say.named('RefusedCheck', REFUSED, refused.always, refused.maybe),
  say.named('UndecidedCheck', UNDECIDED, undecided, { rules }),
]);

/** By how much a maximum is exceeded. */
export const excess = say.named(
  'Excess',
  'A maximum that is exceeded, and by how much.',
  { rule: ruleId },
  { amount: say.sum('Minor units.'), count: say.sum('Transactions.') },
);

const confirmed = {
  always: {
    state: say.oneOf(
      ['confirmed', 'partlyRefunded', 'refunded'],
      'As the payment stands now: a repeat tells of what was refunded since.',
    ),
    repeated,
    late: say.flag('The hold had expired; the payment is counted all the same.'),
    amount: say.sum('What is counted, in minor units.'),
  },
  maybe: {
    ...refunds,
    uncounted,
    exceeded: say.nullable(
      say.list(
        excess,
        'What a late or larger payment exceeds; null where the rules could not be read.',
      ),
    ),
  },
};
const rolledBack = { state: say.only('rolledBack'), repeated };
const COUNTED = 'It is counted.';
const GIVEN_BACK = 'It is given back.';

/** What `confirm` answers. */
export const confirmAnswer = say.named('ConfirmAnswer', COUNTED, confirmed.always, confirmed.maybe);

/** What `rollback` answers. */
export const rollbackAnswer = say.named('RollbackAnswer', GIVEN_BACK, rolledBack);

/** What `refund` answers. */
export const refundAnswer = say.named('RefundAnswer', 'What is refunded of the order by now.', {
  state: say.oneOf(['partlyRefunded', 'refunded'], '`refunded` once nothing is left.'),
  repeated,
  amount: say.sum('Of this refund, in minor units.'),
  refunded: say.sum('Of all refunds.'),
  remaining: say.sum('What may still be refunded.'),
  windows: say.object('Of the windows of the check:', {
    open: say.sum('How many still count the payment.'),
    over: say.sum('How many are over; in those nothing is left to give back.'),
  }),
});

const orderId = say.text('The order.');
const failed = say.named(
  'OrderProblem',
  'Its own call would have been answered with this problem.',
  {
    orderId,
    problem: called(problem, 'As `application/problem+json` says it.'),
  },
);
const BECAME = 'What became of one order.';
const IN_ORDER = 'In the order given.';
const ITS_OWN = 'Nothing is said of any order but in its own result.';

/** What `checks` answers. */
export const checksAnswer = say.named('ChecksAnswer', ITS_OWN, {
  allAllowed: say.flag('Every order was allowed.'),
  results: say.list(
    say.either('CheckResult', BECAME, [
      say.named('AllowedOfMany', ALLOWED, { orderId, ...allowed.always }, allowed.maybe),
      say.named('RefusedOfMany', REFUSED, { orderId, ...refused.always }, refused.maybe),
      say.named('UndecidedOfMany', UNDECIDED, { orderId, ...undecided }, { rules }),
      failed,
    ]),
    IN_ORDER,
  ),
});

/** What `record` answers of one order. */
export const recorded = say.named('RecordedPayment', COUNTED, {
  orderId,
  state: say.only('confirmed'),
  repeated,
  amount: say.sum('What is counted, in minor units.'),
  counted: ruleIds('The rules in whose windows it counts.'),
  over: ruleIds('The rules whose windows were over: it counts nowhere there.'),
  exceeded: say.list(excess, 'What is exceeded now; empty in a repeat.'),
});

/** What `record` answers. */
export const recordAnswer = say.named('RecordAnswer', ITS_OWN, {
  results: say.list(say.either('RecordResult', BECAME, [recorded, failed]), IN_ORDER),
});

/** What `settlements` answers. */
export const settlementsAnswer = say.named('SettlementsAnswer', ITS_OWN, {
  results: say.list(
    say.either('SettlementResult', BECAME, [
      say.named('ConfirmedOfMany', COUNTED, { orderId, ...confirmed.always }, confirmed.maybe),
      say.named('RolledBackOfMany', GIVEN_BACK, { orderId, ...rolledBack }),
      failed,
    ]),
    IN_ORDER,
  ),
});
