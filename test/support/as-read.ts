import type { Call } from '../../lib/http/handler.ts';
import { readCall } from '../../lib/http/handler.ts';
import { readJsonText } from '../../lib/http/json-text.ts';
import { InvalidRequestError } from '../../lib/shared/errors.ts';

type Reading<Given, Request> = Pick<
  Call<Given, Request, never>,
  'takes' | 'between' | 'read' | 'bodyBytesMax'
>;

/** The request that a call of the application `shop` reads from a body. */
export function asRead<Given, Request>(call: Reading<Given, Request>, body: unknown): Request {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readCall(call, readJsonText(text, call.bodyBytesMax), 'shop');
}

export function mistakesIn<Given, Request>(
  call: Reading<Given, Request>,
  body: unknown,
): InvalidRequestError['mistakes'] {
  try {
    asRead(call, body);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.mistakes;
    throw error;
  }
  return [];
}

/** The work of a call that is only read: it fails. */
export const unrun = () => Promise.reject(new Error('the call is only read'));
