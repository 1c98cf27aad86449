import type { ConfirmAnswer, RollbackAnswer, SettlementAnswer } from '../domain/answer.ts';
import type { AuditRow } from '../domain/audit.ts';
import {
  AlreadyConfirmedError,
  AlreadyRolledBackError,
  ForgottenError,
  NotFoundError,
} from '../domain/errors.ts';
import { rowsOfHome } from '../domain/homes.ts';
import type { ManyResult } from '../domain/many.ts';
import { decisiveRow } from '../domain/order-status.ts';
import type {
  ConfirmRequest,
  OrderName,
  SettlementRequest,
  Whereabouts,
} from '../domain/request.ts';
import type { AuditStore } from '../store/audit-store.ts';
import { atOnce } from './at-once.ts';
import type { Calls } from './calls.ts';
import type { Context } from './context.ts';
import { placeOf } from './settle.ts';

/**
 * The same calls; a confirm or rollback of an order that its document no longer remembers is answered
 * by the outcome that the audit has of it. Nothing changes by that.
 */
export function recalledCalls(calls: Calls, store: AuditStore): Calls {
  return {
    ...calls,
    async confirm(context, request) {
      try {
        return await calls.confirm(context, request);
      } catch (error) {
        return confirmedAs(request, await outcomeOf(store, context, request, error));
      }
    },
    async rollback(context, request) {
      try {
        return await calls.rollback(context, request);
      } catch (error) {
        return rolledBackAs(request, await outcomeOf(store, context, request, error));
      }
    },
    async settleMany(context, requests) {
      const results = [...(await calls.settleMany(context, requests))];
      await atOnce(requests.entries(), async ([index, request]) => {
        const result = results[index];
        if (result?.kind === 'failed')
          results[index] = await recalled(store, context, request, result.error);
      });
      return results;
    },
  };
}

async function recalled(
  store: AuditStore,
  context: Context,
  request: SettlementRequest,
  error: unknown,
): Promise<ManyResult<SettlementAnswer>> {
  try {
    const row = await outcomeOf(store, context, request, error);
    const answer: SettlementAnswer =
      request.to === 'confirmed'
        ? { kind: 'confirmed', ...confirmedAs(request, row) }
        : { kind: 'rolledBack', ...rolledBackAs(request, row) };
    return { kind: 'answered', answer };
  } catch (thrown) {
    return { kind: 'failed', error: thrown };
  }
}

/**
 * The row that says how an order ended that its document does not know.
 *
 * @throws the error that was met, where it is another one or no row says more
 */
async function outcomeOf(
  store: AuditStore,
  { homeKinds }: Context,
  request: OrderName & { readonly whereabouts: Whereabouts },
  error: unknown,
): Promise<AuditRow> {
  if (!(error instanceof NotFoundError) && !(error instanceof ForgottenError)) throw error;
  const { rows } = await store.effectsOf(request);
  const [home] = placeOf(request, homeKinds).documents;
  // Another order may have the same id elsewhere; a hold may have ended in a row that got lost.
  const row = decisiveRow(rowsOfHome(rows, home));
  if (row === undefined || row.outcome === 'held') throw error;
  return row;
}

/** @throws AlreadyRolledBackError, AlreadyConfirmedError (with another amount) */
function confirmedAs(
  { orderId, amountMinor }: Pick<ConfirmRequest, 'orderId' | 'amountMinor'>,
  row: AuditRow,
): ConfirmAnswer {
  if (row.outcome === 'rolledBack') throw new AlreadyRolledBackError(orderId);
  const counted = row.amountMinor ?? 0;
  if (amountMinor !== undefined && amountMinor !== counted)
    throw new AlreadyConfirmedError(orderId, counted);
  return { repeated: true, late: row.late ?? false, amountMinor: counted, exceeded: [] };
}

/** @throws AlreadyConfirmedError */
function rolledBackAs({ orderId }: OrderName, row: AuditRow): RollbackAnswer {
  if (row.outcome === 'confirmed') throw new AlreadyConfirmedError(orderId, row.amountMinor ?? 0);
  return { repeated: true };
}
