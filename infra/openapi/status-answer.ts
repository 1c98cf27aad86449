import { AUDIT_ROWS_MAX, REFUSALS_TOLD_MAX } from '../../lib/domain/bounds.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import {
  called,
  flag,
  instant,
  list,
  nullable,
  object,
  oneOf,
  referenceTo,
  sum,
  text,
} from './json-schema.ts';

/** What `status` answers, field by field. */

const REFUSAL = object(
  'How a rule stood when it refused a check. It may be another one since.',
  {
    rule: text("The rule's id."),
    sentence: text('Why it refused, in the language of `Content-Language`, without an end.'),
    outcome: oneOf(['exceeded', 'below-minimum'], 'Above `max`, or below `min`.'),
    window: referenceTo('Window'),
    max: called('Quantity', 'What might be counted; what was not limited is absent.'),
  },
  {
    version: sum('Of the rule, as it was then: `GET /v1/rules/{id}/versions` has it.'),
    currency: text('Of rules with a maximum amount.'),
    min: called('Quantity', 'Of rules for single transactions.'),
    used: called('Quantity', 'Confirmed in this window then.'),
    held: called('Quantity', 'Held in this window then.'),
    override: object("Where `max` was the subject's own, and not the rule's.", {
      reason: text('In the words of whoever gave it.'),
      until: nullable(instant('When it ended; null where nobody had said.')),
      own: called('Quantity', 'The maximum of the rule.'),
    }),
  },
);

const FROZEN_THEN = object('A subject that was frozen then.', {
  subjects: called('Subjects', 'Who it was.'),
  reason: text('In the words of whoever froze it.'),
  until: nullable(instant('When it ended; null where nobody had said.')),
  sentence: text('The same in the language of `Content-Language`, without the reason.'),
});

/** What is told of one operation on an order. */
export const ENTRY = {
  always: {
    at: instant("The database's."),
    operation: oneOf(['check', 'record', 'confirm', 'rollback', 'refund'], 'What was asked.'),
    outcome: text(
      '`held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem.',
    ),
  },
  maybe: {
    refundId: text('Of a refund.'),
    amount: sum('Asked, counted or given back, in minor units.'),
    count: sum('Asked or given back.'),
    currency: text('Of a check.'),
    late: flag('Confirmed after its hold had expired.'),
    reason: text(
      "In the caller's words, of a rollback or refund; `no-rule` of a check that no rule applied to, `frozen` of one of a frozen subject.",
    ),
    requestId: text('The call, as in its `X-Request-Id`.'),
    happenedAt: instant('Of a record: when the payment happened.'),
    violations: list(text("A rule's id."), 'The rules that refused.'),
  },
} as const;

const HISTORY = object('One operation on the order, and what it came to.', ENTRY.always, {
  ...ENTRY.maybe,
  refusals: list(
    referenceTo('Refusal'),
    `How each of them stood: of the newest ${REFUSALS_TOLD_MAX} refused checks.`,
  ),
  frozen: list(referenceTo('FrozenThen'), 'Of those, the subjects that were frozen.'),
});

const STATUS = object(
  'How an order stands, and its history.',
  {
    orderId: text('The order.'),
    state: oneOf(
      [
        ...['held', 'expired', 'confirmed', 'late', 'partlyRefunded', 'refunded'],
        ...['rolledBack', 'refused', 'unknown'],
      ],
      '`expired`: a late confirm still would count; `late`: confirmed after its hold had expired; `partlyRefunded`, `refunded`: counted, and paid back since; `unknown`: no row of it.',
    ),
    now: instant("The instant of the answer, by the database's clock."),
    history: {
      ...list(referenceTo('HistoryEntry'), 'The newest, oldest first.'),
      maxItems: AUDIT_ROWS_MAX,
    },
  },
  {
    amount: sum('Held, counted, given back or refused, in minor units.'),
    refunded: sum('Of what was counted, in minor units.'),
    currency: text('Of the check.'),
    subjects: referenceTo('Subjects'),
    reservation: text('While it is held or expired.'),
    holdExpiresAt: instant('While it is held or expired.'),
  },
);

/** Its components. */
export const STATUS_ANSWER: Readonly<Record<string, JsonObject>> = {
  Refusal: REFUSAL,
  FrozenThen: FROZEN_THEN,
  HistoryEntry: HISTORY,
  StatusAnswer: STATUS,
};
