import { AUDIT_ROWS_MAX, REFUSALS_TOLD_MAX } from '../lib/shared/bounds.ts';
import { subjects } from '../lib/http/fields.ts';
import { called } from '../lib/http/said.ts';
import { min, override, quantity, ruleId, ruleIds, ruleWindow } from './standings.ts';
import * as say from './words.ts';

/** What `status` answers, and what the audit tells of an order elsewhere. */

/** How a rule stood that refused. */
export const refusal = say.named(
  'Refusal',
  'How a rule stood when it refused a check. It may be another one since.',
  {
    rule: ruleId,
    sentence: say.text('Why it refused, in the language of `Content-Language`, without an end.'),
    outcome: say.oneOf(['exceeded', 'below-minimum'], 'Above `max`, or below `min`.'),
    window: ruleWindow,
    max: called(quantity, 'What might be counted; what was not limited is absent.'),
  },
  {
    version: say.sum('Of the rule, as it was then: `GET /v1/rules/{id}/versions` has it.'),
    currency: say.text('Of rules with a maximum amount.'),
    min,
    used: called(quantity, 'Confirmed in this window then.'),
    held: called(quantity, 'Held in this window then.'),
    override: say.object("Where `max` was the subject's own, and not the rule's.", {
      ...override._zod.def.shape,
      until: say.nullable(say.instant('When it ended; null where nobody had said.')),
    }),
  },
);

/** A subject that was frozen. */
export const frozenThen = say.named('FrozenThen', 'A subject that was frozen then.', {
  subjects: subjects('Who it was.'),
  reason: say.text('In the words of whoever froze it.'),
  until: say.nullable(say.instant('When it ended; null where nobody had said.')),
  sentence: say.text('The same in the language of `Content-Language`, without the reason.'),
});

/** What is told of one operation on an order. */
export const entry = {
  always: {
    at: say.instant("The database's."),
    operation: say.oneOf(['check', 'record', 'confirm', 'rollback', 'refund'], 'What was asked.'),
    outcome: say.text(
      '`held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem.',
    ),
  },
  maybe: {
    refundId: say.text('Of a refund.'),
    amount: say.sum('Asked, counted or given back, in minor units.'),
    count: say.sum('Asked or given back.'),
    currency: say.text('Of a check.'),
    late: say.flag('Confirmed after its hold had expired.'),
    reason: say.text(
      "In the caller's words, of a rollback or refund; `no-rule` of a check that no rule applied to, `frozen` of one of a frozen subject.",
    ),
    requestId: say.text('The call, as in its `X-Request-Id`.'),
    happenedAt: say.instant('Of a record: when the payment happened.'),
    violations: ruleIds('The rules that refused.'),
  },
} as const;

/** What `status` answers. */
export const statusAnswer = say.named(
  'StatusAnswer',
  'How an order stands, and its history.',
  {
    orderId: say.text('The order.'),
    state: say.oneOf(
      [
        ...(['held', 'expired', 'confirmed', 'late', 'partlyRefunded', 'refunded'] as const),
        ...(['rolledBack', 'refused', 'unknown'] as const),
      ],
      '`expired`: a late confirm still would count; `late`: confirmed after its hold had expired; `partlyRefunded`, `refunded`: counted, and paid back since; `unknown`: no row of it.',
    ),
    now: say.instant("The instant of the answer, by the database's clock."),
    history: say.list(
      say.named('HistoryRow', 'One operation on the order, and what it came to.', entry.always, {
        ...entry.maybe,
        refusals: say.list(
          refusal,
          `How each of them stood: of the newest ${REFUSALS_TOLD_MAX} refused checks.`,
        ),
        frozen: say.list(frozenThen, 'Of those, the subjects that were frozen.'),
      }),
      'The newest, oldest first.',
      AUDIT_ROWS_MAX,
    ),
  },
  {
    amount: say.sum('Held, counted, given back or refused, in minor units.'),
    refunded: say.sum('Of what was counted, in minor units.'),
    currency: say.text('Of the check.'),
    subjects: subjects(),
    reservation: say.text('While it is held or expired.'),
    holdExpiresAt: say.instant('While it is held or expired.'),
  },
);
