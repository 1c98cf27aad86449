import type { Call } from '../../lib/http/handler.ts';
import { readJsonText } from '../../lib/http/json-text.ts';
import { readRequest } from '../../lib/http/requests.ts';
import { InvalidRequestError } from '../../lib/shared/errors.ts';

type Reading<Given, Request> = Pick<
  Call<Given, Request, never>,
  'takes' | 'between' | 'read' | 'bodyBytesMax'
>;

/** The request that a call of the application `shop` reads from a body. */
export function asRead<Given, Request>(call: Reading<Given, Request>, body: unknown): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const given = readJsonText(text, call.bodyBytesMax);
  return call.read(readRequest(call.takes, given, call.between), 'shop');
}

export function mistakesIn<Given, Request>(
  call: Reading<Given, Request>,
  body: unknown,
): InvalidRequestError['mistakes'] {
  return mistakesOf(() => asRead(call, body));
}

/** The mistakes for which something is not read; none where it is. */
export function mistakesOf(read: () => unknown): InvalidRequestError['mistakes'] {
  try {
    read();
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.mistakes;
    throw error;
  }
  return [];
}

/** The work of a call that is only read: it fails. */
export const unrun = () => Promise.reject(new Error('the call is only read'));
