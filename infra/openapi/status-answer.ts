import { AUDIT_ROWS_MAX } from '../../lib/domain/bounds.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import { flag, instant, list, object, oneOf, referenceTo, sum, text } from './json-schema.ts';

/** What `status` answers, field by field. */

const HISTORY = object(
  'One operation on the order, and what it came to.',
  {
    at: instant("The database's."),
    operation: oneOf(['check', 'confirm', 'rollback', 'refund'], 'What was asked.'),
    outcome: text(
      '`held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem.',
    ),
  },
  {
    refundId: text('Of a refund.'),
    amount: sum('Asked, counted or given back, in minor units.'),
    count: sum('Asked or given back.'),
    currency: text('Of a check.'),
    late: flag('Confirmed after its hold had expired.'),
    reason: text(
      "In the caller's words, of a rollback or refund; `no-rule` of a check that no rule applied to.",
    ),
    requestId: text('The call, as in its `X-Request-Id`.'),
    violations: list(text("A rule's id."), 'The rules that refused.'),
  },
);

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
  HistoryEntry: HISTORY,
  StatusAnswer: STATUS,
};
