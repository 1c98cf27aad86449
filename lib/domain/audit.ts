import type { CheckAnswer, ConfirmAnswer, RollbackAnswer } from './answer.ts';
import type { BucketReference, Entry } from './document.ts';
import { HeadroomError } from './errors.ts';
import type { ManyResult } from './many.ts';
import type { CheckRequest, OrderName, Subjects, Whereabouts } from './request.ts';
import { readReservation } from './reservation.ts';
import { joinParts } from './subject.ts';

/** What a row is about. */
export type AuditOperation = 'check' | 'confirm' | 'rollback';

/** What changed something: a hold, a payment counted (by check where it captures), a share given back. */
export type Effect = 'held' | 'confirmed' | 'rolledBack';

/** The buckets of one document that an order's share entered. */
export type RecordedShare = {
  readonly document: string;
  readonly buckets: readonly BucketReference[];
};

/**
 * One row of the audit: what one operation on one order came to. Rows are only ever added.
 *
 * A repeat has no row of its own, unless the first one's was lost.
 */
export type AuditRow = OrderName & {
  /** The same for the same effect, however often it is told; otherwise like no other. */
  readonly id: string;
  readonly operation: AuditOperation;
  /** An effect, `refused`, or the code of an error that tells something about the order. */
  readonly outcome: string;
  /** Whether the outcome is an effect. */
  readonly effective: boolean;
  /** The database's instant, of the last document that the operation saw. */
  readonly at: Date;
  /** The request by which the caller's side may find it. */
  readonly requestId?: string;
  /** Empty where the request did not say, and nothing was found. */
  readonly subjects: Subjects;
  readonly type?: string;
  /** Minor units: asked by a check, counted by a confirm, given back by a rollback. */
  readonly amountMinor?: number;
  readonly count?: number;
  /** Of a check: a settlement does not say it. */
  readonly currency?: string;
  /** Ids of the rules that refused. */
  readonly violations: readonly string[];
  /** A payment that was confirmed after its hold had expired. */
  readonly late?: boolean;
  /** Of a rollback, in the caller's words. */
  readonly reason?: string;
  /** What `check` gave the caller. */
  readonly reservation?: string;
  readonly holdExpiresAt?: Date;
  /** The call that made the hold. */
  readonly nonce?: string;
  /** The effect was there already: the row of the call that made it is missing, or its answer was. */
  readonly repeated?: true;
  /** Documents that it concerned, home first; empty where none was asked. */
  readonly documents: readonly string[];
  /** Home first. Of an effect only, and empty where a repeat tells of it. */
  readonly shares: readonly RecordedShare[];
};

/** What documents said of one order while a call ran. */
export type OrderTrace = {
  /** The instant of the last one that answered; undefined where none is there. */
  readonly now?: Date;
  /** What home knew of the order: after a check, before a settlement. */
  readonly entry?: Entry;
  /** Those that were asked, home first, and knew of the order or were to hold it. */
  readonly documents: readonly string[];
  /** Whether the call changed home, or only found what an earlier one had done. */
  readonly changed: boolean;
  /** What the call entered, or settled. */
  readonly shares: readonly RecordedShare[];
};

/** What rows need beside an order's own. */
export type Witness = {
  readonly trace: OrderTrace;
  /** Names a row that is no effect. */
  readonly nonce: string;
  /** The best idea of the database's clock, where no document told it. */
  readonly estimate: Date;
  readonly requestId?: string;
};

/** A settlement, as far as rows tell of it. */
export type RecordedSettlement = OrderName & {
  readonly whereabouts: Whereabouts;
  readonly amountMinor?: number;
  readonly reason?: string;
};

/** Rows in the order in which they happened; within a millisecond, a check before what ended it. */
export function inOrder(rows: readonly AuditRow[]): readonly AuditRow[] {
  const rank = ({ operation }: AuditRow): number => (operation === 'check' ? 0 : 1);
  return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || rank(a) - rank(b));
}

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
      const exceeded = answer.rules.filter(({ outcome }) => outcome === 'exceeded');
      const violations = exceeded.map(({ rule }) => rule.id);
      return { ...lastingRow(request, 'check', 'refused', witness), ...asked, violations };
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

/** The row of a confirm; undefined where there is nothing to tell of the order. */
export function confirmRow(
  request: RecordedSettlement,
  ended: ManyResult<ConfirmAnswer>,
  witness: Witness,
): AuditRow | undefined {
  const { amountMinor } = request;
  const asked = {
    subjects: subjectsOf(request.whereabouts),
    ...(amountMinor === undefined ? {} : { amountMinor }),
  };
  if (ended.kind === 'failed') return errorRow(request, 'confirm', ended.error, asked, witness);
  const { answer } = ended;
  const counted = { ...asked, amountMinor: answer.amountMinor, ...countOf(witness) };
  const row = effectRow(request, 'confirm', 'confirmed', witness);
  return { ...row, ...counted, late: answer.late };
}

/** The row of a rollback; undefined where there is nothing to tell of the order. */
export function rollbackRow(
  request: RecordedSettlement,
  ended: ManyResult<RollbackAnswer>,
  witness: Witness,
): AuditRow | undefined {
  const { reason } = request;
  const asked = {
    subjects: subjectsOf(request.whereabouts),
    ...(reason === undefined ? {} : { reason }),
  };
  if (ended.kind === 'failed') return errorRow(request, 'rollback', ended.error, asked, witness);
  const amountMinor = witness.trace.entry?.amount;
  const given = { ...(amountMinor === undefined ? {} : { amountMinor }), ...countOf(witness) };
  return { ...effectRow(request, 'rollback', 'rolledBack', witness), ...asked, ...given };
}

function subjectsOf(whereabouts: Whereabouts): Subjects {
  return whereabouts.kind === 'subjects'
    ? whereabouts.subjects
    : (readReservation(whereabouts.token)?.subjects ?? {});
}

function countOf({ trace }: Witness): { readonly count?: number } {
  return trace.entry === undefined ? {} : { count: trace.entry.count };
}

/** Errors that say how things stand with the order; others say only that a call went wrong. */
const TELLING: ReadonlySet<string> = new Set([
  ...['NOT_FOUND', 'FORGOTTEN', 'ORDER_REUSED', 'ALREADY_CONFIRMED', 'ALREADY_ROLLED_BACK'],
  ...['RESERVATION_REPLACED', 'NOT_ALL_ALLOWED'],
  ...['TOO_MANY_OPEN_HOLDS', 'TOO_MANY_BUCKETS', 'COUNTER_FULL', 'TOO_MANY_RULES'],
]);

function errorRow(
  order: OrderName,
  operation: AuditOperation,
  error: unknown,
  asked: Partial<AuditRow>,
  witness: Witness,
): AuditRow | undefined {
  if (!(error instanceof HeadroomError) || !TELLING.has(error.code)) return undefined;
  return { ...lastingRow(order, operation, error.code, witness), ...asked };
}

/** A row that every call writes anew. */
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
