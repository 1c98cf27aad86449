import { SETTLED_STATES } from '../lib/shared/states.ts';
import { called } from '../lib/schema/said.ts';
import { problem } from './problem.ts';
import { approval, challenges, review } from './reviews.ts';
import { frozen, ruleId, ruleIds, ruleReport, unknownKind } from './standings.ts';
import * as say from './words.ts';

/** The answers of the calls about orders, one and many. */

const now = say.instant("The instant of the decision, by the database's clock.");
const repeated = say.flag('True if an earlier call did it. This call changed nothing.');
const uncounted = say.list(
  say.text('The name of a document: `merchant:m-1`.'),
  'Documents beside home in which a late payment may not be counted.',
);
const refusals = {
  refusedBy: ruleIds('The rules that refused.'),
  shadowRefusedBy: ruleIds('The rules on trial that would have refused.'),
};
const limitReachedBy = ruleIds('The rules of which this order took the last room.');
const nothing = {
  repeated: say.only(false),
  limitReached: say.only(false),
  limitReachedBy,
  ...refusals,
};
const rules = say.list(
  ruleReport,
  'The rules that `report` asks for: all that apply, or only those that refused or would have refused. Absent with `report: none`.',
);

/** The largest order that would pass. */
export const headroom = say.named('Headroom', 'The amount that would pass, and when.', {
  amount: say.nullable(
    say.sum('The largest amount that would pass now. Null if no rule limits it.'),
  ),
  amountBy: ruleIds(
    'The rules that allow no more. Empty if no rule limits it, and where a freeze or a missing rule refuses.',
  ),
  earliestAt: say.nullable(
    say.instant(
      'The time at which the amount asked for would pass, with `partial` its `min`. Null for never.',
    ),
  ),
  earliestBy: ruleIds('The rules that refuse it until then, or for ever. Empty if none does.'),
});

/** By how much a maximum is exceeded. */
export const excess = say.named(
  'Excess',
  'A maximum that is exceeded, and by how much.',
  { rule: ruleId },
  { amount: say.sum('Minor units.'), count: say.sum('Transactions.') },
);

/** A repeat has them if the order was refunded since. */
const refunds = {
  refunded: say.nullable(
    say.sum('The sum of all refunds, in minor units. Null if Headroom could not read the audit.'),
  ),
  remaining: say.sum('The amount that you may still refund.'),
};

const allowed = {
  always: {
    decision: say.only('allowed'),
    ...refusals,
    repeated,
    state: say.oneOf(
      ['held', 'confirmed', 'partlyRefunded', 'refunded', 'none'],
      '`held`: reserved until you settle it. `confirmed`: checked with `capture`, or confirmed since. `partlyRefunded`, `refunded`: refunded since. `none`: a dry run.',
    ),
    limitReached: say.flag('True if this order took the last room of a rule.'),
    limitReachedBy,
    headroom,
    now,
  },
  maybe: {
    ...refunds,
    exceeded: say.list(
      excess,
      'Maxima that are exceeded, of rules with `onExceed: notify`. Absent if there are none.',
    ),
    reservation: say.text('Names the hold. Give it back unchanged to confirm or rollback.'),
    holdExpiresAt: say.instant('The first instant at which the hold no longer counts.'),
    amount: say.sum(
      'With `partial`: the amount that is held, or counted by now. Pay no more than that.',
    ),
    asked: say.sum('With `partial`: the amount asked for.'),
    amountBy: ruleIds(
      'With `partial`: the rules that left least. Empty if the whole amount fitted. Absent in a repeat.',
    ),
    approval,
    uncounted,
    rules,
  },
};
const refused = {
  always: {
    decision: say.only('refused'),
    reason: say.oneOf(
      ['rule', 'challenge', 'review', 'rejected', 'no-rule', 'frozen'],
      '`rule`: `refusedBy` names the rules. `challenge`: each of them asks for a proof or an approval, and the order lacks the proofs in `challenges`. `review`: it passes once a second person approves the proposal in `review`. `rejected`: somebody rejected that. `frozen`: `frozen` names the subjects. `no-rule`: no rule applies, or with `ON_NO_RULE=refuse-unlimited` no rule limits the amount.',
    ),
    ...nothing,
    headroom,
    now,
  },
  maybe: {
    rules,
    challenges,
    review,
    frozen: say.list(frozen, 'With the reason `frozen`: the frozen subjects.'),
    unknownKinds: say.list(
      unknownKind,
      'With the reason `no-rule`: subject kinds that no rule names.',
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

const ALLOWED = 'You may pay.';
const REFUSED = 'You may not pay. Nothing changed.';
const UNDECIDED =
  'The database did not answer in time. This deployment lets such orders pass (`ON_UNDECIDED=allow`).';

/** The answer of `check`. */
export const checkAnswer = say.either('CheckAnswer', 'Allowed or refused.', [
  say.named('AllowedCheck', ALLOWED, allowed.always, allowed.maybe),
  say.named('RefusedCheck', REFUSED, refused.always, refused.maybe),
  say.named('UndecidedCheck', UNDECIDED, undecided, { rules }),
]);

const confirmed = {
  always: {
    state: say.oneOf(
      ['confirmed', 'partlyRefunded', 'refunded'],
      'The state of the payment now: a repeat shows refunds made since.',
    ),
    repeated,
    late: say.flag('True if the hold had expired. The payment counts anyway.'),
    amount: say.sum('The amount counted, in minor units.'),
  },
  maybe: {
    ...refunds,
    uncounted,
    exceeded: say.nullable(
      say.list(
        excess,
        'The maxima that a late or larger payment exceeds. Null if that is not known: no audit row keeps what the maximum depends on, or Headroom could not read the rules.',
      ),
    ),
  },
};
const rolledBack = { state: say.only('rolledBack'), repeated };
const COUNTED = 'The payment counts.';
const GIVEN_BACK = 'The amount is free again.';

/** The answer of `confirm`. */
export const confirmAnswer = say.named('ConfirmAnswer', COUNTED, confirmed.always, confirmed.maybe);

/** The answer of `rollback`. */
export const rollbackAnswer = say.named('RollbackAnswer', GIVEN_BACK, rolledBack);

/** The answer of `refund`. */
export const refundAnswer = say.named('RefundAnswer', 'The refunds of the order so far.', {
  state: say.oneOf(['partlyRefunded', 'refunded'], '`refunded`: nothing is left to refund.'),
  repeated,
  amount: say.sum('The amount of this refund, in minor units.'),
  refunded: say.sum('The sum of all refunds.'),
  remaining: say.sum('The amount that you may still refund.'),
  windows: say.object('The windows of the check.', {
    open: say.sum('The number of windows that still count the payment.'),
    over: say.sum('The number of windows that are over. Nothing is left there to give back.'),
  }),
});

const orderId = say.text('The order.');
const failed = say.named(
  'OrderProblem',
  'The order failed with this problem, as if it had been sent alone.',
  {
    orderId,
    problem: called(problem, 'The problem, as in `application/problem+json`.'),
  },
);
const BECAME = 'The result of one order.';
const IN_ORDER = 'In the order given.';
const ITS_OWN = 'One result for each order.';

/** The answer of `checks`. */
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

/** The answer of `record` about one order. */
export const recorded = say.named('RecordedPayment', COUNTED, {
  orderId,
  state: say.oneOf(SETTLED_STATES, 'The end of the payment.'),
  repeated,
  amount: say.sum('The amount counted, in minor units.'),
  counted: ruleIds('The rules that count the payment.'),
  over: ruleIds('The rules that do not count the payment, because their windows are over.'),
  exceeded: say.list(excess, 'The maxima exceeded now. Empty in a repeat.'),
});

/** The answer of `record`. */
export const recordAnswer = say.named('RecordAnswer', ITS_OWN, {
  results: say.list(say.either('RecordResult', BECAME, [recorded, failed]), IN_ORDER),
});

/** The answer of `settlements`. */
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
