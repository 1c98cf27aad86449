import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NearTold } from '../../lib/near/near.ts';
import { eventBusPublisher } from '../../lib/edge/event-bus.ts';

/** A stand-in for EventBridge at the address that the AWS SDK is told: it takes PutEvents. */
type Entry = {
  readonly Source: string;
  readonly DetailType: string;
  readonly EventBusName: string;
  readonly Time: number;
  readonly Detail: string;
};
const requests: { readonly target: unknown; readonly entries: readonly Entry[] }[] = [];
let refuses = false;
let silent = false;

const server = createServer((request, response) => {
  if (silent) return;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { Entries: Entry[] };
    requests.push({ target: request.headers['x-amz-target'], entries: body.Entries });
    const entries = body.Entries.map((_entry, index) =>
      refuses && index === 0 ? { ErrorCode: 'ThrottlingException' } : { EventId: `e-${index}` },
    );
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ FailedEntryCount: refuses ? 1 : 0, Entries: entries }));
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
  requests.length = 0;
  [refuses, silent] = [false, false];
});

function told(merchant: string, percents: NearTold['percents']): NearTold {
  const row: NearTold['row'] = {
    id: `merchant-day key 1 merchant:${merchant}`,
    ...{ rule: 'merchant-day', mode: 'enforce', subjects: { merchant }, kind: 'merchant' },
    ...{ document: `merchant:${merchant}`, counter: 'key', currency: 'CNY' },
    start: new Date('2026-03-01T16:00:00Z'),
    until: new Date('2026-03-02T16:00:00Z'),
    ...{ max: { amountMinor: 5_000 }, isOverride: false, taken: { amountMinor: 4_100 } },
    at: new Date('2026-03-02T10:00:00Z'),
  };
  return { row, percents };
}

describe('an event bus', () => {
  it('gets an event for each part of a maximum, in the words of GET /v1/near', async () => {
    await eventBusPublisher('limits')([told('m-1', [50, 80])]);
    expect(requests).toHaveLength(1);
    const [{ target, entries } = { target: '', entries: [] }] = requests;
    expect(target).toBe('AWSEvents.PutEvents');
    expect(entries).toMatchObject([
      { Source: 'headroom', DetailType: 'Limit near', EventBusName: 'limits', Time: 1_772_445_600 },
      { Source: 'headroom', DetailType: 'Limit near', EventBusName: 'limits', Time: 1_772_445_600 },
    ]);
    const details = entries.map(({ Detail }) => JSON.parse(Detail) as unknown);
    expect(details[1]).toEqual({
      ...{ rule: 'merchant-day', mode: 'enforce', subjects: { merchant: 'm-1' }, currency: 'CNY' },
      ...{ share: 0.8, max: { amount: 5_000 }, overridden: false, taken: { amount: 4_100 } },
      start: '2026-03-01T16:00:00.000Z',
      until: '2026-03-02T16:00:00.000Z',
      at: '2026-03-02T10:00:00.000Z',
    });
    expect(details[0]).toMatchObject({ share: 0.5 });
  });

  it('gets ten events at a time, as it takes them', async () => {
    const all = Array.from({ length: 6 }, (_, each) => told(`m-${each}`, [50, 80, 95, 100]));
    await eventBusPublisher('limits')(all);
    expect(requests.map(({ entries }) => entries.length)).toEqual([10, 10, 4]);
  });

  it('that refuses an event is told as such, by its code', async () => {
    refuses = true;
    await expect(eventBusPublisher('limits')([told('m-1', [50])])).rejects.toMatchObject({
      name: 'EventRefusedError',
      code: 'ThrottlingException',
    });
  });

  it('that does not answer is given up, twice', async () => {
    silent = true;
    const startedMs = performance.now();
    await expect(eventBusPublisher('limits')([told('m-1', [50])])).rejects.toThrow();
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  }, 20_000);
});
