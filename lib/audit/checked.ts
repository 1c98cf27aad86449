import type { AuditRow } from './audit.ts';

/** The row of a check or a record, as far as it says what later rows of its order do not. */
export type CheckedRow = Pick<
  AuditRow,
  'appId' | 'orderId' | 'nonce' | 'documents' | 'at' | 'subjects' | 'currency'
>;

/** Operations whose rows say currency and all subjects. */
export const BEGINNINGS: readonly AuditRow['operation'][] = ['check', 'record'];

/** Whether a row is of a settlement or a refund: those know no currency, and may name some subjects or none. */
export function isLater({ operation }: Pick<AuditRow, 'operation'>): boolean {
  return !BEGINNINGS.includes(operation);
}

/**
 * Gives a settlement or refund the currency and the subjects of its check.
 *
 * One that changed nothing does not name the payment by a nonce. It gets those of the last check before it
 * at the same home.
 *
 * @param checks effects of `BEGINNINGS`, among them those of the row's order
 */
export function asChecked(row: AuditRow, checks: readonly CheckedRow[]): AuditRow {
  if (!isLater(row)) return row;
  const { appId, orderId, nonce, documents, at } = row;
  const own = checks.filter(
    (check) =>
      check.appId === appId &&
      check.orderId === orderId &&
      (nonce === undefined
        ? check.documents[0] === documents[0] && check.at <= at
        : check.nonce === nonce),
  );
  const last = own.toSorted((one, other) => one.at.getTime() - other.at.getTime()).at(-1);
  return last === undefined ? row : { ...row, subjects: last.subjects, currency: last.currency };
}
