import { UndecidedError } from '../shared/errors.ts';
import type { ManyResult } from '../limits/many.ts';
import type { OrderName } from '../shared/request.ts';
import { problemOf, problemOutcome } from './problems.ts';
import type { CallRecord, CallOutcome } from './telemetry.ts';

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

/** The log's fields of a call of many. */
export type ToldOrders = Pick<CallRecord, 'outcome' | 'orders' | 'codes' | 'lateOrders' | 'fault'>;

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
    codes: Object.keys(codes).length === 0 ? undefined : codes,
    fault: faults[0],
  };
}
