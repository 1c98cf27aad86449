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

const VERSION = 'v1';
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
      const timestamp = timestampOf(now() + offsetMs);
      return {
        'X-App-Id': id,
        'X-Timestamp': timestamp,
        'X-Signature': await signatureOf(await key, timestamp, content),
      };
    },
    correctClock(signed, date) {
      const theirMs = Date.parse(date ?? '');
      const signedMs = Number(signed['X-Timestamp']) * 1000;
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

/** The header `X-Signature`. @param timestamp the header `X-Timestamp` */
export async function signatureOf(
  key: Key,
  timestamp: string,
  { method, target, body }: SignedContent,
): Promise<string> {
  const bodyHash = hex(await crypto.subtle.digest('SHA-256', body));
  const lines = [VERSION, timestamp, method, target, bodyHash].join('\n');
  return `${VERSION}=${hex(await crypto.subtle.sign('HMAC', key, utf8.encode(lines)))}`;
}

/** Seconds with nine decimals, of which the last six are chance: so repeats differ. */
function timestampOf(ms: number): string {
  const [chance = 0] = crypto.getRandomValues(new Uint32Array(1));
  const whole = Math.floor(ms);
  const milliseconds = String(whole % 1000).padStart(3, '0');
  return `${Math.floor(whole / 1000)}.${milliseconds}${String(chance % 1_000_000).padStart(6, '0')}`;
}

function hex(bytes: ArrayBuffer): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
