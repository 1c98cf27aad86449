import { readRequestLine } from '../../lib/http/envelope.ts';
import {
  contentDigestOf,
  messageSignatureOf,
  signatureBase,
  type Component,
} from '../../lib/callers/message-signature.ts';

/** A call, and the headers by which Headroom takes it. */
export type SignedVector = {
  readonly why: string;
  readonly appId: string;
  readonly secret: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly nonce: string;
  readonly method: string;
  readonly target: string;
  /** Those that are sent and decide, in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  /** As UTF-8; empty where a call has no body. */
  readonly body: string;
  /** Empty where there is no body. */
  readonly contentDigest: string;
  readonly signatureInput: string;
  readonly signature: string;
};

/** An order's id, and the target of `GET /v1/transactions/{orderId}` for it. */
export type TargetVector = { readonly orderId: string; readonly target: string };

const SIGNED = { appId: 'shop', secret: 'hrs_a-secret', created: 1_767_225_600, nonce: 'n-1' };
const CHECK = { ...SIGNED, method: 'POST', target: '/v1/check', headers: {} };

/** Calls in which clients differ when they are wrong. */
const CALLS: readonly Omit<SignedVector, 'contentDigest' | 'signatureInput' | 'signature'>[] = [
  { why: 'the body is UTF-8', ...CHECK, body: '{"a":"ü"}' },
  {
    why: 'a path and a query are signed as they are sent; there is no body',
    ...{ ...CHECK, method: 'GET', target: '/v1/transactions/a%2Fb?x=1', body: '' },
  },
  { why: 'white space in the body counts', ...CHECK, body: '{ "a": "ü" }\n' },
  { why: 'characters may lie beyond the first plane', ...CHECK, body: '"订单🙂"' },
  { why: 'another nonce', ...CHECK, nonce: 'k3B+/w==', body: '{}' },
  { why: 'another method', ...CHECK, method: 'DELETE', body: '{}' },
  { why: 'another application', ...CHECK, appId: 'desk-2', body: '{}' },
  { why: 'the secret is a text as UTF-8', ...CHECK, secret: 'hrs_ключ', body: '{}' },
  {
    why: 'a secret longer than the block of SHA-256 is hashed first',
    ...{ ...CHECK, secret: `hrs_${'x'.repeat(80)}`, body: '{}' },
  },
  {
    why: 'a query is written as forms are: a space is a plus sign',
    ...{ ...CHECK, method: 'GET', target: '/v1/usage?user=u+1%26%C3%BC', body: '' },
  },
  {
    why: 'a person and a condition are signed',
    ...{ ...CHECK, method: 'PUT', target: '/v1/rules/user-day', body: '{}' },
    headers: { 'x-actor': '%E7%8E%8B%E5%B0%8F%E6%98%8E', 'if-match': '"3"' },
  },
  {
    why: 'a person asks what there is not yet; a call that deletes has no body',
    ...{ ...CHECK, method: 'DELETE', target: '/v1/subjects/user/u-1/freeze?reason=over', body: '' },
    headers: { 'x-actor': 'jane@example.com', 'if-none-match': '*' },
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
    signatures: CALLS.map((call) => ({ ...call, ...signedAs(call) })),
    targets: ORDER_IDS.map((orderId) => {
      const routeKey = 'GET /v1/transactions/{orderId}';
      return { orderId, target: readRequestLine({ routeKey, pathParameters: { orderId } }).target };
    }),
  };
}

/** Signs as docs/signing.md says, by the functions with which Headroom looks at it. */
function signedAs({ method, target, headers, body, ...call }: (typeof CALLS)[number]) {
  const [path = '', query] = target.split('?');
  const contentDigest = body === '' ? '' : contentDigestOf(Buffer.from(body, 'utf8'));
  const components: readonly Component[] = [
    ['@method', method],
    ['@path', path],
    ...(query === undefined ? [] : [['@query', `?${query}`] as const]),
    ...(contentDigest === '' ? [] : [['content-digest', contentDigest] as const]),
    ...Object.entries(headers),
  ];
  const names = components.map(([name]) => `"${name}"`).join(' ');
  const { appId, secret, created, nonce } = call;
  const input = `(${names});created=${created};keyid="${appId}";nonce="${nonce}"`;
  const signature = messageSignatureOf(secret, signatureBase(components, input));
  return { contentDigest, signatureInput: `hr=${input}`, signature: `hr=:${signature}:` };
}
