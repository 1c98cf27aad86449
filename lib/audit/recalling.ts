import type { CheckAnswer, ConfirmAnswer, SettlementAnswer } from '../limits/answer.ts';
import type { AuditRow, AuditStore } from './audit.ts';
import { isLater } from './checked.ts';
import type { Audit } from './recorded.ts';
import type { ReadRows } from './read-together.ts';
import { readTogether } from './read-together.ts';
import { isKept } from './recorded.ts';
import { LookAgainError } from './one-commit.ts';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ForgottenError,
  InternalError,
  NotFoundError,
  NotHomeError,
  UndecidedError,
} from '../shared/errors.ts';
import { besideIn, decisiveRow, refuseSeveralHomes } from './order-status.ts';
import { countedSince, sinceFirst, uncountedBy } from './since-first.ts';
import type { CheckRequest, OrderAtHome, OrderName, SettlementRequest } from '../shared/request.ts';
import { holdId } from '../shared/subject.ts';
import { isSettled } from '../shared/states.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Context, Calls, Told, ToldSettlement } from '../limits/context.ts';
import { inOrderAsked } from '../limits/many.ts';
import { placeOf } from '../limits/reservation.ts';
import { settleBeside, uncountedIn } from '../limits/shares.ts';
import type { Recall, Recalled } from '../limits/known-memory.ts';
import { KnownMemory } from '../limits/known-memory.ts';

/**
 * Calls with the audit's help.
 *
 * - A confirm or rollback may name the order alone: the rows of its check say where its holds are.
 * - If the document has forgotten the order, the audit's outcome is the answer, and nothing changes.
 * - A repeat of a counted payment tells how much of it was refunded since, which no document knows.
 * - A confirm that may exceed a maximum by attribute asks the row of its check for the attribute.
 */
export function recallingCalls(calls: Calls, audit: RowsKept): Calls {
  /** Whose commit begins again. */
  const looked = new WeakSet<SettlementRequest>();
  return {
    async check(context, requests, atomic) {
      const told = await calls.check(context, requests, atomic);
      const repeats = told.map((one, index) => countedBefore(one, requests[index]));
      const orders = repeats.flatMap((repeat) => repeat?.order ?? []);
      const read = readTogether(audit.store, orders);
      const answers = told.map(async (one, index) => {
        const repeat = repeats[index];
        if (repeat === undefined) return one;
        const { order, amountMinor } = repeat;
        const { uncounted, ...first } = repeat.answer;
        const since = await sinceFirst(read, order, amountMinor, uncounted);
        return { ...one, result: { kind: 'answered' as const, answer: { ...first, ...since } } };
      });
      return Promise.all(answers);
    },
    record: calls.record,
    async settle(context, requests) {
      const told = new Map<SettlementRequest, ToldSettlement>();
      const found = new Map<SettlementRequest, SettlementRequest>();
      const readAnywhere = readTogether(audit.store, requests.filter(isRecorded).map(byId));
      await atOnce(requests, async (request) => {
        try {
          found.set(request, await locate(readAnywhere, request));
        } catch (error) {
          const { whereabouts } = request;
          told.set(request, { result: { kind: 'failed', error }, whereabouts });
        }
      });
      const asked = requests.flatMap((request) => found.get(request) ?? []);
      const answers = asked.length === 0 ? [] : await calls.settle(context, asked);
      const unsure = asked.filter((_, index) => mayAskRows(answers[index]));
      const orders = unsure.map((sent) => atHome(sent, context));
      const rows = { ...audit, read: readTogether(audit.store, orders) };
      await atOnce(requests, async (request) => {
        const sent = found.get(request);
        const answer = sent && answers[asked.indexOf(sent)];
        if (sent === undefined || answer === undefined) return;
        const isLocated = isRecorded(request);
        try {
          told.set(
            request,
            await recall(rows, context, sent, answer, isLocated, looked.delete(request)),
          );
        } catch (error) {
          if (!(error instanceof LookAgainError)) throw error;
          if (context.counters.isOneCommit) {
            looked.add(request);
            throw error;
          }
          told.set(request, await settleAgain(calls, audit, context, sent, isLocated));
        }
      });
      return inOrderAsked(requests, told);
    },
  };
}

/** Rows, and what they keep. */
type RowsKept = Pick<Audit, 'store' | 'attributes'>;
type Rows = Pick<Audit, 'attributes'> & { readonly read: ReadRows };

/** A repeat of a check that counted at once, whose payment may be refunded by now. */
function countedBefore({ result, trace }: Told<CheckAnswer>, request: CheckRequest | undefined) {
  if (request === undefined || result.kind !== 'answered') return undefined;
  const { answer } = result;
  if (answer.kind !== 'allowed' || !answer.repeated || answer.state !== 'confirmed')
    return undefined;
  const { documents: [home] = [], entry } = trace?.() ?? {};
  if (home === undefined) return undefined;
  const { appId, orderId, amountMinor } = request;
  return { answer, order: { appId, orderId, home }, amountMinor: entry?.amount ?? amountMinor };
}

function isRecorded({ whereabouts }: SettlementRequest): boolean {
  return whereabouts.kind === 'recorded';
}

/** Whether `recall` may need the rows of an order. */
function mayAskRows(told: ToldSettlement | undefined): boolean {
  if (told?.result.kind === 'failed') return isNotFound(told.result.error);
  return told?.result.answer.repeated === true || told?.judge !== undefined;
}

/** Whether home does not know the order, or does not say. */
function isNotFound(error: unknown): boolean {
  return [NotHomeError, NotFoundError, ForgottenError].some((kind) => error instanceof kind);
}

function byId({ appId, orderId }: SettlementRequest): OrderName {
  return { appId, orderId };
}

function atHome(request: SettlementRequest, { homeKinds }: Context): OrderAtHome {
  return { ...byId(request), home: placeOf(request, homeKinds).documents[0] };
}

/** Rows as what remembers more orders than their homes do. */
export function recallFrom(store: AuditStore): Recall {
  return {
    known: new KnownMemory(),
    async ask(orders) {
      const effects = await store.effectsOfMany(orders);
      const now = effects.find(({ rows }) => rows.length > 0)?.now;
      return { now, found: effects.map(({ rows }) => recalledIn(rows)) };
    },
  };
}

function recalledIn(rows: readonly AuditRow[]): Recalled | undefined {
  const row = decisiveRow(rows);
  if (row === undefined) return undefined;
  const { outcome: state, nonce = '', amountMinor: amount = 0, count = 1 } = row;
  if (!isSettled(state)) return { kind: 'held' };
  const { reasonCode, late = false, digest } = row;
  const ended = { state, nonce, amount, count, reasonCode, late, ...besideIn(rows, row) };
  return { kind: 'ended', outcome: { id: holdId(row), ...ended }, digest };
}

/** @throws NotFoundError where no row says where the order is, OrderAmbiguousError where rows disagree */
async function locate(read: ReadRows, request: SettlementRequest): Promise<SettlementRequest> {
  if (!isRecorded(request)) return request;
  const { rows } = await read(byId(request));
  refuseSeveralHomes(request.orderId, rows);
  // The newest check says it best; of an order whose check has no row, whatever settled it.
  const token = rows.findLast(({ reservation }) => reservation !== undefined)?.reservation;
  if (token !== undefined) return { ...request, whereabouts: { kind: 'reservation', token } };
  const subjects = rows.at(-1)?.subjects;
  if (subjects === undefined) throw new NotFoundError(request.orderId, 'in the audit');
  return { ...request, whereabouts: { kind: 'subjects', subjects } };
}

/** What the database leaves open is this order's alone: the others of the call have their answers. */
async function settleAgain(
  calls: Calls,
  audit: RowsKept,
  context: Context,
  sent: SettlementRequest,
  isLocated: boolean,
): Promise<ToldSettlement> {
  const [again] = await calls.settle(context, [sent]).catch((error: unknown) => {
    if (!(error instanceof UndecidedError)) throw error;
    return [{ result: { kind: 'failed' as const, error }, whereabouts: sent.whereabouts }];
  });
  if (again === undefined) throw new InternalError('a settlement without an answer');
  const rows = { ...audit, read: readTogether(audit.store, []) };
  return recall(rows, context, sent, again, isLocated, true);
}

/**
 * @param isLocated whether a row said where the order was held
 * @param isAgain whether home was looked at after a row told of the order, which knows it unless it has forgotten it
 * @throws LookAgainError
 */
async function recall(
  audit: Rows,
  context: Context,
  request: SettlementRequest,
  told: ToldSettlement,
  isLocated: boolean,
  isAgain: boolean,
): Promise<ToldSettlement> {
  if (!mayAskRows(told)) return told;
  const { read } = audit;
  const { result, whereabouts } = told;
  const order = atHome(request, context);
  if (result.kind === 'answered') {
    const { answer } = result;
    if (answer.state === 'rolledBack') return told;
    if (!answer.repeated) {
      const exceeded = await judgedByRow(audit, order, told);
      if (exceeded === null) return told;
      return { ...told, result: { kind: 'answered', answer: { ...answer, exceeded } } };
    }
    const { uncounted, ...first } = answer;
    const since = await sinceFirst(read, order, answer.amount, uncounted);
    return { ...told, result: { kind: 'answered', answer: { ...first, ...since } } };
  }
  const isHidden = result.error instanceof NotHomeError;
  try {
    const { rows } = await read(order);
    const row = decisiveRow(rows);
    // A hold may have ended in a row that got lost.
    if (row !== undefined && row.outcome !== 'held') {
      const uncounted = await findSettledSince(context, row, rows);
      const answer = answerFrom(row, rows, request, uncounted);
      return { result: { kind: 'answered', answer }, whereabouts };
    }
    // A check may have taken the order since home was looked at.
    if (isHidden && row !== undefined && !isAgain) throw new LookAgainError();
    // A document that does not know an order that a row knows has forgotten it.
    if (isLocated || (isHidden && row !== undefined)) throw new ForgottenError(request.orderId);
    return told;
  } catch (thrown) {
    if (thrown instanceof LookAgainError) throw thrown;
    return { ...told, result: { kind: 'failed', error: thrown } };
  }
}

/** What a confirm exceeds by what the row of its check says. Null if nobody asks, or the row does not tell. */
async function judgedByRow(
  { read, attributes: kept = 'all' }: Rows,
  order: OrderAtHome,
  { judge, trace }: ToldSettlement,
): Promise<ConfirmAnswer['exceeded']> {
  const nonce = trace?.()?.entry?.nonce;
  if (judge === undefined || nonce === undefined) return null;
  try {
    const { rows } = await read(order);
    const row = rows.find((one) => one.nonce === nonce && !isLater(one));
    if (row === undefined) return null;
    const { type, subjects, proofs, attributes, unkept } = row;
    return judge({
      payment: { type, subjects, proofs, attributes: attributes ?? {} },
      // A row without a list of what it left out is taken as one of now.
      isKept: (name) =>
        attributes !== undefined &&
        (unkept === undefined ? isKept(kept, name) : !unkept.includes(name)),
    });
  } catch (error) {
    if (error instanceof UndecidedError) return null; // the payment is counted
    throw error;
  }
}

/**
 * Settles other documents where a repeat wrote the row: the call that settled at home may have ended before them.
 *
 * @returns those that may not count the order
 */
async function findSettledSince(context: Context, row: AuditRow, rows: readonly AuditRow[]) {
  const { outcome, reasonCode, repeated, nonce, amountMinor: amount = 0 } = row;
  if (!isSettled(outcome)) return undefined;
  if (repeated !== true || nonce === undefined)
    return outcome === 'confirmed' ? uncountedBy(row) : undefined;
  const entry = { id: holdId(row), nonce, amount, ...besideIn(rows, row) };
  return uncountedIn(await settleBeside(context, entry, { to: outcome, reasonCode }));
}

/** @throws AlreadyRolledBackError, AlreadyConfirmedError (of a confirm, with another amount) */
function answerFrom(
  row: AuditRow,
  rows: readonly AuditRow[],
  { orderId, to, amountMinor }: SettlementRequest,
  uncounted: ConfirmAnswer['uncounted'],
): SettlementAnswer {
  const counted = row.amountMinor ?? 0;
  if (to === 'rolledBack') {
    if (row.outcome === 'confirmed') throw new AlreadyConfirmedError(orderId, counted);
    return { state: 'rolledBack', repeated: true };
  }
  if (row.outcome === 'rolledBack') throw new AlreadyRolledBackError(orderId);
  if (amountMinor !== undefined && amountMinor !== counted)
    throw new AlreadyConfirmedError(orderId, counted);
  const { state, ...refunds } = countedSince(rows, counted);
  return {
    state,
    repeated: true,
    late: row.late ?? false,
    amount: counted,
    ...refunds,
    uncounted,
  };
}
