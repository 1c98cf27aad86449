import type { AuditRow } from '../domain/audit.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import { REFUSALS_TOLD_MAX } from '../domain/bounds.ts';
import type { FrozenThen, Refusal } from '../domain/refusal.ts';
import type { JsonObject } from './answers.ts';
import { quantityJson, untilJson, windowJson } from './answers.ts';
import type { Language } from './sentences/language.ts';
import { frozenSentence, refusalSentence } from './sentences/refusal-sentence.ts';

/** Writes what `status` answers. Amounts are minor units, instants RFC 3339 in UTC. */
export function statusAnswerJson(status: OrderStatus, language: Language): JsonObject {
  const { orderId, state, amountMinor, refundedMinor, currency, subjects } = status;
  const { reservation, holdExpiresAt } = status;
  const refused = status.history.filter(({ outcome }) => outcome === 'refused');
  const told = new Set(refused.slice(-REFUSALS_TOLD_MAX));
  return {
    orderId,
    state,
    ...given({ amount: amountMinor, refunded: refundedMinor, currency, subjects, reservation }),
    ...(holdExpiresAt === undefined ? {} : { holdExpiresAt: holdExpiresAt.toISOString() }),
    now: status.now.toISOString(),
    history: status.history.map((row) => ({
      ...rowJson(row),
      ...(told.has(row) ? whyJson(row, language) : {}),
    })),
  };
}

/** Writes one operation on an order, and what it came to. */
export function rowJson(row: AuditRow): JsonObject {
  const { operation, outcome, refundId, amountMinor, count, currency } = row;
  const { violations, late, reason, requestId, happenedAt } = row;
  return {
    at: row.at.toISOString(),
    operation,
    outcome,
    ...given({ refundId, amount: amountMinor, count, currency, late, reason, requestId }),
    ...(happenedAt === undefined ? {} : { happenedAt: happenedAt.toISOString() }),
    ...(violations.length === 0 ? {} : { violations }),
  };
}

/** Why a check was refused, in figures and in sentences; nothing of a row that does not say. */
export function whyJson(row: AuditRow, language: Language): JsonObject {
  const { refusals, frozen } = row;
  return {
    ...(refusals === undefined
      ? {}
      : { refusals: refusals.map((refusal) => refusalJson(refusal, row, language)) }),
    ...(frozen === undefined ? {} : { frozen: frozen.map((one) => frozenJson(one, language)) }),
  };
}

function refusalJson(refusal: Refusal, asked: AuditRow, language: Language): JsonObject {
  const { rule, version, outcome, currency, window, period } = refusal;
  const { min, max, used, held, override } = refusal;
  const quantity = (given: Refusal['min']) => given && quantityJson(given);
  return {
    rule,
    sentence: refusalSentence(refusal, asked, language),
    outcome,
    window: windowJson(window, period),
    max: quantityJson(max),
    ...given({ version, currency, min: quantity(min), used: quantity(used), held: quantity(held) }),
    ...(override === undefined
      ? {}
      : {
          override: {
            reason: override.reason,
            until: untilJson(override),
            own: quantityJson(override.own),
          },
        }),
  };
}

function frozenJson(frozen: FrozenThen, language: Language): JsonObject {
  const { kind, id, reason } = frozen;
  const until = untilJson(frozen);
  return { subjects: { [kind]: id }, reason, until, sentence: frozenSentence(frozen, language) };
}

/** Leaves out what is not given. */
function given(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const present: Record<string, JsonObject[string]> = {};
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) present[name] = value;
  return present;
}
