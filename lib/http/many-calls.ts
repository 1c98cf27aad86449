import type { CheckAnswer, SettlementAnswer } from '../limits/answer.ts';
import { MANY_BODY_BYTES_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Limits } from '../edge/limits-types.ts';
import type { ManyResult } from '../limits/many.ts';
import type { CheckRequest, OrderName } from '../shared/request.ts';
import { fitsInResponse } from './page.ts';
import { checkAnswerJson, confirmAnswerJson, rollbackAnswerJson } from './order-answer.ts';
import type { ReportScope } from './check-request.ts';
import { checkRequestOf } from './check-request.ts';
import { toldOfChecks } from '../edge/calls.ts';
import { call } from './handler.ts';
import {
  betweenOrders,
  checksMistakes,
  REPORT_DEFAULT,
  checksSchema,
  settlementMistakes,
  oneOfMany,
  settlementsSchema,
} from './many-request.ts';
import { problemOf, problemOutcome } from './problems.ts';
import type { CallRecord, CallOutcome } from './telemetry.ts';

/** The call `checks`. */
export function checksCall(run: Limits['checkMany'], passing?: Limits['passing']) {
  return call({
    name: 'checks',
    needs: ['check'],
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    takes: checksSchema,
    between: checksMistakes,
    read: ({ orders, atomic = false, report = REPORT_DEFAULT }, appId) => ({
      orders: orders.map((order) => checkRequestOf(order, appId)),
      atomic,
      report,
    }),
    run: async ({ orders, atomic }, at, requestId) =>
      decidedAtAll(await run(orders, atomic, at, requestId)),
    late({ orders, atomic }, error, at) {
      const answer = atomic ? undefined : passing?.(error, at);
      return answer && orders.map(() => ({ kind: 'answered', answer }) as const);
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
  const write = (answer: SettlementAnswer): object =>
    answer.kind === 'confirmed' ? confirmAnswerJson(answer) : rollbackAnswerJson(answer);
  return call({
    name: 'settlements',
    needs: ['confirm', 'rollback'],
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    takes: settlementsSchema,
    between: (body) => betweenOrders(body, 'settlements', settlementMistakes),
    read: (body, appId) => body.settlements.map((one) => oneOfMany(one, appId)),
    run: async (settlements, at, requestId) => decidedAtAll(await run(settlements, at, requestId)),
    write: (results, requestId, settlements) => ({
      results: resultsJson(settlements, results, write, requestId),
    }),
    tell: tellSettlements,
  });
}

/** Throws UndecidedError if the store decided no order: clients repeat calls by their status. */
export function decidedAtAll<Answer>(
  results: readonly ManyResult<Answer>[],
): readonly ManyResult<Answer>[] {
  const [first] = results;
  const isDecided = results.some(
    (result) => result.kind === 'answered' || !(result.error instanceof UndecidedError),
  );
  if (!isDecided && first?.kind === 'failed') throw first.error;
  return results;
}

/** Writes the result of each order. */
export function resultsJson<Answer>(
  orders: readonly OrderName[],
  results: readonly ManyResult<Answer>[],
  write: (answer: Answer) => object,
  requestId: string,
): readonly object[] {
  return orders.map(({ orderId }, index) => {
    const result = results[index];
    if (result === undefined) throw new TypeError('each order has a result');
    return result.kind === 'answered'
      ? { orderId, ...write(result.answer) }
      : { orderId, problem: problemOf(result.error, requestId).body };
  });
}

/** The log's fields of many settlements. */
export function tellSettlements(
  results: readonly ManyResult<SettlementAnswer>[],
  requestId: string,
): ToldOrders {
  const late = results.filter(
    (one) => one.kind === 'answered' && one.answer.kind === 'confirmed' && one.answer.late,
  ).length;
  return {
    ...tellOrders(results, ({ kind }) => kind, requestId),
    ...(late === 0 ? {} : { lateOrders: late }),
  };
}

type ToldOrders = Pick<CallRecord, 'outcome' | 'orders' | 'codes' | 'lateOrders' | 'fault'>;

/** The log's fields of many orders. */
export function tellOrders<Answer>(
  results: readonly ManyResult<Answer>[],
  outcomeOf: (answer: Answer) => CallOutcome,
  requestId: string,
): ToldOrders {
  const orders: Partial<Record<CallOutcome, number>> = {};
  const codes: Record<string, number> = {};
  const faults: unknown[] = [];
  for (const result of results) {
    let outcome: CallOutcome;
    if (result.kind === 'answered') outcome = outcomeOf(result.answer);
    else {
      const problem = problemOf(result.error, requestId);
      outcome = problemOutcome(problem);
      codes[problem.code] = (codes[problem.code] ?? 0) + 1;
      if (problem.code === 'INTERNAL') faults.unshift(result.error);
      else if (problem.status >= 500) faults.push(result.error);
    }
    orders[outcome] = (orders[outcome] ?? 0) + 1;
  }
  return {
    outcome: 'answered',
    orders,
    ...(Object.keys(codes).length === 0 ? {} : { codes }),
    ...(faults.length === 0 ? {} : { fault: faults[0] }),
  };
}
