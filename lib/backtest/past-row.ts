import type { AuditRow } from '../audit/audit.ts';
import { BEGINNINGS } from '../audit/checked.ts';
import { COUNTER_SUM_MAX, HOLD_SECONDS_DEFAULT } from '../shared/bounds.ts';
import type { CheckRequest, Passing, RecordRequest } from '../shared/request.ts';
import { isSettled } from '../shared/states.ts';
import type { Rule } from '../rule/rule.ts';

/** The fields of a row that a replay reads. */
export const PAST_FIELDS = [
  'id',
  'appId',
  'orderId',
  'operation',
  'outcome',
  'effective',
  'at',
  'requestId',
  'subjects',
  'type',
  'attributes',
  'amountMinor',
  'askedMinor',
  'leastMinor',
  'count',
  'currency',
  'violations',
  'proofs',
  'approvedBy',
  'happenedAt',
  'late',
  'reason',
  'reasonCode',
  'holdExpiresAt',
  'holdSeconds',
  'capture',
  'atomic',
  'rules',
  'nonce',
  'repeated',
  'lost',
  'documents',
  'q',
  'inCall',
  'shares',
] as const satisfies readonly (keyof AuditRow)[];

/** A row of the audit, as far as a replay reads it. */
export type PastRow = Pick<AuditRow, (typeof PAST_FIELDS)[number]>;

/** What decides about an order, and not about how it was named. */
const DECISIONS: ReadonlySet<string> = new Set([
  'held',
  'confirmed',
  'refused',
  'NOT_ALL_ALLOWED',
  'TOO_MANY_OPEN_HOLDS',
  'TOO_MANY_BUCKETS',
  'COUNTER_FULL',
  'TOO_MANY_RULES',
  'INCOMPLETE_ORDER',
]);

/** The outcome of a check that passed though nobody decided it. */
export const UNDECIDED = 'UNDECIDED';

/** Whether a row says what a check decided. That of a repeat tells of an earlier call. */
export function isDecision({ operation, outcome, repeated }: PastRow): boolean {
  return operation === 'check' && repeated !== true && DECISIONS.has(outcome);
}

/** Whether a row says that an order is held or counted from then on. */
export function isBeginning({ operation, effective }: PastRow): boolean {
  return effective && BEGINNINGS.includes(operation);
}

/** Whether a row needs what its order entered: it ends the order, or gives back. */
export function isAfter({ operation, effective }: PastRow): boolean {
  return effective && !BEGINNINGS.includes(operation);
}

/** The sum up to which an approved order passes: rows do not say it. */
const APPROVED_UP_TO = { amountMinor: COUNTER_SUM_MAX, count: COUNTER_SUM_MAX };

/**
 * The request of a check's row.
 *
 * @param rules of which those with a review let an order pass that was approved
 */
export function checkOf(row: PastRow, rules: readonly Rule[]): CheckRequest {
  const { askedMinor, amountMinor = 0, holdSeconds, holdExpiresAt, approvedBy } = row;
  // Rows from before the least was kept say it of a refused order. That of another is unknown: this amount it took.
  const least = askedMinor === undefined ? undefined : Math.max(1, amountMinor);
  const heldMs = holdExpiresAt && holdExpiresAt.getTime() - row.at.getTime();
  const passings = approvedBy && rules.flatMap(passingIn);
  const { appId, orderId, type, subjects, attributes = {}, proofs, currency = '', count = 1 } = row;
  return {
    appId,
    orderId,
    type,
    subjects,
    attributes,
    proofs,
    currency,
    count,
    amountMinor: askedMinor ?? amountMinor,
    leastMinor: row.leastMinor ?? least,
    holdMs: heldMs ?? (holdSeconds ?? HOLD_SECONDS_DEFAULT) * 1_000,
    capture: row.capture === true || row.outcome === 'confirmed',
    dryRun: false,
    passings,
  };
}

function passingIn({ id, version, onExceed }: Rule): readonly Passing[] {
  return onExceed === 'review' ? [{ rule: id, version, upTo: APPROVED_UP_TO }] : [];
}

/** The request of a record's row. */
export function recordOf(row: PastRow): RecordRequest {
  const { at, happenedAt = at, outcome, reasonCode } = row;
  const isFailure = isSettled(outcome) && outcome !== 'confirmed';
  return {
    ...pastPayment(row),
    happenedAt,
    ending: isFailure ? { to: outcome, reasonCode } : undefined,
  };
}

function pastPayment(row: PastRow) {
  const { appId, orderId, type, subjects, attributes = {}, proofs } = row;
  const { amountMinor = 0, currency = '', count = 1 } = row;
  return { appId, orderId, type, subjects, attributes, proofs, amountMinor, currency, count };
}
