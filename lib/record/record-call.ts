import type { RecordAnswer } from '../limits/answer.ts';
import { MANY_BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { ManyResult } from '../limits/many.ts';
import type { RecordRequest } from '../shared/request.ts';
import { recordAnswerJson } from '../http/order-answer.ts';
import { namesUsedTwice } from '../http/check-request.ts';
import { call } from '../http/handler.ts';
import { betweenOrders } from '../http/many-request.ts';
import { named, resultJson, tellOrders } from '../http/many-calls.ts';
import { recordRequestOf, recordSchema } from './record-request.ts';

type RunRecords = (
  orders: readonly RecordRequest[],
  at?: Date,
  requestId?: string,
) => Promise<readonly ManyResult<RecordAnswer>[]>;

/** The call `record`, as it is read and written. */
export function recordCall(run: RunRecords) {
  return call({
    name: 'record',
    needs: ['record'],
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    takes: recordSchema,
    between: (body) => betweenOrders(body, 'orders', namesUsedTwice),
    read: ({ orders }, appId) => orders.map((order) => recordRequestOf(order, appId)),
    run: async (orders, at, requestId) => named(orders, await run(orders, at, requestId)),
    write: (results, requestId) => ({
      results: results.map((one) => resultJson(one, recordAnswerJson, requestId)),
    }),
    tell: (results, requestId) => tellOrders(results, () => 'confirmed', requestId),
  });
}
