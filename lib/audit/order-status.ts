import type { AuditRow } from './audit.ts';
import { present } from '../shared/present.ts';
import type { Subjects } from '../shared/request.ts';

/**
 * How an order stands. `late` is confirmed after its hold had expired, until something of it is refunded;
 * `expired` may still be confirmed; of `unknown` the audit has no row that says.
 */
export type OrderState =
  | 'held'
  | 'expired'
  | 'confirmed'
  | 'late'
  | 'partlyRefunded'
  | 'refunded'
  | 'rolledBack'
  | 'refused'
  | 'unknown';

/** What the audit says of an order. */
export type OrderStatus = {
  readonly orderId: string;
  readonly state: OrderState;
  /** Held, counted, given back or refused, in minor units. */
  readonly amountMinor?: number;
  /** Of what was counted, in minor units; absent where nothing was refunded. */
  readonly refundedMinor?: number;
  readonly currency?: string;
  readonly subjects?: Subjects;
  /** While the order is held or expired. */
  readonly reservation?: string;
  readonly holdExpiresAt?: Date;
  readonly now: Date;
  /** Oldest first, at most AUDIT_ROWS_MAX. */
  readonly history: readonly AuditRow[];
};

/**
 * The row that says how an order stands: its last effect, or else its last refusal. A refund changes
 * nothing about that.
 *
 * @param rows oldest first
 */
export function decisiveRow(rows: readonly AuditRow[]): AuditRow | undefined {
  const effects = rows.filter(({ effective, outcome }) => effective && outcome !== 'refunded');
  // The row of a check may have been lost, and written by a repeat after the order had ended.
  const ended = new Set(effects.filter(isEnd).map(({ nonce }) => nonce));
  const standing = effects.filter((row) => isEnd(row) || !ended.has(row.nonce));
  return standing.at(-1) ?? rows.findLast(({ outcome }) => outcome === 'refused');
}

function isEnd({ outcome }: AuditRow): boolean {
  return outcome !== 'held';
}

/** How an order stands at an instant; a hold that expired has no row of its own. */
function stateOf(row: AuditRow | undefined, now: Date): OrderState {
  if (row === undefined) return 'unknown';
  switch (row.outcome) {
    case 'held':
      return row.holdExpiresAt !== undefined && row.holdExpiresAt <= now ? 'expired' : 'held';
    case 'confirmed':
      return row.late === true ? 'late' : 'confirmed';
    case 'rolledBack':
    case 'refused':
      return row.outcome;
    default:
      return 'unknown';
  }
}

/**
 * The status of an order, from its rows.
 *
 * @param rows oldest first, every effect among them
 * @param history the rows of the answer
 */
export function statusOf(
  orderId: string,
  rows: readonly AuditRow[],
  history: readonly AuditRow[],
  now: Date,
): OrderStatus {
  const row = decisiveRow(rows);
  const state = stateOf(row, now);
  const status = { orderId, state, now, history };
  if (row === undefined) return status;
  const check = rows.findLast(({ currency }) => currency !== undefined);
  const held = rows.find(
    ({ operation, effective, nonce }) => operation === 'check' && effective && nonce === row.nonce,
  );
  const { amountMinor, holdExpiresAt } = row;
  const refundedMinor = refundedOf(rows, row);
  const isWhole = refundedMinor >= (amountMinor ?? 0);
  return {
    ...status,
    ...(refundedMinor === 0
      ? {}
      : { state: isWhole ? 'refunded' : 'partlyRefunded', refundedMinor }),
    subjects: (held ?? row).subjects, // a settlement may name some of them
    ...present({
      ...{ amountMinor, currency: check?.currency, holdExpiresAt },
      reservation: row.outcome === 'held' ? row.reservation : undefined,
    }),
  };
}

/** What was refunded of the payment that a row tells of, in minor units. */
export function refundedOf(rows: readonly AuditRow[], { nonce }: AuditRow): number {
  return rows
    .filter((row) => row.outcome === 'refunded' && row.nonce === nonce)
    .reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
}
