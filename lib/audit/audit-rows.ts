import type { Approved, CheckAnswer, RecordAnswer } from '../limits/answer.ts';
import type { AuditRow } from './audit.ts';
import { EFFECTS } from './audit.ts';
import { recordDigest } from '../shared/digest.ts';
import { HeadroomError } from '../shared/errors.ts';
import type { SettledState } from '../shared/states.ts';
import { CONFIRMED, ENDED_BY } from '../shared/states.ts';
import { isOutcome } from '../document/document.ts';
import type { Context, Told, ToldSettlement } from '../limits/context.ts';
import type {
  CheckRequest,
  OrderName,
  RecordRequest,
  SettlementRequest,
  Subjects,
  Whereabouts,
} from '../shared/request.ts';
import { refusedBy } from '../limits/report.ts';
import { readReservation } from '../limits/reservation.ts';
import { present } from '../shared/present.ts';
import { joinParts } from '../shared/subject.ts';
import { refusalsIn } from '../http/refusal.ts';
import type { OrderTrace } from '../limits/order-trace.ts';

/** The code of what nobody decided. */
const UNDECIDED = 'UNDECIDED';

/** What a check or a record says of its payment. */
function paymentIn({
  type,
  subjects,
  attributes,
  amountMinor,
  count,
  currency,
  proofs,
}: CheckRequest | RecordRequest) {
  return { type, subjects, attributes, amountMinor, count, currency, proofs };
}

/** Undefined after a dry run or a fault. */
export function checkRow(
  context: Context,
  request: CheckRequest,
  { result, trace: tracing, approval }: Told<CheckAnswer>,
  isAtomic = false,
): AuditRow | undefined {
  const trace = tracing?.();
  if (request.dryRun || trace === undefined) return undefined;
  const { amountMinor, leastMinor: asksAtLeast, holdMs, capture } = request;
  const atomic = isAtomic ? (true as const) : undefined;
  const asked = { ...paymentIn(request), atomic, leastMinor: asksAtLeast };
  const unheld = capture ? { capture: true as const } : { holdSeconds: holdMs / 1_000 };
  if (result.kind === 'failed') {
    const told = { ...asked, ...unheld, ...approvalIn(approval) };
    return errorRow(context, request, 'check', result.error, told, trace);
  }
  const { answer } = result;
  switch (answer.kind) {
    case 'undecided':
      return undefined;
    case 'refused': {
      const row = rowOf(context, request, 'check', 'refused', trace);
      const { reason, challenges, rules, leastMinor } = answer;
      const least = leastMinor !== undefined && {
        amountMinor: leastMinor,
        askedMinor: amountMinor,
      };
      const refusals = refusalsIn(rules);
      return {
        ...row,
        ...asked,
        ...unheld,
        ...least,
        violations: refusedBy(rules),
        refusals: refusals.length === 0 ? undefined : refusals,
        challenges,
        reason: reason === 'no-rule' || reason === 'frozen' ? reason : undefined,
        proposal: answer.review?.proposal,
        // Without who froze it.
        frozen: answer.frozen?.map(({ kind, id, freeze: { reason: why, until } }) =>
          present({ kind, id, reason: why, until }),
        ),
      };
    }
    case 'allowed': {
      const { state, reservation, holdExpiresAt } = answer;
      if (state === 'none') return undefined;
      // An order that was confirmed since may have another amount.
      const part = answer.part && { askedMinor: answer.part.asked, amountBy: answer.part.amountBy };
      const counted = { amountMinor: trace.entry?.amount ?? amountMinor, ...part };
      // It may have been refunded since.
      const outcome = state === 'held' ? 'held' : 'confirmed';
      const row = rowOf(context, request, 'check', outcome, trace);
      // By it a repeat is known that comes when home has forgotten the order.
      const digest = outcome === 'confirmed' ? trace.entry?.digest : undefined;
      const approved = approvalIn(answer.approval);
      return { reservation, holdExpiresAt, digest, ...row, ...asked, ...counted, ...approved };
    }
  }
}

function approvalIn(approval: Approved | undefined) {
  return { proposal: approval?.proposal, approvedBy: approval?.by };
}

/** Of a check that passes though nobody decided it. What was held of it, if anything, is not known. */
export function undecidedRow(context: Context, request: CheckRequest): AuditRow {
  const trace = { documents: [], changed: false, shares: [] };
  return { ...rowOf(context, request, 'check', UNDECIDED, trace), ...paymentIn(request) };
}

/** Undefined after a fault. */
export function recordRow(
  context: Context,
  request: RecordRequest,
  { result, trace: tracing }: Told<RecordAnswer>,
): AuditRow | undefined {
  const trace = tracing?.();
  if (trace === undefined) return undefined;
  const { happenedAt, ending = CONFIRMED } = request;
  const { to, reasonCode } = ending;
  const asked = { ...paymentIn(request), happenedAt, reasonCode };
  if (result.kind === 'failed')
    return errorRow(context, request, 'record', result.error, asked, trace);
  const row = rowOf(context, request, 'record', to, trace);
  return { digest: recordDigest(request), ...row, ...asked };
}

/** None after a fault. Two where it was refused, and counted in other documents what home has counted. */
export function settlementRows(
  context: Context,
  request: SettlementRequest,
  { result, trace: tracing, whereabouts }: ToldSettlement,
): readonly AuditRow[] {
  const trace = tracing?.();
  if (trace === undefined) return [];
  const { to, amountMinor, reason } = request;
  const operation = ENDED_BY[to];
  const asked = { subjects: subjectsOf(whereabouts), amountMinor, reason };
  const { entry, changed, shares } = trace;
  // If the row of a record is lost, that of a confirm that found it says by which content it is known again.
  const isFound = !changed && entry !== undefined && isOutcome(entry);
  const isRecord = isFound && (entry.state === 'confirmed' || entry.at !== undefined);
  const digest = isRecord ? entry.digest : undefined;
  // The first of a repeated rollback stands.
  const told = entry !== undefined && isOutcome(entry) ? entry.reasonCode : request.reasonCode;
  const rowAs = (outcome: SettledState): AuditRow => ({
    ...rowOf(context, request, ENDED_BY[outcome], outcome, trace),
    ...asked,
    count: entry?.count,
  });
  if (result.kind === 'failed') {
    const row = errorRow(context, request, operation, result.error, asked, trace);
    if (row === undefined) return [];
    if (entry === undefined || !('late' in entry) || shares.length === 0) return [row];
    return [{ ...rowAs('confirmed'), amountMinor: entry.amount, digest, late: entry.late }, row];
  }
  const { answer } = result;
  if (answer.state === 'rolledBack')
    return [{ ...rowAs(to), amountMinor: entry?.amount ?? amountMinor, digest, reasonCode: told }];
  return [{ ...rowAs(to), amountMinor: answer.amount, digest, late: answer.late }];
}

function subjectsOf(whereabouts: Whereabouts): Subjects {
  switch (whereabouts.kind) {
    case 'subjects':
      return whereabouts.subjects;
    case 'reservation':
      return readReservation(whereabouts.token)?.subjects ?? {};
    case 'recorded':
      return {};
  }
}

/** Errors that say how things stand with the order; others say only that a call went wrong. */
const TELLING: ReadonlySet<string> = new Set([
  'NOT_FOUND',
  'FORGOTTEN',
  'ORDER_REUSED',
  'ALREADY_CONFIRMED',
  'ALREADY_ROLLED_BACK',
  'RESERVATION_REPLACED',
  'NOT_ALL_ALLOWED',
  'NOT_CONFIRMED',
  'REFUND_TOO_LARGE',
  'REFUND_REUSED',
  'TOO_MANY_REFUNDS',
  'NOT_RECORDED',
  'TOO_MANY_OPEN_HOLDS',
  'TOO_MANY_BUCKETS',
  'COUNTER_FULL',
  'TOO_MANY_RULES',
  'INCOMPLETE_ORDER',
]);

/** Undefined where the error tells nothing of the order. */
export function errorRow(
  context: Context,
  order: OrderName,
  operation: AuditRow['operation'],
  error: unknown,
  asked: Partial<AuditRow>,
  trace: OrderTrace,
): AuditRow | undefined {
  if (!(error instanceof HeadroomError) || !TELLING.has(error.code)) return undefined;
  return { ...rowOf(context, order, operation, error.code, trace), ...asked };
}

/** The id of an effect comes from the hold, so a repeat finds its row written; other rows are written again. */
function rowOf(
  { clock, nonce: nextNonce, requestId }: Context,
  { appId, orderId }: OrderName,
  operation: AuditRow['operation'],
  outcome: string,
  { now, entry, documents, writes, rules, shares, changed }: OrderTrace,
): AuditRow {
  const effective = EFFECTS.includes(outcome);
  const nonce = (effective ? entry?.nonce : undefined) ?? nextNonce();
  return {
    id: joinParts([appId, orderId, nonce, outcome]),
    appId,
    orderId,
    operation,
    outcome,
    effective,
    at: now ?? clock.estimate(),
    requestId,
    subjects: {},
    rules,
    violations: [],
    documents,
    q: effective && !changed ? undefined : writes,
    shares: effective ? shares : [],
    nonce: effective ? nonce : undefined,
    repeated: effective && !changed ? true : undefined,
  };
}
