/** An application that signs its calls. */
export type Application = {
  readonly id: string;
  /** As `npm run apps -- add` printed it. It belongs on no machine of a payer. */
  readonly secret: string;
};

/** The parts of a call that are signed. */
export type SignedContent = {
  /** In capital letters. */
  readonly method: string;
  /** The route's path, without what a stage or a domain puts before it, and the query. */
  readonly target: string;
  /** All that are sent. Those by which the call does something else are signed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The very bytes that are sent. */
  readonly body: ReturnType<InstanceType<typeof TextEncoder>['encode']>;
};

/** Signs calls of one application. */
export type Signer = {
  /** The headers of one attempt; no two are the same, for a signature may be taken only once. */
  readonly headersOf: (content: SignedContent) => Promise<Record<string, string>>;
  /**
   * Uses the clock of the server that refused a signature, if it differs from the local clock.
   *
   * @param signed the headers that were refused: others that were signed meanwhile may have corrected it
   * @param date of the answer's header `Date`
   * @returns whether that may be why it was refused
   */
  readonly correctClock: (signed: Record<string, string>, date: string | null) => boolean;
};

/** Headers by which a call does something else: Headroom takes none of them unsigned. */
const DECIDING = ['x-actor', 'if-match', 'if-none-match', 'x-headroom-now'];
/** The label of the signature in its headers. */
const LABEL = 'hr';
/** A minute: far below the five that Headroom tolerates, and above what a slow answer explains. */
const CLOCK_DIFFERENCE_MS = 60_000;

const utf8 = new TextEncoder();

/**
 * Makes a signer with WebCrypto, which Node, browsers and workers have.
 *
 * @throws TypeError where the secret is empty
 * @param now the clock, in milliseconds since 1970
 */
export function createSigner({ id, secret }: Application, now: () => number): Signer {
  if (secret === '') throw new TypeError('app.secret is empty, expected the text that was printed');
  let key: Promise<Key> | undefined;
  let offsetMs = 0;
  return {
    async headersOf(content) {
      key ??= keyOf(secret);
      const created = Math.floor((now() + offsetMs) / 1000);
      return signatureHeaders(await key, { appId: id, created, nonce: newNonce() }, content);
    },
    correctClock(signed, date) {
      const theirMs = Date.parse(date ?? '');
      const [, created] = /;created=(\d+)/.exec(signed['Signature-Input'] ?? '') ?? [];
      const signedMs = Number(created) * 1000;
      if (!(Math.abs(theirMs - signedMs) > CLOCK_DIFFERENCE_MS)) return false; // also without a date
      offsetMs = theirMs - now();
      return true;
    },
  };
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Makes the key that signs from the text of a secret. */
export function keyOf(secret: string): Promise<Key> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign']);
}

/**
 * Signs a call by RFC 9421, HTTP Message Signatures: its method, path and query, its body by `Content-Digest`
 * (RFC 9530), and the headers that decide.
 */
export async function signatureHeaders(
  key: Key,
  {
    appId,
    created,
    nonce,
  }: { readonly appId: string; readonly created: number; readonly nonce: string },
  { method, target, headers = {}, body }: SignedContent,
): Promise<Record<string, string>> {
  const [path = '', query] = target.split(/\?(.*)/s);
  const named = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const digest =
    body.length === 0
      ? undefined
      : `sha-256=:${base64(await crypto.subtle.digest('SHA-256', body))}:`;
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['@method', method],
    ['@path', path],
    ['@query', query === undefined ? undefined : `?${query}`],
    ['content-digest', digest],
    ...DECIDING.map((name) => [name, named.get(name)?.trim()] as const),
  ];
  const components = parts.filter(([, value]) => value !== undefined);
  const names = components.map(([name]) => `"${name}"`).join(' ');
  const input = `(${names});created=${created};keyid="${appId}";nonce="${nonce}"`;
  const lines = components.map(([name, value]) => `"${name}": ${value}`);
  const base = [...lines, `"@signature-params": ${input}`].join('\n');
  const signature = base64(await crypto.subtle.sign('HMAC', key, utf8.encode(base)));
  return {
    ...(digest === undefined ? {} : { 'Content-Digest': digest }),
    'Signature-Input': `${LABEL}=${input}`,
    Signature: `${LABEL}=:${signature}:`,
  };
}

/** 16 bytes of chance, so that repeats differ. */
function newNonce(): string {
  return base64(crypto.getRandomValues(new Uint8Array(16)).buffer);
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}
