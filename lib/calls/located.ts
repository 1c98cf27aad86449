import type { SettlementAnswer } from '../domain/answer.ts';
import type { AuditRow } from '../domain/audit.ts';
import { InvalidRequestError, NotFoundError } from '../domain/errors.ts';
import { refuseSeveralHomes } from '../domain/homes.ts';
import type { ManyResult } from '../domain/many.ts';
import type { OrderName, Whereabouts } from '../domain/request.ts';
import { holdId } from '../domain/subject.ts';
import type { AuditStore } from '../store/audit-store.ts';
import { atOnce } from './at-once.ts';
import type { Calls } from './calls.ts';

type Located = OrderName & { readonly whereabouts: Whereabouts };

/**
 * The same calls, of which confirms and rollbacks may name the order alone: where its holds are is
 * found in the rows of its check.
 */
export function locatedCalls(calls: Calls, store: AuditStore): Calls {
  return {
    ...calls,
    confirm: async (context, request) => calls.confirm(context, await located(store, request)),
    rollback: async (context, request) => calls.rollback(context, await located(store, request)),
    async settleMany(context, requests) {
      const errors = new Map<string, unknown>();
      const found = [...requests];
      await atOnce(requests.entries(), async ([index, request]) => {
        try {
          found[index] = await located(store, request);
        } catch (error) {
          errors.set(holdId(request), error);
        }
      });
      const asked = found.filter((request) => !errors.has(holdId(request)));
      const results = asked.length === 0 ? [] : await calls.settleMany(context, asked);
      const answers = results.values();
      return found.map((request): ManyResult<SettlementAnswer> => {
        if (errors.has(holdId(request)))
          return { kind: 'failed', error: errors.get(holdId(request)) };
        const { value } = answers.next();
        if (value === undefined) throw new TypeError('each order that is asked has a result');
        return value;
      });
    },
  };
}

/** The same calls, where there is no audit in which an order could be found. */
export function unlocatedCalls(calls: Calls): Calls {
  return {
    ...calls,
    confirm: async (context, request) => {
      refuseRecorded([{ path: 'reservation', request }]);
      return calls.confirm(context, request);
    },
    rollback: async (context, request) => {
      refuseRecorded([{ path: 'reservation', request }]);
      return calls.rollback(context, request);
    },
    settleMany: async (context, requests) => {
      const pathOf = (index: number): string => `settlements[${index}].reservation`;
      refuseRecorded(requests.map((request, index) => ({ path: pathOf(index), request })));
      return calls.settleMany(context, requests);
    },
  };
}

/** @throws InvalidRequestError where one names its order alone */
function refuseRecorded(
  places: readonly { readonly path: string; readonly request: Located }[],
): void {
  const [first, ...others] = places
    .filter(({ request }) => request.whereabouts.kind === 'recorded')
    .map(({ path }) => ({ path, expected: ONE_PLACE }));
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}

const ONE_PLACE =
  'exactly one of reservation and subjects; only where the audit is on is the orderId enough';

/** @throws NotFoundError where no row says where the order is, OrderAmbiguousError where rows disagree */
async function located<Request extends Located>(
  store: AuditStore,
  request: Request,
): Promise<Request> {
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
