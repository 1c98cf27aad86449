import type { RecordAnswer, SettlementAnswer } from '../limits/answer.ts';
import type { AuditRow, AuditStore } from './audit.ts';
import { recordDigest } from '../shared/digest.ts';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ForgottenError,
  NotFoundError,
  OrderReusedError,
} from '../shared/errors.ts';
import { refuseSeveralHomes, rowsOfHome } from '../limits/homes.ts';
import type { ManyResult } from '../limits/many.ts';
import { decisiveRow } from './order-status.ts';
import type { CompiledRules } from '../rules/compile.ts';
import type { RecordRequest, SettlementRequest, Whereabouts } from '../shared/request.ts';
import { documentId, holdId, homeKind, inOrderAsked } from '../shared/subject.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Calls, Told, ToldSettlement } from '../limits/calls.ts';
import type { Context } from '../limits/context.ts';
import { placeOf } from '../limits/place.ts';
import { recordAnswer } from '../record/record.ts';
import { rulesEntered } from '../record/recording.ts';

/**
 * Calls with the audit's help. A confirm or rollback may name the order alone: the rows of its check say
 * where its holds are. If the document has forgotten the order, the audit's outcome is the answer, and
 * nothing changes. An order that the audit has an effect of is not recorded again.
 */
export function recallingCalls(calls: Calls, store: AuditStore): Calls {
  return {
    ...calls,
    record: (context, requests) => recordUnrecalled(calls, store, context, requests),
    async settle(context, requests) {
      const told = new Map<string, ToldSettlement>();
      const found = new Map<string, SettlementRequest>();
      await atOnce(requests, async (request) => {
        try {
          found.set(holdId(request), await located(store, request));
        } catch (error) {
          const { whereabouts } = request;
          told.set(holdId(request), { result: { kind: 'failed', error }, whereabouts });
        }
      });
      const asked = requests.flatMap((request) => found.get(holdId(request)) ?? []);
      const answers = asked.length === 0 ? [] : await calls.settle(context, asked);
      await atOnce(requests, async (request) => {
        const sent = found.get(holdId(request));
        const answer = sent && answers[asked.indexOf(sent)];
        if (sent === undefined || answer === undefined) return;
        const isLocated = request.whereabouts.kind === 'recorded';
        told.set(holdId(request), await recalled(store, context, sent, answer, isLocated));
      });
      return inOrderAsked(requests, told);
    },
  };
}

/** Records what no row knows. Home remembers the last orders alone, and a file may be sent again later. */
async function recordUnrecalled(
  calls: Calls,
  store: AuditStore,
  given: Context,
  requests: readonly RecordRequest[],
): Promise<readonly Told<RecordAnswer>[]> {
  // One set of rules for all orders of the call, which is read once.
  const rules = await given.rules();
  const context = { ...given, rules: () => Promise.resolve(rules) };
  const told = new Map<string, Told<RecordAnswer>>();
  const effects = await store.effectsOfMany(requests);
  for (const [index, request] of requests.entries()) {
    const { rows, now } = effects[index] ?? { rows: [] };
    const kind = homeKind(request.subjects, context.homeKinds);
    const home = documentId(kind, request.subjects[kind] ?? '');
    const row = decisiveRow(rowsOfHome(rows, home));
    if (row === undefined || now === undefined) continue;
    const result = recalledRecord(rules, request, row, context.at ?? now);
    told.set(holdId(request), { result });
  }
  const asked = requests.filter((request) => !told.has(holdId(request)));
  const answers = asked.length === 0 ? [] : await calls.record(context, asked);
  for (const [index, answer] of answers.entries()) {
    const request = asked[index];
    if (request !== undefined) told.set(holdId(request), answer);
  }
  return inOrderAsked(requests, told);
}

function recalledRecord(
  rules: CompiledRules,
  request: RecordRequest,
  row: AuditRow,
  now: Date,
): ManyResult<RecordAnswer> {
  if (row.digest !== recordDigest(request))
    return { kind: 'failed', error: new OrderReusedError(request.orderId, 'recorded') };
  const entered = rulesEntered(rules, request, now);
  const answer = { ...recordAnswer(entered, request, now), repeated: true };
  return { kind: 'answered', answer };
}

/** @throws NotFoundError where no row says where the order is, OrderAmbiguousError where rows disagree */
async function located(store: AuditStore, request: SettlementRequest): Promise<SettlementRequest> {
  if (request.whereabouts.kind !== 'recorded') return request;
  const { rows } = await store.effectsOf(request);
  refuseSeveralHomes(request.orderId, rows);
  const whereabouts = whereaboutsIn(rows);
  if (whereabouts === undefined) throw new NotFoundError(request.orderId, 'in the audit');
  return { ...request, whereabouts };
}

/** The newest check says it best; of an order whose check has no row, whatever settled it. */
function whereaboutsIn(rows: readonly AuditRow[]): Whereabouts | undefined {
  const token = rows.findLast(({ reservation }) => reservation !== undefined)?.reservation;
  if (token !== undefined) return { kind: 'reservation', token };
  const subjects = rows.at(-1)?.subjects;
  return subjects && { kind: 'subjects', subjects };
}

/** @param isLocated whether a row said where the order was held */
async function recalled(
  store: AuditStore,
  context: Context,
  request: SettlementRequest,
  told: ToldSettlement,
  isLocated: boolean,
): Promise<ToldSettlement> {
  const { result, whereabouts } = told;
  if (result.kind === 'answered') return told;
  const { error } = result;
  if (!(error instanceof NotFoundError) && !(error instanceof ForgottenError)) return told;
  try {
    const row = await outcomeOf(store, context, request);
    // A document that does not know an order that a row knows has forgotten it.
    if (row === undefined && isLocated) throw new ForgottenError(request.orderId);
    if (row === undefined) return told;
    const answer = answerFrom(row, request);
    return { result: { kind: 'answered', answer }, whereabouts }; // rows have it already
  } catch (thrown) {
    return { ...told, result: { kind: 'failed', error: thrown } };
  }
}

/** The row that says how an order ended that its document does not know; undefined where none says more. */
async function outcomeOf(
  store: AuditStore,
  { homeKinds }: Context,
  request: SettlementRequest,
): Promise<AuditRow | undefined> {
  const { rows } = await store.effectsOf(request);
  const [home] = placeOf(request, homeKinds).documents;
  // Another order may have the same id elsewhere; a hold may have ended in a row that got lost.
  const row = decisiveRow(rowsOfHome(rows, home));
  return row?.outcome === 'held' ? undefined : row;
}

/** @throws AlreadyRolledBackError, AlreadyConfirmedError (of a confirm, with another amount) */
function answerFrom(
  row: AuditRow,
  { orderId, to, amountMinor }: SettlementRequest,
): SettlementAnswer {
  const counted = row.amountMinor ?? 0;
  if (to === 'rolledBack') {
    if (row.outcome === 'confirmed') throw new AlreadyConfirmedError(orderId, counted);
    return { kind: 'rolledBack', repeated: true };
  }
  if (row.outcome === 'rolledBack') throw new AlreadyRolledBackError(orderId);
  if (amountMinor !== undefined && amountMinor !== counted)
    throw new AlreadyConfirmedError(orderId, counted);
  const late = row.late ?? false;
  return { kind: 'confirmed', repeated: true, late, amountMinor: counted, exceeded: [] };
}
