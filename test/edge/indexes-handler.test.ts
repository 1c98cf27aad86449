import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIndexesHandler } from '../../lib/edge/indexes-handler.ts';
import { listening } from '../support/listening.ts';

type Told = { readonly method: string; readonly contentType: string; readonly body: unknown };

/** Stands where CloudFormation's bucket does: keeps what is put there. */
let told: Told[];
let status: number;
let server: Server;
let url: string;
beforeEach(async () => {
  told = [];
  status = 200;
  server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      const { method = '', headers } = request;
      told.push({ method, contentType: headers['content-type'] ?? 'none', body: JSON.parse(body) });
      response.writeHead(status).end();
    });
  });
  url = `http://127.0.0.1:${await listening(server)}/answer?X-Amz-Signature=s`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const requestOf = (type: string): object => ({
  RequestType: type,
  ResponseURL: url,
  StackId: 'arn:aws:cloudformation:eu-central-1:123456789012:stack/headroom-dev/1',
  RequestId: 'r-1',
  LogicalResourceId: 'Indexes',
  ResourceType: 'Custom::HeadroomIndexes',
  ResourceProperties: { Database: 'headroom' },
});
const ANSWERED = {
  PhysicalResourceId: 'headroom-indexes',
  StackId: 'arn:aws:cloudformation:eu-central-1:123456789012:stack/headroom-dev/1',
  RequestId: 'r-1',
  LogicalResourceId: 'Indexes',
};

/** Makes indexes, and counts how often. */
function maker(failure?: Error) {
  const made = { times: 0 };
  const handler = createIndexesHandler(() => {
    made.times += 1;
    return failure === undefined ? Promise.resolve() : Promise.reject(failure);
  });
  return { made, handler };
}

describe('a stack that deploys', () => {
  it.each([
    { type: 'Create', times: 1, why: 'it has none yet' },
    { type: 'Update', times: 1, why: 'a new version may have more' },
    { type: 'Delete', times: 0, why: 'the database is not the stack’s' },
  ])('has indexes made $times times with $type, because $why', async ({ type, times }) => {
    const { made, handler } = maker();
    await handler(requestOf(type));
    expect(made.times).toBe(times);
    // An address that is signed for no content type takes none.
    expect(told).toEqual([
      { method: 'PUT', contentType: '', body: { Status: 'SUCCESS', ...ANSWERED } },
    ]);
  });

  it('is told that they were not made, and why', async () => {
    const failure = new Error(`connect ECONNREFUSED 10.0.0.1:27017 ${'x'.repeat(2_000)}`);
    await maker(failure).handler(requestOf('Create'));
    const reason: unknown = expect.stringMatching(
      /^The indexes were not made \(Error: connect ECONNREFUSED 10\.0\.0\.1:27017 x+\)\. Check the connection string/,
    );
    expect(told.map(({ body }) => body)).toEqual([
      { Status: 'FAILED', Reason: reason, ...ANSWERED },
    ]);
    expect(JSON.stringify(told[0]?.body).length).toBeLessThan(1_024); // where CloudFormation cuts
  });

  it('is answered once more by Lambda where the answer was not taken', async () => {
    status = 403;
    await expect(maker().handler(requestOf('Create'))).rejects.toThrow('HTTP 403, expected 200');
  });
});

describe('a direct invocation', () => {
  it.each([{ event: {} }, { event: null }, { event: { RequestType: 'Create' } }])(
    'with $event makes them and says so',
    async ({ event }) => {
      const { made, handler } = maker();
      expect(await handler(event)).toEqual({ made: true });
      expect({ times: made.times, told }).toEqual({ times: 1, told: [] });
    },
  );

  it('fails where they could not be made', async () => {
    await expect(maker(new Error('no server')).handler({})).rejects.toThrow('no server');
  });
});
