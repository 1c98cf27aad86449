import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Handlers } from '../support/handlers.ts';
import { listening } from '../support/listening.ts';

/** The real handlers behind Lambda's own protocol, and a client of AWS's that reaches them. */
export type LambdaService = {
  readonly client: LambdaClient;
  readonly InvokeCommand: typeof InvokeCommand;
  /** The fate of the next invocations, one each; those after them pass. */
  readonly faults: ('cut-off' | 'not-allowed' | 'too-many')[];
  stop(): void;
};

const NAME = /^\/2015-03-31\/functions\/headroom-test-(\w+)\/invocations$/;
const REFUSALS = {
  'not-allowed': { status: 403, type: 'AccessDeniedException' },
  'too-many': { status: 429, type: 'TooManyRequestsException' },
} as const;

/** Puts handlers behind `POST /2015-03-31/functions/{name}/invocations`, named headroom-test-{call}. */
export async function startLambdaService(handlers: Handlers): Promise<LambdaService> {
  const faults: LambdaService['faults'] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const payload: unknown = JSON.parse(await text(request));
      const [, call = ''] = NAME.exec(request.url ?? '') ?? [];
      const fault = faults.shift();
      if (fault === 'cut-off') {
        response.writeHead(200, { 'x-amz-function-error': 'Unhandled' });
        response.end('{"errorMessage":"Task timed out after 29.00 seconds"}');
      } else if (fault !== undefined || !Object.hasOwn(handlers, call)) {
        const { status, type } = REFUSALS[fault ?? 'not-allowed'];
        response.writeHead(status, { 'x-amzn-errortype': type }).end('{"Message":"no"}');
      } else {
        const handler = handlers[call as keyof Handlers]; // it has it
        response.end(JSON.stringify(await handler(payload, { awsRequestId: 'request-1' })));
      }
    })();
  });
  const client = new LambdaClient({
    endpoint: `http://127.0.0.1:${await listening(server)}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
    maxAttempts: 1,
  });
  return {
    client,
    InvokeCommand,
    faults,
    stop() {
      client.destroy();
      server.close();
      server.closeAllConnections();
    },
  };
}
