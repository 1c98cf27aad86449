import { CALLS } from '../../contract/calls.ts';
import { MANY_BODY_BYTES_MAX } from '../shared/bounds.ts';
import { present } from '../shared/present.ts';
import type { RecordAnswer } from '../limits/answer.ts';
import type { ManyResult } from '../limits/many.ts';
import type { RecordRequest } from '../shared/request.ts';
import { paymentOf } from '../http/check-request.ts';
import { call } from '../http/handler.ts';
import { betweenOrders } from '../http/many-request.ts';
import { endingGiven, reasonCodeMistakes, recordSchema } from './record-request.ts';
import { decidedAtAll, resultsJson, tellOrders } from '../http/many-results.ts';

type RecordMany = (
  requests: readonly RecordRequest[],
  at?: Date,
  requestId?: string,
) => Promise<readonly ManyResult<RecordAnswer>[]>;

/** The call `record`, as it is read and written. */
export function recordCall(run: RecordMany) {
  return call({
    name: 'record',
    needs: CALLS.record.needs,
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    takes: recordSchema,
    between: (body) => betweenOrders(body, 'orders', reasonCodeMistakes),
    read: ({ orders }, appId) =>
      orders.map((order) => ({
        happenedAt: order.at,
        ...endingGiven(order),
        ...present({ proofs: order.proofs }),
        ...paymentOf(order, appId),
      })),
    run: async (orders, at, requestId) => decidedAtAll(await run(orders, at, requestId)),
    write: (results, requestId, orders) => ({
      results: resultsJson(orders, results, (answer) => answer, requestId),
    }),
    tell: (results, requestId) => tellOrders(results, ({ state }) => state, requestId),
  });
}
