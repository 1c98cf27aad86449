import type { CheckAnswer, Refunds, SettlementAnswer } from '../../limits/answer.ts';
import { UndecidedError } from '../../shared/errors.ts';
import { rowsOfHome } from '../../limits/homes.ts';
import { decisiveRow, refundedOf } from '../order-status.ts';
import type { CheckRequest, OrderName, SettlementRequest } from '../../shared/request.ts';
import type { AuditStore } from '../audit-store.ts';
import { atOnce } from '../../shared/at-once.ts';
import type { Calls, Told, ToldSettlement } from '../../limits/calls.ts';
import type { Context } from '../../limits/context.ts';
import { placeOf } from '../../limits/place.ts';

/**
 * Calls that tell a repeat of a counted payment how much of it was refunded since.
 *
 * Documents do not know refunds: the audit's rows do, each of which was written in one commit with what
 * it gave back. They are asked for repeats alone, by one read each, after everything else.
 */
export function refundTellingCalls(calls: Calls, store: AuditStore): Calls {
  return {
    ...calls,
    async check(context, requests, atomic) {
      const told = await calls.check(context, requests, atomic);
      return eachOf(told, requests, (one, request) => checkTold(store, one, request));
    },
    async settle(context, requests) {
      const told = await calls.settle(context, requests);
      return eachOf(told, requests, (one, request) => settlementTold(context, store, one, request));
    },
  };
}

async function eachOf<One, Request>(
  told: readonly One[],
  requests: readonly Request[],
  change: (one: One, request: Request) => Promise<One>,
): Promise<readonly One[]> {
  const changed = [...told];
  await atOnce(told.entries(), async ([index, one]) => {
    const request = requests[index];
    if (request !== undefined) changed[index] = await change(one, request);
  });
  return changed;
}

async function checkTold(
  store: AuditStore,
  told: Told<CheckAnswer>,
  request: CheckRequest,
): Promise<Told<CheckAnswer>> {
  const { result, trace } = told;
  if (result.kind === 'failed' || result.answer.kind !== 'allowed') return told;
  const { answer } = result;
  const [home] = trace?.documents ?? [];
  if (!answer.repeated || answer.state !== 'confirmed' || home === undefined) return told;
  const counted = trace?.entry?.amount ?? request.amountMinor;
  const refunds = await refundsOf(store, request, home, counted);
  if (refunds === undefined) return told;
  return { ...told, result: { kind: 'answered', answer: { ...answer, refunds } } };
}

async function settlementTold(
  { homeKinds }: Context,
  store: AuditStore,
  told: ToldSettlement,
  request: SettlementRequest,
): Promise<ToldSettlement> {
  const { result, whereabouts } = told;
  if (result.kind === 'failed') return told;
  const { answer } = result;
  if (answer.kind !== 'confirmed' || !answer.repeated) return told;
  const [home] = placeOf({ ...request, whereabouts }, homeKinds).documents;
  const refunds = await refundsOf(store, request, home, answer.amountMinor);
  if (refunds === undefined) return told;
  const withRefunds: SettlementAnswer = { ...answer, refunds };
  return { ...told, result: { kind: 'answered', answer: withRefunds } };
}

/** Undefined where nothing was refunded; null where rows cannot be read, which makes no error of a repeat. */
async function refundsOf(
  store: AuditStore,
  order: OrderName,
  home: string,
  countedMinor: number,
): Promise<Refunds | null | undefined> {
  try {
    const { rows } = await store.effectsOf(order);
    const ofHome = rowsOfHome(rows, home);
    const row = decisiveRow(ofHome);
    const refundedMinor = row === undefined ? 0 : refundedOf(ofHome, row);
    if (refundedMinor === 0) return undefined;
    return { refundedMinor, remainingMinor: countedMinor - refundedMinor };
  } catch (error) {
    if (error instanceof UndecidedError) return null;
    throw error;
  }
}
