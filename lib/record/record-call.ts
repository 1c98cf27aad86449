import type { RecordAnswer } from '../limits/answer.ts';
import { MANY_BODY_BYTES_MAX } from '../shared/bounds.ts';
import type { ManyResult } from '../limits/many.ts';
import type { RecordRequest } from '../shared/request.ts';
import { recordAnswerJson } from '../http/order-answer.ts';
import type { Call } from '../http/handler.ts';
import type { OrderResults } from '../http/many-calls.ts';
import { named, resultJson, tellOrders } from '../http/many-calls.ts';
import { readRecordRequest } from './record-request.ts';

type RunRecords = (
  orders: readonly RecordRequest[],
  at?: Date,
  requestId?: string,
) => Promise<readonly ManyResult<RecordAnswer>[]>;

/** The call `record`, as it is read and written. */
export function recordCall(
  run: RunRecords,
): Call<readonly RecordRequest[], OrderResults<RecordAnswer>> {
  return {
    name: 'record',
    needs: ['record'],
    bodyBytesMax: MANY_BODY_BYTES_MAX,
    read: readRecordRequest,
    run: async (orders, at, requestId) => named(orders, await run(orders, at, requestId)),
    write: (results, requestId) => ({
      results: results.map((one) => resultJson(one, recordAnswerJson, requestId)),
    }),
    tell: (results, requestId) => tellOrders(results, () => 'confirmed', requestId),
  };
}
