import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { useInPlaceOf } from './aws-stand-in.ts';

const NAME = /^\/2015-03-31\/functions\/([\w-]+)\/invocations$/;

/** A stand-in for Lambda at the address that the AWS SDK is told: it takes invocations that nobody waits for. */
export function useLambda() {
  const taken: { readonly name: string; readonly event: unknown }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const [, name = ''] = NAME.exec(request.url ?? '') ?? [];
      const isEvent = request.headers['x-amz-invocation-type'] === 'Event';
      if (isEvent) taken.push({ name, event: JSON.parse(body) });
      response.writeHead(isEvent ? 202 : 400).end();
    });
  });
  useInPlaceOf('LAMBDA', server);
  return taken;
}
