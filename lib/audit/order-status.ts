import type { AuditRow, AuditStore } from './audit.ts';
import { errorOf } from '../shared/errors.ts';
import { rowsInOrder } from './audit.ts';
import { asChecked, isLater } from './checked.ts';
import { AUDIT_ROWS_MAX } from '../shared/bounds.ts';
import type { Context } from '../limits/context.ts';
import type { OrderName, Subjects } from '../shared/request.ts';
import { ORDER_STATES } from '../../contract/status.ts';

type OrderState = (typeof ORDER_STATES)[number];

/** How an order stands. Amounts are minor units. */
export type OrderStatus = {
  readonly orderId: string;
  readonly state: OrderState;
  readonly amountMinor?: number | undefined;
  readonly refundedMinor?: number | undefined;
  readonly currency?: string | undefined;
  readonly subjects?: Subjects | undefined;
  /** While the order is held or expired. */
  readonly reservation?: string | undefined;
  readonly holdExpiresAt?: Date | undefined;
  readonly now: Date;
  /** Oldest first, at most AUDIT_ROWS_MAX. */
  readonly history: readonly AuditRow[];
};

/** The row that says how an order stands: its last effect but a refund, or else its last refusal. */
export function decisiveRow(rows: readonly AuditRow[]): AuditRow | undefined {
  const effects = rows.filter(({ effective, outcome }) => effective && outcome !== 'refunded');
  // The row of a check may have been lost, and written by a repeat after the order had ended.
  const isEnd = ({ outcome }: AuditRow): boolean => outcome !== 'held';
  const ended = new Set(effects.filter(isEnd).map(({ nonce }) => nonce));
  const standing = effects.filter((row) => isEnd(row) || !ended.has(row.nonce));
  return standing.at(-1) ?? rows.findLast(({ outcome }) => outcome === 'refused');
}

/** A hold that expired has no row of its own. */
function checkedState({ outcome, holdExpiresAt, late }: AuditRow, now: Date): OrderState {
  if (outcome === 'confirmed') return late === true ? 'late' : 'confirmed';
  if (outcome !== 'held') return outcome === 'rolledBack' ? 'rolledBack' : 'refused';
  return holdExpiresAt !== undefined && holdExpiresAt <= now ? 'expired' : 'held';
}

/** @throws OrderAmbiguousError where orders of several homes have the id */
export async function status(
  { clock, at }: Pick<Context, 'clock' | 'at'>,
  store: AuditStore,
  order: OrderName,
): Promise<OrderStatus> {
  const { orderId } = order;
  const { rows: history, now: readAt } = await store.rowsOf(order);
  // Beyond the rows that are read there may be the one that counts.
  const effects = history.length < AUDIT_ROWS_MAX ? [] : (await store.effectsOf(order)).rows;
  const known = new Set(history.map(({ id }) => id));
  const rows = rowsInOrder([...history, ...effects.filter(({ id }) => !known.has(id))]);
  const done = rows.filter(({ effective }) => effective);
  refuseSeveralHomes(orderId, done);
  const now = at ?? readAt ?? clock.estimate();
  const row = decisiveRow(rows);
  if (row === undefined) return { orderId, state: 'unknown', now, history };
  const { amountMinor, holdExpiresAt } = row;
  const checks = done.filter((one) => !isLater(one));
  const refundedMinor = refundedOf(rows, row);
  const isWhole = refundedMinor !== undefined && refundedMinor >= (amountMinor ?? 0);
  const told = asChecked(row, checks);
  return {
    orderId,
    now,
    amountMinor,
    holdExpiresAt,
    history: history.map((one) => asChecked(one, checks)),
    state:
      refundedMinor === undefined
        ? checkedState(row, now)
        : isWhole
          ? 'refunded'
          : 'partlyRefunded',
    refundedMinor,
    subjects: told.subjects,
    currency: told.currency,
    reservation: row.outcome === 'held' ? row.reservation : undefined,
  };
}

/** The documents beside home in which the order of a row has shares, and until when as far as a row says. */
export function besideIn(rows: readonly AuditRow[], { nonce, documents: [home] }: AuditRow) {
  const own = rows.filter((row) => row.effective && row.nonce === nonce);
  const others = new Set(own.flatMap(({ documents }) => documents));
  if (home !== undefined) others.delete(home);
  const until = own.find(({ outcome }) => outcome === 'held')?.holdExpiresAt;
  return { others: [...others], until };
}

/** Sums up the refunds of the payment of a row, in minor units; undefined if there is none. A payment of 0 may have one. */
export function refundedOf(rows: readonly AuditRow[], { nonce }: AuditRow): number | undefined {
  const refunds = rows.filter((row) => row.outcome === 'refunded' && row.nonce === nonce);
  if (refunds.length === 0) return undefined;
  return refunds.reduce((sum, { amountMinor = 0 }) => sum + amountMinor, 0);
}

/**
 * An order is known in its home document alone, so that each home may have one under the same id.
 *
 * @param rows effects of the order: a home that has none among them is not seen
 * @throws OrderAmbiguousError that names the homes, the oldest first
 */
export function refuseSeveralHomes(orderId: string, rows: readonly AuditRow[]): void {
  const homes = new Set(rows.flatMap(({ documents: [home] }) => home ?? []));
  const [first, second, ...others] = homes;
  if (first !== undefined && second !== undefined)
    throw new OrderAmbiguousError(orderId, [first, second], others.length);
}

/** The call names an order by its id alone, and the audit has orders of several homes under it. */
export class OrderAmbiguousError extends errorOf(
  'ORDER_AMBIGUOUS',
  (orderId: string, homes: readonly [string, string], more: number) => {
    const named = homes.map((home) => JSON.stringify(home));
    const all = more === 0 ? named.join(' and ') : `${named.join(', ')} and ${more} more`;
    return `several orders have the id ${JSON.stringify(orderId)}, in the documents ${all}; nothing was changed. Send the subjects of yours, or its reservation`;
  },
) {}
