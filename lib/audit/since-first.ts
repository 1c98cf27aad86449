import type { AuditRow, AuditStore } from './audit.ts';
import type { Shown } from '../limits/attempt.ts';
import type { OrderName } from '../shared/request.ts';
import type { Refunds } from '../limits/answer.ts';
import { UndecidedError } from '../shared/errors.ts';
import { decisiveRow, refundedOf } from './order-status.ts';

/** `refunds` is null where rows cannot be read, for a repeat must not fail by it. */
type Since = Pick<Shown, 'uncounted'> & { readonly refunds?: Refunds | null };

/**
 * Reads from rows what a repeat of a counted payment is told: its refunds since, and the documents that may not
 * count it. A document that has let go of shares cannot tell whether it counted one before; the first answer could.
 *
 * @param uncounted as documents have it
 */
export async function sinceFirst(
  store: AuditStore,
  order: OrderName,
  home: string | undefined,
  amountMinor: number,
  uncounted: readonly string[] | undefined,
): Promise<Since> {
  const asTold = uncounted === undefined ? {} : { uncounted };
  if (home === undefined) return asTold;
  try {
    const { rows } = await store.effectsOf(order, home);
    const refunds = refundsIn(rows, amountMinor);
    const row = decisiveRow(rows);
    const isFirst = row?.outcome === 'confirmed' && row.repeated !== true;
    return { ...(isFirst ? uncountedBy(row) : asTold), ...(refunds && { refunds }) };
  } catch (error) {
    if (error instanceof UndecidedError) return { ...asTold, refunds: null };
    throw error;
  }
}

/** The documents beside home in which the call of a row counted nothing: their shares had to go before. */
export function uncountedBy({ documents, shares }: AuditRow): Pick<Shown, 'uncounted'> {
  const counted = new Set(shares.map(({ document }) => document));
  const uncounted = documents.slice(1).filter((document) => !counted.has(document));
  return uncounted.length === 0 ? {} : { uncounted };
}

/** @param rows of one home */
export function refundsIn(rows: readonly AuditRow[], amountMinor: number): Refunds | undefined {
  const row = decisiveRow(rows);
  const refundedMinor = row && refundedOf(rows, row);
  if (refundedMinor === undefined) return undefined;
  return { refundedMinor, remainingMinor: amountMinor - refundedMinor };
}
