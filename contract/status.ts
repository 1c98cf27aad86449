import { usedQuantity } from './ends.ts';
import { AUDIT_ROWS_MAX, REFUSALS_TOLD_MAX } from '../lib/shared/bounds.ts';
import { subjects } from '../lib/schema/fields.ts';
import { called } from '../lib/schema/said.ts';
import { min, override, quantity, ruleId, ruleIds } from './standings.ts';
import { actor } from './terms.ts';
import { ruleWindow } from './windows.ts';
import * as say from './words.ts';

/** `late` was confirmed after its hold had expired; `expired` may still be; of `unknown` no row says. */
export const ORDER_STATES = [
  'held',
  'expired',
  'confirmed',
  'late',
  'partlyRefunded',
  'refunded',
  'rolledBack',
  'refused',
  'unknown',
] as const;

/** The answer of `status`, and how other answers show an order of the audit. */

/** How a rule stood that refused. */
export const refusal = say.named(
  'Refusal',
  'A rule that refused a check, as it was then. The rule may have changed since.',
  {
    rule: ruleId,
    sentence: say.text(
      'Why the rule refused, in the language of `Content-Language`, without a full stop.',
    ),
    outcome: say.oneOf(['exceeded', 'below-minimum'], 'Above `max`, or below `min`.'),
    window: ruleWindow,
    max: called(quantity, 'The maximum then. A sum that the rule did not limit is absent.'),
  },
  {
    version: say.sum('The version of the rule then: `GET /v1/rules/{id}/versions` lists it.'),
    currency: say.text('The currency, if the rule limits amounts.'),
    min,
    used: called(usedQuantity, 'Confirmed in this window then.'),
    held: called(quantity, 'Held in this window then.'),
    override: say.object("Present if `max` was the subject's own maximum instead of the rule's.", {
      ...override._zod.def.shape,
      until: say.nullable(say.instant('The end; null if nobody had set one.')),
    }),
  },
);

/** A subject that was frozen. */
export const frozenThen = say.named('FrozenThen', 'A subject that was frozen then.', {
  subjects: subjects('The kind and id of the subject.'),
  reason: say.text('The reason given for the freeze.'),
  until: say.nullable(say.instant('The end; null if nobody had set one.')),
  sentence: say.text('A sentence in the language of `Content-Language`, without the reason.'),
});

/** The fields of one operation on an order. */
export const entry = {
  always: {
    at: say.instant('The time, by the clock of the database.'),
    operation: say.oneOf(['check', 'record', 'confirm', 'rollback', 'refund'], 'The operation.'),
    outcome: say.text(
      '`held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem.',
    ),
  },
  maybe: {
    refundId: say.text('The id of the refund.'),
    amount: say.sum('The amount asked for, counted or given back, in minor units.'),
    asked: say.sum(
      'A check with `partial`: the amount asked for. If it was refused, `amount` is the least that it takes.',
    ),
    amountBy: ruleIds('A check with `partial`: the rules that left least.'),
    count: say.sum('The count asked for or given back.'),
    currency: say.text('The currency of the order. Absent if its check has no row.'),
    late: say.flag('True if confirmed after the hold had expired.'),
    reason: say.text(
      'A rollback or refund: the reason given by the caller. A refused check: `no-rule` if no rule applied, `frozen` if a subject was frozen.',
    ),
    reasonCode: say.text('A rollback, or a record of a failure: its reason code.'),
    requestId: say.text('The `X-Request-Id` of the call.'),
    happenedAt: say.instant('A recorded payment: the time at which it happened.'),
    violations: ruleIds('The rules that refused.'),
    proofs: say.list(say.text('A proof.'), 'A check: the proofs that the payer had given.'),
    challenges: say.list(
      say.text('A proof.'),
      'The proofs with which a refused check would have passed.',
    ),
    proposal: say.text('A check that a second person decides, or decided: the proposal.'),
    approvedBy: called(actor, 'A check that a second person approved: who.'),
  },
} as const;

/** The answer of `status`. */
export const statusAnswer = say.named(
  'StatusAnswer',
  'The state of an order, and its history.',
  {
    orderId: say.text('The order.'),
    state: say.oneOf(
      ORDER_STATES,
      '`expired`: the hold expired, and a late confirm would still count. `late`: confirmed after the hold expired. `partlyRefunded`, `refunded`: counted, and refunded since. `unknown`: the audit has no row of it.',
    ),
    now: say.instant("The instant of the answer, by the database's clock."),
    history: say.list(
      say.named('HistoryRow', 'One operation on the order, and its outcome.', entry.always, {
        ...entry.maybe,
        refusals: say.list(
          refusal,
          `The rules that refused. Only the newest ${REFUSALS_TOLD_MAX} refused checks have them.`,
        ),
        frozen: say.list(
          frozenThen,
          'The frozen subjects. Only the newest refused checks have them.',
        ),
      }),
      'The newest rows, the oldest of them first.',
      AUDIT_ROWS_MAX,
    ),
  },
  {
    amount: say.sum('The amount held, counted, given back or refused, in minor units.'),
    refunded: say.sum('The sum of all refunds, in minor units.'),
    currency: say.text('The currency of the check.'),
    subjects: subjects(),
    reservation: say.text('Names the hold. Present while the order is held or expired.'),
    holdExpiresAt: say.instant(
      'The first instant at which the hold no longer counts. Present while the order is held or expired.',
    ),
  },
);
