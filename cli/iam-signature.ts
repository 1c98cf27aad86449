import { createHash, createHmac } from 'node:crypto';
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { SignatureV4 } from '@smithy/signature-v4';

/** The name by which IAM knows calls of API Gateway. */
const SERVICE = 'execute-api';

/** SHA-256, or its HMAC, as the signer asks for it. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : bytesOf(secret));
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytesOf(data));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()));
  }
}

function bytesOf(data: ArrayBuffer | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}

/**
 * Makes a `fetch` that signs each request for IAM (AWS Signature Version 4), by the credentials that the
 * AWS command line would take.
 *
 * @param region where the API is deployed
 * @param send what sends the signed request
 * @throws Error if this machine has no credentials: a call would try again and again, and blame the network
 */
export async function iamFetch(region: string, send: typeof fetch): Promise<typeof fetch> {
  const credentials = defaultProvider(); // it remembers them until they expire
  await credentials().catch((error: unknown) => {
    throw new Error(
      'HEADROOM_IAM_REGION asks for signed calls, and there are no AWS credentials. Run aws configure, or set AWS_PROFILE',
      { cause: error },
    );
  });
  const signer = new SignatureV4({ service: SERVICE, region, credentials, sha256: Sha256 });
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const { body } = init;
    const headers = Object.fromEntries(new Headers(init.headers));
    const signed = await signer.sign({
      method: init.method ?? 'GET',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: queryOf(url),
      headers: { ...headers, host: url.host },
      ...(body === undefined || body === null ? {} : { body }),
    });
    return send(url, { ...init, headers: signed.headers });
  };
}

/** A name that stands several times has all its values. */
function queryOf({ searchParams }: URL): Record<string, string[]> {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, searchParams.getAll(name)]));
}
