import type { IncomingMessage } from 'node:http';
import { encodedPerson } from '../../packages/client/src/calls.ts';
import type { SignedContent, Signer } from '../../packages/client/src/signing.ts';

/** The answer to a browser. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
};

/**
 * Sends a call of a person to a deployment; undefined where its path leads elsewhere.
 *
 * @throws NotForwardedError if no answer came, or one that no call gets
 */
export type Forward = (
  request: IncomingMessage,
  body: Bytes,
  person: string,
) => Promise<Answer | undefined>;

/** The reason, in a sentence, why a call has no answer. */
export class NotForwardedError extends Error {
  override readonly name = 'NotForwardedError';
}

type Bytes = SignedContent['body'];

/** As much as Lambda hands to a function, or takes from it. Source: Lambda developer guide, "Quotas". */
export const BODY_BYTES_MAX = 6 * 1024 * 1024;

/** Longer than API Gateway waits for a function. */
const ANSWER_MS = 35_000;

/** Headers that a browser may send with a call. The person, signatures and credentials are ours. */
const SENT = ['accept-language', 'content-type', 'if-match', 'if-none-match'];
/** Headers of an answer that a browser gets. */
export const RETURNED = [
  'cache-control',
  'content-language',
  'content-type',
  'etag',
  'retry-after',
  'x-request-id',
];

/** Reads a body, of a request or an answer; undefined where it is too large. */
export async function readBody(
  parts: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<Bytes | undefined> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of parts as AsyncIterable<Uint8Array>) {
    // no encoding is set
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) return undefined;
    read.push(part);
  }
  return new Uint8Array(Buffer.concat(read));
}

/**
 * Makes what sends calls on.
 *
 * @param address the deployment: everything before /v1
 * @param signer undefined where `send` signs
 */
export function forwardTo(
  address: string,
  signer: Signer | undefined,
  send: typeof fetch,
): Forward {
  const base = new URL(address);
  const before = base.pathname.replace(/\/+$/, '');
  return async (request, given, person) => {
    const { method = 'GET', url: target = '' } = request;
    const to = new URL(`${base.origin}${before}${target}`);
    // Dots, plain or encoded, would lead out of /v1.
    if (`${to.pathname.slice(before.length)}${to.search}` !== target) return undefined;
    const body = method === 'GET' || method === 'HEAD' ? undefined : given;
    const headers = { ...kept(request.headers), 'x-actor': encodedPerson(person) };
    const post = async () => {
      const signed =
        (await signer?.headersOf({ method, target, headers, body: body ?? new Uint8Array() })) ??
        {};
      const answer = await send(to, {
        method,
        headers: { ...headers, ...signed },
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_MS),
        ...(body === undefined ? {} : { body }),
      });
      return { signed, answer };
    };
    const first = await post();
    const isClock =
      first.answer.status === 401 &&
      signer?.correctClock(first.signed, first.answer.headers.get('date')) === true;
    return answeredIn(isClock ? (await post()).answer : first.answer);
  };
}

function kept(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    SENT.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

async function answeredIn(answer: Response): Promise<Answer> {
  // To a browser, 401 would say that the person has to sign in.
  if (answer.status === 401)
    throw new NotForwardedError(
      'The deployment takes no call that is signed like this (401). Look at HEADROOM_APP_ID and HEADROOM_SECRET.',
    );
  const body = await readBody(answer.body ?? []);
  if (body === undefined)
    throw new NotForwardedError('The answer is larger than a function gives.');
  const headers = RETURNED.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  return { status: answer.status, headers: Object.fromEntries(headers), body };
}
