import * as z from 'zod/mini';
import { patternText, text } from '../schema/fields.ts';
import { requestSchema } from '../http/requests.ts';
import { component } from '../schema/said.ts';
import { language } from '../http/sentences/language.ts';
import type * as told from '../../contract/status.ts';
import type { Told } from '../../contract/words.ts';
import type { AuditRow } from './audit.ts';
import type { OrderStatus } from './order-status.ts';
import { REFUSALS_TOLD_MAX } from '../shared/bounds.ts';
import { refusalJson } from '../http/refusal-answer.ts';
import { untilJson } from '../http/standing-answer.ts';
import { present } from '../shared/present.ts';
import type { Language } from '../shared/language.ts';
import { frozenSentence } from '../http/sentences/refusal-sentence.ts';
import { APP_ID_PATTERN } from '../http/app.ts';

/** The request for `status`. */
export const statusSchema = component(
  'StatusRequest',
  requestSchema({
    orderId: text(
      'The order, percent-encoded in a path: `o 1` is `o%201`. For an id of `.` or `..`, invoke the function directly, because URLs lose it.',
    ),
    app: z.optional(
      patternText(
        APP_ID_PATTERN,
        'an application: 1 to 64 lower-case letters, digits and hyphens',
        'The application that owns the order. Default: your own. Another one needs the right `usage:read`.',
      ),
    ),
    language: language(),
  }),
);

/** Writes what `status` answers. Amounts are minor units, instants RFC 3339 in UTC. */
export function statusAnswerJson(
  status: OrderStatus,
  language: Language,
): Told<typeof told.statusAnswer> {
  const { orderId, state, amountMinor, refundedMinor, currency, subjects, reservation } = status;
  const refused = status.history.filter(({ outcome }) => outcome === 'refused');
  const explained = new Set(refused.slice(-REFUSALS_TOLD_MAX));
  return {
    orderId,
    state,
    amount: amountMinor,
    refunded: refundedMinor,
    currency,
    subjects,
    reservation,
    holdExpiresAt: status.holdExpiresAt,
    now: status.now,
    history: status.history.map((row) => ({
      ...rowJson(row),
      ...(explained.has(row) ? whyJson(row, language) : {}),
    })),
  };
}

/** Writes one operation on an order, and what it came to. */
export function rowJson(row: AuditRow) {
  const { operation, outcome, refundId, amountMinor, askedMinor, amountBy, count, currency } = row;
  const { violations, late, reason, reasonCode, requestId, happenedAt, proofs, challenges } = row;
  const { proposal, approvedBy } = row;
  return {
    at: row.at,
    operation,
    outcome,
    refundId,
    amount: amountMinor,
    asked: askedMinor,
    amountBy,
    count,
    currency,
    late,
    reason,
    reasonCode,
    requestId,
    happenedAt,
    violations: violations.length === 0 ? undefined : violations,
    proofs,
    challenges,
    proposal,
    approvedBy,
  };
}

/** Why a check was refused, in figures and in sentences; nothing of a row that does not say. */
export function whyJson(row: AuditRow, language: Language) {
  const { refusals, frozen, amountMinor, count } = row;
  return {
    refusals: refusals?.map((refusal) =>
      refusalJson(refusal, present({ amountMinor, count }), language),
    ),
    frozen: frozen?.map((one) => ({
      subjects: { [one.kind]: one.id },
      reason: one.reason,
      until: untilJson(one),
      sentence: frozenSentence(one, language),
    })),
  };
}
