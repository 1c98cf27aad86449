import { describe, expect, it } from 'vitest';
import { BadSignatureError } from '../../lib/http/caller-source.ts';
import { readEnvelope } from '../../lib/http/envelope.ts';
import { openSecret, readAppsKey, sealSecret } from '../../lib/callers/sealed-secret.ts';
import { isSignedWith, readOldSignature, signatureOf } from '../../lib/callers/signature.ts';

const SECRET = 'hrs_a-secret';

/** Signatures made with openssl: printf 'v1\n…' | openssl dgst -sha256 -hmac hrs_a-secret */
const KNOWN = [
  {
    content: {
      timestamp: '1767225600',
      method: 'POST',
      target: '/v1/check',
      body: Buffer.from('{"a":"ü"}', 'utf8'),
    },
    is: 'v1=3e6fb970a7b8b3fc31cc43fe7ec243be8d1a8845ebf6755ca87faf18c2d96d16',
  },
  {
    content: {
      timestamp: '1767225600.25',
      method: 'GET',
      target: '/v1/transactions/a%2Fb?x=1',
      body: Buffer.of(),
    },
    is: 'v1=07275134a3b9b7313a3396d558b175b20bc271c5c9bf216f41902d3467f8b524',
  },
];

describe('a signature', () => {
  it.each(KNOWN)('of $content.method $content.target is what openssl makes of it', (row) => {
    expect(signatureOf(SECRET, row.content)).toBe(row.is);
    expect(isSignedWith(SECRET, row.content, row.is)).toBe(true);
  });

  it.each([
    { given: '', why: 'of no length' },
    { given: 'v1=', why: 'too short' },
    { given: `${KNOWN[0]?.is ?? ''}0`, why: 'too long' },
    { given: 'v1=é'.padEnd(66, '0'), why: 'as many characters, but more bytes' },
    { given: KNOWN[1]?.is ?? '', why: "another call's" },
  ])('is another when it is $why, without an exception', ({ given }) => {
    const [first] = KNOWN;
    if (first === undefined) throw new Error('a call');
    expect(isSignedWith(SECRET, first.content, given)).toBe(false);
  });

  it('tells the lines apart, wherever a line would end', () => {
    const base = { timestamp: '1', body: Buffer.of() };
    expect(signatureOf(SECRET, { ...base, method: 'GET', target: '/a' })).not.toBe(
      signatureOf(SECRET, { ...base, method: 'GET\n/a', target: '' }),
    );
  });
});

describe('the headers of a signature', () => {
  const RIGHT = { 'X-App-Id': 'a', 'X-TIMESTAMP': '1', 'x-signature': `v1=${'0'.repeat(64)}` };

  const read = (headers: object) => {
    const envelope = readEnvelope(event({ headers }));
    if (envelope.kind !== 'http') throw new Error('a call over HTTP');
    return readOldSignature(envelope);
  };

  it('have names without a case', () => {
    expect(read(RIGHT)).toMatchObject({
      appId: 'a',
      signedAtMs: 1_000,
      signature: `v1=${'0'.repeat(64)}`,
    });
  });

  it.each([
    ['X-App-Id', 'A'],
    ['X-App-Id', '-a'],
    ['X-App-Id', 'a'.repeat(65)],
    ['X-App-Id', 'a,a'],
    ['X-App-Id', 'a\n'],
    ['X-TIMESTAMP', ''],
    ['X-TIMESTAMP', '-1'],
    ['X-TIMESTAMP', '1e9'],
    ['X-TIMESTAMP', '0x10'],
    ['X-TIMESTAMP', ' 1'],
    ['X-TIMESTAMP', '1\n'],
    ['X-TIMESTAMP', 'NaN'],
    ['X-TIMESTAMP', '2026-01-01T00:00:00Z'],
    ['X-TIMESTAMP', '1.'],
    ['X-TIMESTAMP', '١'],
    ['x-signature', `v1=${'g'.repeat(64)}`],
    ['x-signature', `v1=${'0'.repeat(64)}\n`],
  ])('are refused where %s is %j', (name, value) => {
    expect(() => read({ ...RIGHT, [name]: value })).toThrow(BadSignatureError);
  });
});

/** An event of an HTTP API, payload 2.0. */
function event(more: object): object {
  return {
    routeKey: 'GET /v1/transactions/{orderId}',
    rawPath: '/v1/transactions/what-the-gateway-made-of-it',
    rawQueryString: '',
    requestContext: { http: { method: 'GET' } },
    ...more,
  };
}

describe('the method and target that are signed', () => {
  it.each([
    { orderId: 'o-1', is: '/v1/transactions/o-1', why: 'nothing is encoded' },
    { orderId: 'a/b', is: '/v1/transactions/a%2Fb', why: 'a slash is part of the id' },
    { orderId: 'a%2Fb', is: '/v1/transactions/a%252Fb', why: 'nothing is decoded twice' },
    { orderId: '订 单', is: '/v1/transactions/%E8%AE%A2%20%E5%8D%95', why: 'it is UTF-8' },
    { orderId: 'a?b=c#d', is: '/v1/transactions/a%3Fb%3Dc%23d', why: 'it is no query' },
    { orderId: 'a\nb', is: '/v1/transactions/a%0Ab', why: 'a line does not end in an id' },
    { orderId: '{orderId}', is: '/v1/transactions/%7BorderId%7D', why: 'it is no template' },
    { orderId: '$&$1', is: '/v1/transactions/%24%26%241', why: 'it is no replacement pattern' },
    { orderId: '\ud800', is: '/v1/transactions/%EF%BF%BD', why: 'half a pair is no character' },
    { orderId: undefined, is: '/v1/transactions/', why: 'there is none' },
  ])('$orderId gives $is, because $why', ({ orderId, is }) => {
    const envelope = readEnvelope(event({ pathParameters: { orderId } }));
    expect(envelope).toMatchObject({ line: { method: 'GET', target: is } });
  });

  it.each([
    {
      more: { routeKey: 'GET /v1/usage', rawQueryString: 'user=u%201&a=%7E' },
      is: '/v1/usage?user=u+1&a=%7E',
      why: 'the query is as URLSearchParams writes it',
    },
    {
      more: { routeKey: '$default', rawPath: '/v1/a%2Fb' },
      is: '/v1/a%2Fb',
      why: 'a function URL has no routes, and leaves the path as it came',
    },
    {
      more: {
        routeKey: undefined,
        rawPath: undefined,
        rawQueryString: undefined,
        resource: '/v1/usage',
        requestContext: {},
        httpMethod: 'GET',
        multiValueQueryStringParameters: { user: ['u 1', 'u/2'] },
      },
      is: '/v1/usage?user=u+1&user=u%2F2',
      why: 'payload 1.0 has parts',
    },
    { more: { routeKey: 7, rawPath: {}, rawQueryString: [] }, is: '', why: 'that is no text' },
  ])('$is, because $why', ({ more, is }) => {
    expect(readEnvelope(event(more))).toMatchObject({ line: { method: 'GET', target: is } });
  });
});

describe('a sealed secret', () => {
  const key = Buffer.alloc(32, 1);
  const name = { appId: 'shop', secretId: 's1' };

  it('opens under its key and name, and is another text each time', () => {
    const sealed = sealSecret(key, name, SECRET);
    expect(openSecret(key, name, sealed)).toBe(SECRET);
    expect(sealed).not.toContain(SECRET);
    expect(sealSecret(key, name, SECRET)).not.toBe(sealed);
  });

  it.each([
    { what: 'another key', key: Buffer.alloc(32, 2), name },
    { what: 'another application', key, name: { appId: 'shop2', secretId: 's1' } },
    { what: 'another secret', key, name: { appId: 'shop', secretId: 's2' } },
  ])('does not open under $what', ({ key: otherKey, name: otherName }) => {
    expect(openSecret(otherKey, otherName, sealSecret(key, name, SECRET))).toBeUndefined();
  });

  it('does not open under a name whose parts only look the same when they are joined', () => {
    const sealed = sealSecret(key, { appId: 'a:b', secretId: 'c' }, SECRET);
    expect(openSecret(key, { appId: 'a', secretId: 'b:c' }, sealed)).toBeUndefined();
  });

  it('does not open when any part of it was altered, or it is none', () => {
    const sealed = sealSecret(key, name, SECRET);
    for (let at = 0; at < sealed.length - 1; at += 1) {
      const other = sealed[at] === 'A' ? 'B' : 'A';
      const altered = `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`;
      expect(openSecret(key, name, altered)).toBeUndefined();
    }
    for (const none of ['', 'v1', 'v1.', 'v1.AAAA', 'v2.AAAA', `${sealed}AAAA`, SECRET])
      expect(openSecret(key, name, none)).toBeUndefined();
  });

  it.each(['', 'A'.repeat(43), `${'A'.repeat(43)}=\n`, `${'-'.repeat(43)}=`])(
    'has a key of 32 bytes, which %j is not',
    (text) => {
      expect(readAppsKey(text)).toBeUndefined();
    },
  );
});
