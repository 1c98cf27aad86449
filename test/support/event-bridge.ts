import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, vi } from 'vitest';

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
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // it listens on a port
    vi.stubEnv('AWS_ENDPOINT_URL_EVENTBRIDGE', `http://127.0.0.1:${port}`);
    vi.stubEnv('AWS_REGION', 'eu-central-1');
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  });
  afterAll(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    bridge.requests.length = 0;
    [bridge.refuses, bridge.isSilent] = [false, false];
  });
  return bridge;
}
