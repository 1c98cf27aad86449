import type { AuditRow } from './audit.ts';
import type { ReadRows } from './read-together.ts';
import type { OrderAtHome } from '../shared/request.ts';
import type { ConfirmAnswer } from '../limits/answer.ts';
import { UndecidedError } from '../shared/errors.ts';
import { decisiveRow, refundedOf } from './order-status.ts';

/** `refunded` is null where rows cannot be read, for a repeat must not fail by it. */
type Meanwhile = Pick<ConfirmAnswer, 'state' | 'refunded' | 'remaining' | 'uncounted'>;

/**
 * Reads from rows what a repeat of a counted payment is told: its refunds since, and the documents that may not
 * count it. A document that has let go of shares cannot tell whether it counted one before; the first answer could.
 *
 * @param uncounted as documents have it
 */
export async function sinceFirst(
  read: ReadRows,
  order: OrderAtHome,
  amountMinor: number,
  uncounted: readonly string[] | undefined,
): Promise<Meanwhile> {
  const asTold = { state: 'confirmed', uncounted } as const;
  try {
    const { rows } = await read(order);
    const row = decisiveRow(rows);
    const isFirst = row?.outcome === 'confirmed' && row.repeated !== true;
    return {
      ...countedSince(rows, amountMinor),
      uncounted: isFirst ? uncountedBy(row) : uncounted,
    };
  } catch (error) {
    if (error instanceof UndecidedError) return { ...asTold, refunded: null };
    throw error;
  }
}

/** The documents beside home in which the call of a row counted nothing: their shares had to go before. */
export function uncountedBy({ documents, shares }: AuditRow): ConfirmAnswer['uncounted'] {
  const counted = new Set(shares.map(({ document }) => document));
  const uncounted = documents.slice(1).filter((document) => !counted.has(document));
  return uncounted.length === 0 ? undefined : uncounted;
}

/** How a counted payment stands by now, as its refunds have it. @param rows of one home */
export function countedSince(rows: readonly AuditRow[], amountMinor: number) {
  const row = decisiveRow(rows);
  const refunded = row && refundedOf(rows, row);
  if (refunded === undefined) return { state: 'confirmed' } as const;
  return refundsTold(refunded, amountMinor - refunded);
}

/** Says how a payment stands that was refunded, in minor units. */
export function refundsTold(refunded: number, remaining: number) {
  return { state: remaining > 0 ? 'partlyRefunded' : 'refunded', refunded, remaining } as const;
}
