import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatted } from '../../tools/formatted.ts';
import { messageOf } from '../../packages/client/src/message.ts';
import { keyOf, signatureOf } from '../../packages/client/src/signing.ts';
import { vectors } from './vectors.ts';

const FILE = join(import.meta.dirname, '..', '..', 'examples', 'clients', 'vectors.json');

describe('examples/clients/vectors.json', () => {
  it('has what Headroom expects of signed calls; write it again with -u', async () => {
    await expect(await formatted(FILE, JSON.stringify(vectors()))).toMatchFileSnapshot(FILE);
  });

  // Made with openssl: printf 'v1\n…' | openssl dgst -sha256 -hmac hrs_a-secret
  it.each([
    'v1=3e6fb970a7b8b3fc31cc43fe7ec243be8d1a8845ebf6755ca87faf18c2d96d16',
    'v1=07275134a3b9b7313a3396d558b175b20bc271c5c9bf216f41902d3467f8b524',
  ])('has %s, which openssl makes of the same call', (signature) => {
    expect(readFileSync(FILE, 'utf8')).toContain(`"${signature}"`);
  });
});

type Vectors = ReturnType<typeof vectors>;
const { signatures, targets } = JSON.parse(readFileSync(FILE, 'utf8')) as Vectors; // the test above says so

describe('the TypeScript client', () => {
  it.each(signatures)('signs as expected, where $why', async ({ signature, ...vector }) => {
    const content = { ...vector, body: new TextEncoder().encode(vector.body) };
    const signed = await signatureOf(await keyOf(vector.secret), vector.timestamp, content);
    expect(signed).toBe(signature);
  });

  it.each(targets)('asks about order $orderId at $target', ({ orderId, target }) => {
    expect(messageOf('status', { orderId })).toEqual({ method: 'GET', target });
  });
});
