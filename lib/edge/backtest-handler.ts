import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { SliceContext } from '../backtest/jobs/slice.ts';
import { workOn } from '../backtest/jobs/slice.ts';

const eventSchema = z.object({ id: z.string() });

/** What is left of the time of a function when its slice ends: it writes its state down, and invokes the next one. */
const ENDING_MS = 60_000;

/** Makes the Lambda function that works on a back-test, and invokes itself where its time is not enough. */
export function createBacktestHandler(
  context: Pick<SliceContext, 'store' | 'open' | 'isPassing' | 'version'>,
  startWork: (id: string) => Promise<void>,
) {
  return async (
    event: unknown,
    {
      awsRequestId,
      getRemainingTimeInMillis,
    }: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
  ): Promise<void> => {
    const { id } = eventSchema.parse(event);
    const nowMs = (): number => Date.now();
    const endsAtMs = nowMs() + getRemainingTimeInMillis() - ENDING_MS;
    // Lambda tries an event again under the id that it had: it is another slice.
    const lease = `${awsRequestId} ${crypto.randomUUID()}`;
    if (await workOn(id, { ...context, lease, nowMs, endsAtMs })) await startWork(id);
  };
}
