import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { NearTold } from '../near/near.ts';
import { nearRowJson } from '../near/near-call.ts';
import { proposalJson } from '../four-eyes/proposed-answer.ts';
import type { ReviewTold } from '../review/telling-reviews.ts';

/** Source: Amazon EventBridge API reference, PutEvents; 256 kB in all, and the longest event takes 12. */
const EVENTS_PER_REQUEST = 10;

/** Longest wait for a connection, and for an answer, in milliseconds. */
const PATIENCE_MS = 400;

type BusEvent = { readonly type: string; readonly at: Date; readonly detail: object };

/** An event for each part of a maximum that was crossed. */
export function nearEvents(told: readonly NearTold[]): readonly BusEvent[] {
  return told.flatMap(({ row, percents }) =>
    percents.map((percent) => ({
      type: 'Limit near',
      at: row.at,
      detail: nearRowJson(row, percent),
    })),
  );
}

/** The event of a review, as a list of proposals has it. */
export function reviewEvent({ is, proposal }: ReviewTold): BusEvent {
  const at = proposal.decided?.at ?? proposal.at;
  return { type: `Review ${is}`, at, detail: proposalJson(proposal, at) };
}

/**
 * Publishes events. It loads the AWS SDK with the first.
 *
 * @param bus name of a bus of the function's own account and region
 */
export function eventBusPublisher(bus: string) {
  let sending: ReturnType<typeof busSender> | undefined;
  return async (events: readonly BusEvent[]): Promise<void> => {
    sending ??= busSender();
    const send = await sending;
    const entries = events.map(({ type, at, detail }) => ({
      EventBusName: bus,
      Source: 'headroom',
      DetailType: type,
      Time: at,
      Detail: JSON.stringify(detail),
    }));
    for (let first = 0; first < entries.length; first += EVENTS_PER_REQUEST)
      await send(entries.slice(first, first + EVENTS_PER_REQUEST));
  };
}

async function busSender(): Promise<(entries: PutEventsRequestEntry[]) => Promise<void>> {
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
