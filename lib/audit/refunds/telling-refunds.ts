import type { Refunds } from '../../limits/answer.ts';
import { UndecidedError } from '../../shared/errors.ts';
import { rowsOfHome } from '../../limits/homes.ts';
import { decisiveRow, refundedOf } from '../order-status.ts';
import type { OrderName } from '../../shared/request.ts';
import type { AuditStore } from '../audit.ts';
import { atOnce } from '../../shared/at-once.ts';
import type { Calls, Told } from '../../limits/calls.ts';
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
      return withRefunds(store, requests, told, ({ result, trace }, request) => {
        const [home] = trace?.documents ?? [];
        if (result.kind === 'failed' || result.answer.kind !== 'allowed') return undefined;
        const { repeated, state } = result.answer;
        if (!repeated || state !== 'confirmed' || home === undefined) return undefined;
        return { home, amountMinor: trace?.entry?.amount ?? request.amountMinor };
      });
    },
    async settle(context, requests) {
      const told = await calls.settle(context, requests);
      return withRefunds(store, requests, told, ({ result, whereabouts }, request) => {
        if (result.kind === 'failed' || result.answer.kind !== 'confirmed') return undefined;
        const { repeated, amountMinor } = result.answer;
        if (!repeated) return undefined;
        const [home] = placeOf({ ...request, whereabouts }, context.homeKinds).documents;
        return { home, amountMinor };
      });
    },
  };
}

/** A payment that was counted before: its home, and what was counted. */
type Counted = { readonly home: string; readonly amountMinor: number };

async function withRefunds<One extends Told<object>, Request extends OrderName>(
  store: AuditStore,
  requests: readonly Request[],
  told: readonly One[],
  countedBefore: (one: One, request: Request) => Counted | undefined,
): Promise<readonly One[]> {
  const changed = [...told];
  await atOnce(requests.entries(), async ([index, request]) => {
    const one = told[index];
    const counted = one && countedBefore(one, request);
    const refunds = counted && (await refundsOf(store, request, counted));
    if (one?.result.kind !== 'answered' || refunds === undefined) return;
    changed[index] = {
      ...one,
      result: { ...one.result, answer: { ...one.result.answer, refunds } },
    };
  });
  return changed;
}

/** Undefined where nothing was refunded; null where rows cannot be read, which makes no error of a repeat. */
async function refundsOf(
  store: AuditStore,
  order: OrderName,
  { home, amountMinor }: Counted,
): Promise<Refunds | null | undefined> {
  try {
    const { rows } = await store.effectsOf(order);
    const ofHome = rowsOfHome(rows, home);
    const row = decisiveRow(ofHome);
    const refundedMinor = row === undefined ? 0 : refundedOf(ofHome, row);
    if (refundedMinor === 0) return undefined;
    return { refundedMinor, remainingMinor: amountMinor - refundedMinor };
  } catch (error) {
    if (error instanceof UndecidedError) return null;
    throw error;
  }
}
