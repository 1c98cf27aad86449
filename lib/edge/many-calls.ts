import { CALLS } from '../../contract/calls.ts';
import type { CheckAnswer, SettlementAnswer } from '../limits/answer.ts';
import { MANY_BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { Limits } from './limits-types.ts';
import type { ManyResult } from '../limits/many.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { ActorSource } from '../http/actor.ts';
import { askWithinBounds, tooLong } from './app-bounds.ts';
import { unsignedActor } from '../http/actor.ts';
import { fitsInResponse } from '../http/page.ts';
import { checkAnswerJson } from '../http/order-answer.ts';
import type { ReportScope } from '../http/check-request.ts';
import { checkRequestOf } from '../http/check-request.ts';
import { toldOfChecks } from './calls.ts';
import { call } from '../http/handler.ts';
import {
  betweenOrders,
  checksMistakes,
  REPORT_DEFAULT,
  checksSchema,
  settlementMistakes,
  oneOfMany,
  settlementsSchema,
} from '../http/many-request.ts';
import { decidedAtAll, resultsJson, tellOrders } from '../http/many-results.ts';
import type { ToldOrders } from '../http/many-results.ts';

/** The call `checks`. */
export function checksCall(
  run: Limits['checkMany'],
  passing?: Limits['passing'],
  actorOf: ActorSource = unsignedActor,
) {
  return call({
    name: 'checks',
    needs: CALLS.checks.needs,
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    takes: checksSchema,
    between: checksMistakes,
    read: ({ orders, atomic = false, report = REPORT_DEFAULT }, appId) => ({
      orders: orders.map((order) => checkRequestOf(order, appId)),
      atomic,
      report,
    }),
    async run({ orders, atomic }, at, requestId, { app, envelope, sent }) {
      const actor = actorOf(envelope, app.appId);
      const results = await askWithinBounds(orders, app.bounds, atomic, sent, (asked) =>
        run(asked, atomic, at, requestId, actor),
      );
      return decidedAtAll(results);
    },
    late({ orders, atomic }, error, at, { app, sent }) {
      const answer = atomic ? undefined : passing?.(error, at);
      return (
        answer &&
        orders.map(
          (one, index) =>
            tooLong(one, app.bounds, sent, index) ?? ({ kind: 'answered', answer } as const),
        )
      );
    },
    write: (results, requestId, request) => writtenToFit(request, results, requestId),
    tell: (results, requestId, { orders }) => ({
      ...tellOrders(results, ({ kind }) => kind, requestId),
      ...toldOfChecks(
        orders.flatMap((request, index) => {
          const result = results[index];
          return result?.kind === 'answered' ? [{ request, answer: result.answer }] : [];
        }),
      ),
    }),
  });
}

const SHORTER = { all: 'violations', violations: 'none' } as const;

/** Writes many answers. One that is too long has less of rules, because the orders are held by then. */
function writtenToFit(
  { orders, report }: { readonly orders: readonly CheckRequest[]; readonly report: ReportScope },
  results: readonly ManyResult<CheckAnswer>[],
  requestId: string,
): object {
  const write = (answer: CheckAnswer): object => checkAnswerJson(answer, report);
  const written = {
    allAllowed: results.every(
      (result) => result.kind === 'answered' && result.answer.kind !== 'refused',
    ),
    results: resultsJson(orders, results, write, requestId),
  };
  const mayBeLong = report === 'all' || results.some(tellsOfTerms);
  if (report === 'none' || !mayBeLong || fitsInResponse(written.results)) return written;
  return writtenToFit({ orders, report: SHORTER[report] }, results, requestId);
}

function tellsOfTerms(result: ManyResult<CheckAnswer>): boolean {
  if (result.kind === 'failed' || result.answer.kind === 'undecided') return false;
  const { answer } = result;
  const isFrozen = answer.kind === 'refused' && answer.frozen !== undefined;
  return isFrozen || answer.rules.some(({ rule }) => rule.override !== undefined);
}

/** The call `settlements`. */
export function settlementsCall(run: Limits['settleMany']) {
  return call({
    name: 'settlements',
    needs: CALLS.settlements.needs,
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    takes: settlementsSchema,
    between: (body) => betweenOrders(body, 'settlements', settlementMistakes),
    read: (body, appId) => body.settlements.map((one) => oneOfMany(one, appId)),
    run: async (settlements, at, requestId) => decidedAtAll(await run(settlements, at, requestId)),
    write: (results, requestId, settlements) => ({
      results: resultsJson(settlements, results, (answer) => answer, requestId),
    }),
    tell: tellSettlements,
  });
}

/** The log's fields of many settlements. */
export function tellSettlements(
  results: readonly ManyResult<SettlementAnswer>[],
  requestId: string,
): ToldOrders {
  const late = results.filter(
    (one) => one.kind === 'answered' && one.answer.state !== 'rolledBack' && one.answer.late,
  ).length;
  return {
    ...tellOrders(results, settledAs, requestId),
    lateOrders: late === 0 ? undefined : late,
  };
}

function settledAs({ state }: SettlementAnswer): 'confirmed' | 'rolledBack' {
  return state === 'rolledBack' ? state : 'confirmed';
}
