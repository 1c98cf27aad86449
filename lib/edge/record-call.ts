import type { RecordAnswer } from '../domain/answer.ts';
import { MANY_BODY_BYTES_MAX } from '../domain/bounds.ts';
import type { ManyResult } from '../domain/many.ts';
import type { RecordRequest } from '../domain/request.ts';
import { recordAnswerJson } from './order-answer.ts';
import type { Call } from './handler.ts';
import type { OrderResults } from './many-calls.ts';
import { named, resultJson, tellOrders } from './many-calls.ts';
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
