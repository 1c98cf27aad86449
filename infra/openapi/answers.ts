import type { JsonObject } from '../../lib/edge/answers.ts';
import {
  called,
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  only,
  referenceTo,
  sum,
  text,
} from './json-schema.ts';
import { RULE_REPORTS } from './rule-reports.ts';
import { STATUS_ANSWER } from './status-answer.ts';

/**
 * What the calls answer, field by field. The functions write answers without any of this; a test holds
 * what they write against it.
 */

const repeated = flag('An earlier call did it, and this one changed nothing.');
const now = instant("The instant of the decision, by the database's clock.");
const uncounted = list(
  text('A document: `merchant:m-1`.'),
  'Documents beside home in which a late payment may not be counted.',
);
const orderId = text('The order.');
const orderOf = { orderId };

/** Of a repeat of what was refunded since. */
const refunds = {
  refunded: nullable(
    sum('Of all refunds, in minor units; null where the audit could not be read.'),
  ),
  remaining: sum('What may still be refunded.'),
};

const refusals = {
  refusedBy: list(text("A rule's id."), 'The rules that refused.'),
  shadowRefusedBy: list(text("A rule's id."), 'The rules on trial that would have refused.'),
};

type Fields = Readonly<Record<string, JsonObject>>;

const rules = list(
  referenceTo('RuleReport'),
  'Those that `report` asks for: every rule that applies, or those that refused and would have. Absent with `report: none`.',
);

/** The three ways in which a check is answered. */
function checkAnswers(order: Fields): Fields {
  const headroom = referenceTo('Headroom');
  const nothing = { repeated: only(false), limitReached: only(false), ...refusals };
  return {
    Allowed: object(
      'It may happen.',
      {
        ...order,
        decision: only('allowed'),
        ...refusals,
        repeated,
        state: oneOf(
          ['held', 'confirmed', 'partlyRefunded', 'refunded', 'none'],
          '`confirmed` with `capture`, or where the order was confirmed since; `partlyRefunded` and `refunded` where it was paid back since; `none` for a dry run.',
        ),
        limitReached: flag('This order took the last of some rule.'),
        headroom,
        now,
      },
      {
        ...refunds,
        reservation: text(
          'Where and what the hold is. Opaque: give it back to confirm or rollback.',
        ),
        holdExpiresAt: instant('The first instant at which the hold does not count.'),
        uncounted,
        rules,
      },
    ),
    Refused: object(
      'It may not happen, and nothing changed.',
      {
        ...order,
        decision: only('refused'),
        reason: oneOf(
          ['rule', 'no-rule', 'frozen'],
          '`rule`: those of `refusedBy`; `frozen`: those of `frozen`; `no-rule`: none applies, and such orders are refused (`ON_NO_RULE=refuse`), or none limits the amount (`ON_NO_RULE=refuse-unlimited`).',
        ),
        ...nothing,
        headroom,
        now,
      },
      {
        rules,
        frozen: list(referenceTo('Frozen'), 'Subjects that are frozen, with the reason `frozen`.'),
        unknownKinds: list(
          referenceTo('UnknownKind'),
          'With the reason `no-rule`: subject kinds that no rule knows.',
        ),
      },
    ),
    Undecided: object(
      'The store did not decide, and the deployment lets such orders pass (`ON_UNDECIDED=allow`).',
      {
        ...order,
        decision: only('allowed'),
        undecided: only(true),
        ...nothing,
        state: only('none'),
        now,
      },
      { rules },
    ),
  };
}

const confirmed = {
  always: {
    state: oneOf(
      ['confirmed', 'partlyRefunded', 'refunded'],
      'As the payment stands now: a repeat tells of what was refunded since.',
    ),
    repeated,
    late: flag('The hold had expired; the payment is counted all the same.'),
    amount: sum('What is counted, in minor units.'),
  },
  maybe: {
    ...refunds,
    uncounted,
    exceeded: nullable(
      list(
        referenceTo('Excess'),
        'What a late or larger payment exceeds; null where the rules could not be read.',
      ),
    ),
  },
};
const rolledBack = { state: only('rolledBack'), repeated };

const SINGLE = checkAnswers({});
const OF_MANY = checkAnswers(orderOf);

const failed = object('Its own call would have been answered with this problem.', {
  orderId,
  problem: called('Problem', 'As `application/problem+json` says it.'),
});

const REFUND = object('What is refunded of the order by now.', {
  state: oneOf(['partlyRefunded', 'refunded'], '`refunded` once nothing is left.'),
  repeated,
  amount: sum('Of this refund, in minor units.'),
  refunded: sum('Of all refunds.'),
  remaining: sum('What may still be refunded.'),
  windows: object('Of the windows of the check:', {
    open: sum('How many still count the payment.'),
    over: sum('How many are over; in those nothing is left to give back.'),
  }),
});

const either = (description: string, ids: readonly string[]): JsonObject => ({
  description,
  oneOf: ids.map(referenceTo),
});

const named = (schemas: Fields, suffix: string): Fields =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [`${name}${suffix}`, schema]));

/** Components for answers. Fields may be added to them: callers ignore what they do not know. */
export const ANSWERS: Readonly<Record<string, JsonObject>> = {
  ...RULE_REPORTS,
  ...named(SINGLE, 'Check'),
  CheckAnswer: either('Allowed or refused.', Object.keys(named(SINGLE, 'Check'))),
  Excess: object(
    'A maximum that is exceeded, and by how much.',
    { rule: text("The rule's id.") },
    { amount: sum('Minor units.'), count: sum('Transactions.') },
  ),
  ConfirmAnswer: object('It is counted.', confirmed.always, confirmed.maybe),
  RollbackAnswer: object('It is given back.', rolledBack),
  RefundAnswer: REFUND,
  ...STATUS_ANSWER,
  UsageAnswer: object(
    'How every limit of these subjects stands.',
    {
      subjects: called('Subjects', 'Those that were asked about.'),
      frozen: list(referenceTo('Frozen'), 'Those of them that are frozen.'),
      rules: list(referenceTo('RuleStanding'), 'Every rule in force that counts for them.'),
      now,
    },
    {
      unknownKinds: list(referenceTo('UnknownKind'), 'Kinds in the query that no rule knows.'),
      asOf: instant('Where `stale` was said: everything that was written before is counted.'),
    },
  ),
  ...named(OF_MANY, 'OfMany'),
  FailedOfMany: failed,
  CheckResult: either('What became of one order.', [
    ...Object.keys(named(OF_MANY, 'OfMany')),
    'FailedOfMany',
  ]),
  ChecksAnswer: object('Nothing is said of any order but in its own result.', {
    allAllowed: flag('Every order was allowed.'),
    results: list(referenceTo('CheckResult'), 'In the order given.'),
  }),
  RecordedOfMany: object('It is counted.', {
    orderId,
    state: only('confirmed'),
    repeated,
    amount: sum('What is counted, in minor units.'),
    counted: list(text("A rule's id."), 'The rules in whose windows it counts.'),
    over: list(text("A rule's id."), 'The rules whose windows were over: it counts nowhere there.'),
    exceeded: list(referenceTo('Excess'), 'What is exceeded now; empty in a repeat.'),
  }),
  RecordResult: either('What became of one order.', ['RecordedOfMany', 'FailedOfMany']),
  RecordAnswer: object('Nothing is said of any order but in its own result.', {
    results: list(referenceTo('RecordResult'), 'In the order given.'),
  }),
  ConfirmedOfMany: object('It is counted.', { orderId, ...confirmed.always }, confirmed.maybe),
  RolledBackOfMany: object('It is given back.', { orderId, ...rolledBack }),
  SettlementResult: either('What became of one order.', [
    ...['ConfirmedOfMany', 'RolledBackOfMany', 'FailedOfMany'],
  ]),
  SettlementsAnswer: object('Nothing is said of any order but in its own result.', {
    results: list(referenceTo('SettlementResult'), 'In the order given.'),
  }),
};
