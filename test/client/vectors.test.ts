import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatted } from '../../tools/formatted.ts';
import { messageOf } from '../../packages/client/src/calls.ts';
import { keyOf, signatureHeaders } from '../../packages/client/src/signing.ts';
import { vectors } from './vectors.ts';

const OPENSSL = [
  't2M8d2cJlpqxIe4xj+cEEpiygrMFXTsZHdjtqIs1EOA=',
  'yasCcg9xbmk/s5g5bv73hmkpDKXpiBF2Q9K/HkO4uCY=',
  'ldyzG4noKd6FhHk6xrv3iXNpU5KsrEgyEiUHTzXG+Y0=',
];
const FILE = join(import.meta.dirname, '..', '..', 'examples', 'clients', 'vectors.json');

describe('examples/clients/vectors.json', () => {
  it('has what Headroom expects of signed calls; write it again with -u', async () => {
    await expect(await formatted(FILE, JSON.stringify(vectors()))).toMatchFileSnapshot(FILE);
  });

  // Made with openssl: printf '"@method": …' | openssl dgst -sha256 -hmac hrs_a-secret -binary | base64
  it.each(OPENSSL)('has %s, which openssl makes of the same call', (signature) => {
    expect(readFileSync(FILE, 'utf8')).toContain(`"hr=:${signature}:"`);
  });
});

type Vectors = ReturnType<typeof vectors>;
const { signatures, targets } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors; // the test above says so

describe('the TypeScript client', () => {
  it.each(signatures)('signs as expected, where $why', async (vector) => {
    const content = { ...vector, body: new TextEncoder().encode(vector.body) };
    const signed = await signatureHeaders(await keyOf(vector.secret), vector, content);
    expect(signed).toEqual({
      ...(vector.contentDigest === '' ? {} : { 'Content-Digest': vector.contentDigest }),
      'Signature-Input': vector.signatureInput,
      Signature: vector.signature,
    });
  });

  it.each(targets)('asks about order $orderId at $target', ({ orderId, target }) => {
    expect(messageOf('status', { orderId })).toEqual({ method: 'GET', target });
  });
});
