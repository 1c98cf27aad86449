import type { SettlementAnswer } from '../limits/answer.ts';
import type { ManyResult } from '../limits/many.ts';
import { problemOf, problemOutcome } from './problems.ts';
import type { CallRecord, CallOutcome } from './telemetry.ts';

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
