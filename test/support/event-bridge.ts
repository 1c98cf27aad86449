import { createServer } from 'node:http';
import { beforeEach } from 'vitest';
import { useInPlaceOf } from './aws-stand-in.ts';

/** An event as PutEvents takes it. */
export type Entry = {
  readonly Source: string;
  readonly DetailType: string;
  readonly EventBusName: string;
  readonly Time: number;
  readonly Detail: string;
};

/** A stand-in for EventBridge at the address that the AWS SDK is told: it takes PutEvents. */
export function useEventBridge() {
  const bridge = {
    requests: [] as { readonly target: unknown; readonly entries: readonly Entry[] }[],
    /** Whether it refuses the first event of each request. */
    refuses: false,
    isSilent: false,
  };
  const server = createServer((request, response) => {
    if (bridge.isSilent) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: Entry[] };
      bridge.requests.push({
        target: request.headers['x-amz-target'],
        entries: body.Entries,
      });
      const entries = body.Entries.map((_entry, index) =>
        bridge.refuses && index === 0
          ? { ErrorCode: 'ThrottlingException' }
          : { EventId: `e-${index}` },
      );
      response.setHeader('content-type', 'application/x-amz-json-1.1');
      response.end(JSON.stringify({ FailedEntryCount: bridge.refuses ? 1 : 0, Entries: entries }));
    });
  });
  useInPlaceOf('EVENTBRIDGE', server);
  beforeEach(() => {
    bridge.requests.length = 0;
    [bridge.refuses, bridge.isSilent] = [false, false];
  });
  return bridge;
}
