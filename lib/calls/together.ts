import { groupedBy } from '../domain/many.ts';
import { planCheck } from '../domain/plan.ts';
import type { CheckRequest, OrderName, Whereabouts } from '../domain/request.ts';
import type { OneCommit } from '../store/one-commit.ts';
import type { Calls } from './calls.ts';
import type { Context } from './context.ts';
import { placeOf } from './settle.ts';

/**
 * The same calls; what one of them does in several documents becomes visible all at once, or not at
 * all. A call of one document is one update as ever, and a dry run only looks.
 */
export function togetherCalls(calls: Calls, oneCommit: OneCommit): Calls {
  const run = <Answer>(
    isOneCommit: boolean,
    context: Context,
    call: (context: Context) => Promise<Answer>,
  ): Promise<Answer> =>
    isOneCommit
      ? oneCommit(({ counters }) =>
          call({ ...context, counters: context.watch?.(counters) ?? counters }),
        )
      : call(context);
  return {
    check: async (context, request) =>
      run(!request.dryRun && (await checksSeveral(context, [request], false)), context, (inner) =>
        calls.check(inner, request),
      ),
    confirm: (context, request) =>
      run(settlesSeveral(context, request), context, (inner) => calls.confirm(inner, request)),
    rollback: (context, request) =>
      run(settlesSeveral(context, request), context, (inner) => calls.rollback(inner, request)),
    checkMany: async (context, requests, atomic) =>
      run(await checksSeveral(context, requests, atomic), context, (inner) =>
        calls.checkMany(inner, requests, atomic),
      ),
    settleMany: (context, requests) =>
      run(
        requests.some((request) => settlesSeveral(context, request)),
        context,
        (inner) => calls.settleMany(inner, requests),
      ),
  };
}

/** Whether one of the orders has several documents; of an atomic call, whether all of them have. */
async function checksSeveral(
  { rules, homeKinds, clock }: Context,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<boolean> {
  const inForce = await rules();
  const estimate = clock.estimate();
  const visited = requests.map(
    (request) => planCheck(inForce, request, homeKinds, estimate).documents,
  );
  if (visited.some((documents) => documents.length > 1)) return true;
  return atomic && groupedBy(visited, ([home]) => home).size > 1;
}

/** A reservation that is none is for the call to refuse. */
function settlesSeveral(
  { homeKinds }: Context,
  request: OrderName & { readonly whereabouts: Whereabouts },
): boolean {
  try {
    return placeOf(request, homeKinds).documents.length > 1;
  } catch {
    return false;
  }
}
