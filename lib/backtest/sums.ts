import type { PastRow } from './past-row.ts';
import type { Checks, Ends, RefusedChecks } from './result.ts';
import type { KnownTries } from './tries.ts';
import { noteTry, noTries } from './tries.ts';

/** Adds up checks. Plain data, as all sums are. */
export type CheckSum = { checks: number; amountMinor: number };

/** Adds up refused checks, with the tries of one order put together. */
export type RefusedSum = CheckSum & {
  orders: number;
  payments: number;
  readonly tries: KnownTries;
  readonly subjects: Set<string>;
};

/** Adds up how checks ended. */
export type EndSum = { readonly allowed: CheckSum; readonly refused: RefusedSum };

/** No checks. */
export function noChecks(): CheckSum {
  return { checks: 0, amountMinor: 0 };
}

/** None refused. */
export function noneRefused(): RefusedSum {
  return { ...noChecks(), orders: 0, payments: 0, tries: noTries(), subjects: new Set() };
}

/** None ended. */
export function noEnds(): EndSum {
  return { allowed: noChecks(), refused: noneRefused() };
}

/** Adds the check of a row. */
function addCheck(sum: CheckSum, { amountMinor = 0, askedMinor = amountMinor }: PastRow) {
  sum.checks += 1;
  sum.amountMinor += askedMinor;
}

/** Adds the refused check of a row. */
export function addRefused(sum: RefusedSum, row: PastRow): void {
  addCheck(sum, row);
  const { isOrder, isPayment } = noteTry(sum.tries, row);
  if (isOrder) sum.orders += 1;
  if (isPayment) sum.payments += 1;
  sum.subjects.add(row.documents[0] ?? '');
}

/** Adds the end of a check. */
export function addEnd({ allowed, refused }: EndSum, row: PastRow, isAllowed: boolean): void {
  if (isAllowed) addCheck(allowed, row);
  else addRefused(refused, row);
}

/** How a sum is told. */
export function checksIn({ checks, amountMinor }: CheckSum): Checks {
  return { checks, amount: amountMinor };
}

/** How a sum of refused checks is told. */
export function refusedIn({ orders, payments, subjects, ...sum }: RefusedSum): RefusedChecks {
  return { ...checksIn(sum), orders, payments, subjects: subjects.size };
}

/** How ends are told. */
export function endsIn({ allowed, refused }: EndSum): Ends {
  return { allowed: checksIn(allowed), refused: refusedIn(refused) };
}
