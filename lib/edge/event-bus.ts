import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { NearTold } from '../near/near.ts';
import { nearRowJson } from '../near/near-call.ts';

/** Source: Amazon EventBridge API reference, PutEvents; 256 kB in all, and the longest event takes 12. */
const EVENTS_PER_REQUEST = 10;

/** Longest wait for a connection, and for an answer, in milliseconds. */
const PATIENCE_MS = 400;

/**
 * Publishes an event for each part of a maximum that was crossed. It loads the AWS SDK with the first.
 *
 * @param bus name of a bus of the function's own account and region
 */
export function eventBusPublisher(bus: string) {
  let sending: ReturnType<typeof sender> | undefined;
  return async (told: readonly NearTold[]): Promise<void> => {
    sending ??= sender();
    const send = await sending;
    const entries = told.flatMap(({ row, percents }) =>
      percents.map((percent) => ({
        EventBusName: bus,
        Source: 'headroom',
        DetailType: 'Limit near',
        Time: row.at,
        Detail: JSON.stringify(nearRowJson(row, percent)),
      })),
    );
    for (let first = 0; first < entries.length; first += EVENTS_PER_REQUEST)
      await send(entries.slice(first, first + EVENTS_PER_REQUEST));
  };
}

async function sender(): Promise<(entries: PutEventsRequestEntry[]) => Promise<void>> {
  const { EventBridgeClient, PutEventsCommand } = await import('@aws-sdk/client-eventbridge');
  const client = new EventBridgeClient({
    maxAttempts: 2,
    requestHandler: {
      connectionTimeout: PATIENCE_MS,
      requestTimeout: PATIENCE_MS,
      throwOnRequestTimeout: true,
    },
  });
  return async (entries) => {
    const answer = await client.send(new PutEventsCommand({ Entries: entries }));
    const refused = answer.Entries?.find(({ ErrorCode }) => ErrorCode !== undefined);
    if (refused === undefined) return;
    const { ErrorCode: code } = refused;
    const error = new Error(`the event bus refused an event: ${code}`);
    throw Object.assign(error, { name: 'EventRefusedError', code });
  };
}
