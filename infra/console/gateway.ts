import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { consoleFile, consoleHeaders } from '../local/console-files.ts';
import {
  type Answer,
  BODY_BYTES_MAX,
  type Forward,
  NotForwardedError,
  readBody,
} from './forward.ts';
import { type Person, personOf } from './person.ts';
import { foreignIn, twiceIn } from './refusals.ts';

/** The parts of a console of a deployment. */
type GatewayOptions = {
  /** The built console. */
  readonly folder: string;
  readonly person: Person;
  /** Sends a call to the deployment, signed. */
  readonly forward: Forward;
  /** Gets a line for each call that has no answer. */
  readonly report: (line: string) => void;
};

/** The console's own setup: the login before it says who it is. */
const SETUP = { api: '/', signIn: 'login' } as const;

/**
 * Makes the server of a console: its files below /console/, and calls below /v1/, which it signs and names
 * the person of. It lets in nobody itself: a login stands before it, or it listens for one person alone.
 */
export function createGateway(options: GatewayOptions): Server {
  return createServer((request, response) => {
    void answerTo(request, options)
      .catch((error: unknown) => failure(error, options.report))
      .then((answer) => {
        write(response, answer);
      });
  });
}

function failure(error: unknown, report: (line: string) => void): Answer {
  if (error instanceof NotForwardedError) {
    report(error.message);
    return told(502, error.message);
  }
  const { cause } = error as Error; // of `fetch`
  report(`No answer: ${String(cause ?? error)}`);
  return told(
    502,
    'The deployment gave no answer. Nobody knows whether the call took effect: send it again, which is safe.',
  );
}

async function answerTo(request: IncomingMessage, options: GatewayOptions): Promise<Answer> {
  const { method = '', url = '' } = request;
  const twice = twiceIn(request, options.person);
  if (twice !== undefined) return told(400, twice);
  const foreign = foreignIn(request, options.person);
  if (foreign !== undefined) return told(403, foreign);
  if (url.startsWith('/v1/')) return call(request, options);
  if (method !== 'GET' && method !== 'HEAD') return told(404, 'Not Found');
  const [path = ''] = url.split('?');
  if (path === '/' || path === '/console')
    return { status: 302, headers: { location: '/console/' }, body: '' };
  return path.startsWith('/console/')
    ? file(options.folder, path.slice('/console/'.length))
    : told(404, 'Not Found');
}

async function call(request: IncomingMessage, options: GatewayOptions): Promise<Answer> {
  const person = personOf(request, options.person);
  if (person === undefined)
    return told(
      401,
      'Nobody is signed in: the login names nobody, or in a way that cannot be kept.',
    );
  const isTooLarge = Number(request.headers['content-length'] ?? 0) > BODY_BYTES_MAX;
  const body = isTooLarge
    ? undefined
    : await readBody(request.iterator({ destroyOnReturn: false }));
  if (body === undefined) return told(413, 'The body is larger than a function takes.');
  return (
    (await options.forward(request, body, person)) ??
    told(400, `${JSON.stringify(request.url)} is no path of a call.`)
  );
}

function file(folder: string, name: string): Answer {
  const found = consoleFile(folder, name, SETUP);
  if (found === undefined) return told(404, 'Not Found');
  return {
    status: found.status,
    headers: { 'content-type': found.type, ...consoleHeaders(name) },
    body: found.body,
  };
}

function told(status: number, message: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: `${JSON.stringify({ message })}\n`,
  };
}

function write(response: ServerResponse, { status, headers, body }: Answer): void {
  // A body that nobody reads must not be taken for the next request.
  const end = status === 413 ? { connection: 'close' } : {};
  response.writeHead(status, { ...headers, ...end, 'x-content-type-options': 'nosniff' }).end(body);
}
