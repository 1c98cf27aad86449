import type { CheckAnswer, RecordAnswer, SettlementAnswer } from '../limits/answer.ts';
import type { AuditOperation, AuditRow, Effect, Witness } from './audit.ts';
import { recordDigest } from '../shared/digest.ts';
import { HeadroomError } from '../shared/errors.ts';
import type { ManyResult } from '../limits/many.ts';
import type {
  CheckRequest,
  OrderName,
  RecordRequest,
  SettlementRequest,
  Subjects,
  Whereabouts,
} from '../shared/request.ts';
import { frozenThen, refusalsIn } from '../limits/refusal.ts';
import { refusedBy } from '../limits/report.ts';
import { readReservation } from '../limits/reservation.ts';
import { joinParts } from '../shared/subject.ts';

/** The row of a check; undefined where there is nothing to tell of the order: a dry run, a fault. */
export function checkRow(
  request: CheckRequest,
  ended: ManyResult<CheckAnswer>,
  witness: Witness,
): AuditRow | undefined {
  const { subjects, amountMinor, count, currency, type } = request;
  const asked = {
    ...(type === undefined ? {} : { type }),
    ...{ subjects, amountMinor, count, currency },
  };
  if (request.dryRun) return undefined;
  if (ended.kind === 'failed') return errorRow(request, 'check', ended.error, asked, witness);
  const { answer } = ended;
  switch (answer.kind) {
    case 'undecided':
      return undefined;
    case 'refused': {
      const row = lastingRow(request, 'check', 'refused', witness);
      return { ...row, ...asked, ...whyRefused(answer) };
    }
    case 'allowed': {
      const { state, reservation, holdExpiresAt } = answer;
      if (state === 'none') return undefined;
      const given = {
        ...(reservation === undefined ? {} : { reservation }),
        ...(holdExpiresAt === undefined ? {} : { holdExpiresAt }),
      };
      // An order that was confirmed since may have another amount.
      const counted = { amountMinor: witness.trace.entry?.amount ?? amountMinor };
      return { ...effectRow(request, 'check', state, witness), ...asked, ...counted, ...given };
    }
  }
}

function whyRefused({
  reason,
  rules,
  frozen,
}: Extract<CheckAnswer, { kind: 'refused' }>): Partial<AuditRow> {
  const refusals = refusalsIn(rules);
  return {
    violations: refusedBy(rules),
    ...(refusals.length === 0 ? {} : { refusals }),
    ...(reason === 'rule' ? {} : { reason }),
    ...(frozen === undefined ? {} : { frozen: frozenThen(frozen) }),
  };
}

/** The row of a record; undefined where there is nothing to tell of the order: a fault. */
export function recordRow(
  request: RecordRequest,
  ended: ManyResult<RecordAnswer>,
  witness: Witness,
): AuditRow | undefined {
  const { subjects, amountMinor, count, currency, type, happenedAt } = request;
  const asked = {
    ...(type === undefined ? {} : { type }),
    ...{ subjects, amountMinor, count, currency, happenedAt },
  };
  if (ended.kind === 'failed') return errorRow(request, 'record', ended.error, asked, witness);
  const effect = effectRow(request, 'record', 'confirmed', witness);
  return { ...effect, ...asked, digest: recordDigest(request) };
}

/** The row of a settlement; undefined where there is nothing to tell of the order. */
export function settlementRow(
  request: SettlementRequest,
  ended: ManyResult<SettlementAnswer>,
  witness: Witness,
): AuditRow | undefined {
  const { to, amountMinor, reason } = request;
  const subjects = subjectsOf(request.whereabouts);
  const operation = to === 'confirmed' ? 'confirm' : 'rollback';
  const asked = {
    subjects,
    ...(amountMinor === undefined ? {} : { amountMinor }),
    ...(reason === undefined ? {} : { reason }),
  };
  if (ended.kind === 'failed') return errorRow(request, operation, ended.error, asked, witness);
  const { answer } = ended;
  const effect = effectRow(request, operation, to, witness);
  if (answer.kind === 'confirmed')
    return {
      ...{ ...effect, ...asked, amountMinor: answer.amountMinor },
      ...{ ...countOf(witness), ...digestOf(witness), late: answer.late },
    };
  const given = witness.trace.entry?.amount;
  const amount = given === undefined ? {} : { amountMinor: given };
  return { ...effect, ...asked, ...amount, ...countOf(witness) };
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

/** The row of a record may be lost: then that of a confirm that found it says by which content it is known again. */
function digestOf({ trace: { changed, entry } }: Witness): { readonly digest?: string } {
  return changed || entry?.state !== 'confirmed' ? {} : { digest: entry.digest };
}

function countOf({ trace }: Witness): { readonly count?: number } {
  return trace.entry === undefined ? {} : { count: trace.entry.count };
}

/** Errors that say how things stand with the order; others say only that a call went wrong. */
const TELLING: ReadonlySet<string> = new Set([
  ...['NOT_FOUND', 'FORGOTTEN', 'ORDER_REUSED', 'ALREADY_CONFIRMED', 'ALREADY_ROLLED_BACK'],
  ...['RESERVATION_REPLACED', 'NOT_ALL_ALLOWED'],
  ...['NOT_CONFIRMED', 'REFUND_TOO_LARGE', 'REFUND_REUSED', 'TOO_MANY_REFUNDS', 'NOT_RECORDED'],
  ...['TOO_MANY_OPEN_HOLDS', 'TOO_MANY_BUCKETS', 'COUNTER_FULL', 'TOO_MANY_RULES'],
]);

/** The row of an error; undefined where it tells nothing of the order. */
export function errorRow(
  order: OrderName,
  operation: AuditOperation,
  error: unknown,
  asked: Partial<AuditRow>,
  witness: Witness,
): AuditRow | undefined {
  if (!(error instanceof HeadroomError) || !TELLING.has(error.code)) return undefined;
  return { ...lastingRow(order, operation, error.code, witness), ...asked };
}

/** A row that every call writes again. */
function lastingRow(
  order: OrderName,
  operation: AuditOperation,
  outcome: string,
  witness: Witness,
): AuditRow {
  const id = joinParts([order.appId, order.orderId, witness.nonce, outcome]);
  return { ...commonRow(order, operation, witness), id, outcome, effective: false, shares: [] };
}

/** A row whose id comes from the hold, so that a repeat finds it written. */
function effectRow(
  order: OrderName,
  operation: AuditOperation,
  outcome: Effect,
  witness: Witness,
): AuditRow {
  const { entry, shares, changed } = witness.trace;
  const nonce = entry?.nonce ?? witness.nonce;
  const id = joinParts([order.appId, order.orderId, nonce, outcome]);
  const row = { ...commonRow(order, operation, witness), id, outcome, effective: true };
  return { ...row, nonce, shares, ...(changed ? {} : { repeated: true }) };
}

function commonRow(
  { appId, orderId }: OrderName,
  operation: AuditOperation,
  { trace, estimate, requestId }: Witness,
): Omit<AuditRow, 'id' | 'outcome' | 'effective' | 'shares'> {
  return {
    ...{ appId, orderId, operation, at: trace.now ?? estimate, subjects: {}, violations: [] },
    documents: trace.documents,
    ...(requestId === undefined ? {} : { requestId }),
  };
}
