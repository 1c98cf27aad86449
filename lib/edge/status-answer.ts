import type { AuditRow } from '../domain/audit.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import type { JsonObject } from './answers.ts';

/** Writes what `status` answers. Amounts are minor units, instants RFC 3339 in UTC. */
export function statusAnswerJson(status: OrderStatus): JsonObject {
  const { orderId, state, amountMinor, refundedMinor, currency, subjects } = status;
  const { reservation, holdExpiresAt } = status;
  return {
    orderId,
    state,
    ...given({ amount: amountMinor, refunded: refundedMinor, currency, subjects, reservation }),
    ...(holdExpiresAt === undefined ? {} : { holdExpiresAt: holdExpiresAt.toISOString() }),
    now: status.now.toISOString(),
    history: status.history.map(rowJson),
  };
}

function rowJson(row: AuditRow): JsonObject {
  const { operation, outcome, refundId, amountMinor, count, currency } = row;
  const { violations, late, reason, requestId } = row;
  return {
    at: row.at.toISOString(),
    operation,
    outcome,
    ...given({ refundId, amount: amountMinor, count, currency, late, reason, requestId }),
    ...(violations.length === 0 ? {} : { violations }),
  };
}

/** Leaves out what is not given. */
function given(fields: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const present: Record<string, JsonObject[string]> = {};
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) present[name] = value;
  return present;
}
