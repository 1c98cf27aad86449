import { describe, expect, it } from 'vitest';
import {
  contentDigestOf,
  messageSignatureOf,
  readMessageSignature,
  signatureBase,
} from '../../lib/callers/message-signature.ts';
import { readEnvelope } from '../../lib/http/envelope.ts';
import { BadSignatureError } from '../../lib/http/caller-source.ts';

describe('a signature of RFC 9421', () => {
  it('is that of its example B.2.5, signed with hmac-sha256', () => {
    const key =
      'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==';
    const base = signatureBase(
      [
        ['date', 'Tue, 20 Apr 2021 02:07:55 GMT'],
        ['@authority', 'example.com'],
        ['content-type', 'application/json'],
      ],
      '("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
    );
    expect(base).toBe(
      `"date": Tue, 20 Apr 2021 02:07:55 GMT
"@authority": example.com
"content-type": application/json
"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"`,
    );
    expect(messageSignatureOf(Buffer.from(key, 'base64'), base)).toBe(
      'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=',
    );
  });

  it('has the digest of RFC 9530, appendix D, of a body', () => {
    expect(contentDigestOf(Buffer.from('{"hello": "world"}'))).toBe(
      'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    );
  });
});

const ONES = `:${Buffer.alloc(32, 1).toString('base64')}:`;
const INPUT = 'sig1=("@method" "@path");created=1767225600;keyid="shop";nonce="n-1"';

function read(headers: object, more: object = {}) {
  const http = { method: 'GET' };
  const event = { routeKey: 'GET /v1/rules', requestContext: { http }, headers, ...more };
  const envelope = readEnvelope(event);
  if (envelope.kind !== 'http') throw new Error('a call over HTTP');
  return readMessageSignature(envelope);
}

describe('the headers of a signature of RFC 9421', () => {
  it.each([
    { input: INPUT, why: 'the least' },
    {
      input: INPUT.replace(';created=1767225600', '') + ';created=1767225600',
      why: 'in another order',
    },
    { input: `${INPUT};alg="hmac-sha256"`, why: 'with its algorithm' },
    { input: `${INPUT};tag="a payment"`, why: 'with a tag' },
    { input: INPUT.replace('n-1', 'k3B+/w=='), why: 'with a nonce in base64' },
  ])('are read, $why', ({ input }) => {
    expect(read({ 'Signature-Input': input, SIGNATURE: `sig1=${ONES}` })).toMatchObject({
      appId: 'shop',
      signedAtMs: 1_767_225_600_000,
      signature: ONES.slice(1, -1),
    });
  });

  // prettier-ignore
  it.each([
    { input: '', why: 'nothing' },
    { input: 'sig1=', why: 'no list' },
    { input: INPUT.replace('sig1', 'Sig1'), why: 'a label in capitals' },
    { input: `${INPUT}, sig2=("@method" "@path");created=1767225600;keyid="shop";nonce="n-2"`, why: 'two signatures' },
    { input: INPUT.replace('" "', '"  "'), why: 'two spaces' },
    { input: INPUT.replace('"@path"', '"@path" "@path"'), why: 'a part twice' },
    { input: INPUT.replace('"@path"', '"@path";req'), why: 'a part with a parameter' },
    { input: INPUT.replace('"@path"', '"@path" "@authority"'), why: 'a part that is not looked at' },
    { input: INPUT.replace('"@path"', '"@path" "date"'), why: 'a header that is not there' },
    { input: INPUT.replace('"@method" ', ''), why: 'the method is not signed' },
    { input: INPUT.replace(' "@path"', ''), why: 'the path is not signed' },
    { input: INPUT.replace(';created=1767225600', ''), why: 'no time' },
    { input: INPUT.replace(';created=1767225600', ';created="1767225600"'), why: 'a time that is a text' },
    { input: INPUT.replace(';created=1767225600', ';created=1767225600.5'), why: 'a time with decimals' },
    { input: INPUT.replace(';created=', ';created=1;created='), why: 'a time twice' },
    { input: INPUT.replace(';keyid="shop"', ''), why: 'no application' },
    { input: INPUT.replace('"shop"', '"Shop"'), why: 'no id of an application' },
    { input: INPUT.replace('"shop"', 'shop'), why: 'an application without quotation marks' },
    { input: INPUT.replace(';nonce="n-1"', ''), why: 'no nonce' },
    { input: INPUT.replace('"n-1"', '""'), why: 'an empty nonce' },
    { input: INPUT.replace('"n-1"', '"n\\"1"'), why: 'an escaped letter' },
    { input: `${INPUT};alg="rsa-v1_5-sha256"`, why: 'another algorithm' },
    { input: `${INPUT};expires=1767225700`, why: 'a parameter that is not looked at' },
    { input: `${INPUT} `, why: 'a space at the end' },
    { input: `${INPUT}\n`, why: 'a line end' },
  ])('are refused: $why', ({ input }) => {
    expect(() => read({ 'signature-input': input, signature: `sig1=${ONES}` })).toThrow(BadSignatureError);
  });

  it.each([
    { signature: undefined, why: 'none' },
    { signature: `sig2=${ONES}`, why: 'another label' },
    { signature: ONES, why: 'no label' },
    { signature: `sig1=${ONES}, sig2=${ONES}`, why: 'two' },
    { signature: `sig1=:${Buffer.alloc(31, 1).toString('base64')}:`, why: 'too short' },
    { signature: `sig1=${ONES.slice(0, -1)}`, why: 'no end' },
  ])('are refused where the signature is $why', ({ signature }) => {
    expect(() => read({ 'signature-input': INPUT, signature })).toThrow(BadSignatureError);
  });

  it('are refused where they stand twice', () => {
    const headers = { 'signature-input': INPUT, signature: `sig1=${ONES}` };
    expect(() => read({ ...headers, 'Signature-Input': INPUT })).toThrow(BadSignatureError);
    expect(() => read({ ...headers, Signature: `sig1=${ONES}` })).toThrow(BadSignatureError);
  });

  it.each(['X-Actor', 'if-match', 'If-None-Match', 'X-Headroom-Now'])(
    'are refused where %s is there and not signed',
    (name) => {
      const headers = { 'signature-input': INPUT, signature: `sig1=${ONES}`, [name]: 'x' };
      expect(() => read(headers)).toThrow(`${name.toLowerCase()} is not signed`);
    },
  );

  it('are refused where a query or a body is there and not signed', () => {
    const headers = { 'signature-input': INPUT, signature: `sig1=${ONES}` };
    expect(() => read(headers, { rawQueryString: 'a=1' })).toThrow('@query is not signed');
    expect(() => read(headers, { body: '{}' })).toThrow('content-digest is not signed');
  });
});
