import { readRequestLine } from '../../lib/http/envelope.ts';
import { signatureOf } from '../../lib/callers/signature.ts';

/** A call, and the signature that Headroom expects of it. */
export type SignedVector = {
  readonly why: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly method: string;
  readonly target: string;
  /** As UTF-8; empty where a call has no body. */
  readonly body: string;
  readonly signature: string;
};

/** An order's id, and the target of `GET /v1/transactions/{orderId}` for it. */
export type TargetVector = { readonly orderId: string; readonly target: string };

const SECRET = 'hrs_a-secret';
const CHECK = { timestamp: '1767225600', method: 'POST', target: '/v1/check' };

/** Calls in which clients differ when they are wrong. */
const CALLS: readonly Omit<SignedVector, 'signature'>[] = [
  { why: 'the body is UTF-8', secret: SECRET, ...CHECK, body: '{"a":"ü"}' },
  {
    why: 'a path and a query are signed as they are sent; there is no body',
    ...{ secret: SECRET, timestamp: '1767225600.25', method: 'GET' },
    ...{ target: '/v1/transactions/a%2Fb?x=1', body: '' },
  },
  { why: 'white space in the body counts', secret: SECRET, ...CHECK, body: '{ "a": "ü" }\n' },
  { why: 'characters may lie beyond the first plane', secret: SECRET, ...CHECK, body: '"订单🙂"' },
  {
    why: 'the timestamp is signed as text, with each of its decimals',
    ...{ secret: SECRET, ...CHECK, timestamp: '1767225600.123456000', body: '{}' },
  },
  { why: 'another method', secret: SECRET, ...CHECK, method: 'DELETE', body: '{}' },
  { why: 'the secret is a text as UTF-8', secret: 'hrs_ключ', ...CHECK, body: '{}' },
  {
    why: 'a secret longer than the block of SHA-256 is hashed first',
    ...{ secret: `hrs_${'x'.repeat(80)}`, ...CHECK, body: '{}' },
  },
  {
    why: 'a query is written as forms are: a space is a plus sign',
    ...{ secret: SECRET, ...CHECK, method: 'GET', target: '/v1/usage?user=u+1%26%C3%BC', body: '' },
  },
];

const ORDER_IDS = [
  ...['order-1', 'o 1', 'a/b', 'a%2Fb', '100%', 'a+b', 'a?b#c&d=e', '订单🙂', '...'],
  ...["it's (1)!*~", 'a:b@c;d,e$f', '"[{|}]"\\^`<>', '-_.', 'a\nb'],
];

/** Everything that clients are tested with, as Headroom's own code signs it and reads it. */
export function vectors(): {
  readonly signatures: readonly SignedVector[];
  readonly targets: readonly TargetVector[];
} {
  return {
    signatures: CALLS.map((call) => ({
      ...call,
      signature: signatureOf(call.secret, { ...call, body: Buffer.from(call.body, 'utf8') }),
    })),
    targets: ORDER_IDS.map((orderId) => {
      const routeKey = 'GET /v1/transactions/{orderId}';
      return { orderId, target: readRequestLine({ routeKey, pathParameters: { orderId } }).target };
    }),
  };
}
