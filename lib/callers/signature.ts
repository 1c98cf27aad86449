import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { SIGNATURE_TOLERANCE_MS } from '../shared/bounds.ts';
import { BadSignatureError } from '../http/caller-source.ts';
import { APP_ID_PATTERN } from '../http/app.ts';
import type { Envelope } from '../http/envelope.ts';
import { bodyBytes } from '../http/envelope.ts';

/** The signed parts of a call. */
type SignedContent = {
  /** X-Timestamp as it was sent. */
  readonly timestamp: string;
  readonly method: string;
  /** See `readRequestLine`. */
  readonly target: string;
  readonly body: Uint8Array;
};

const VERSION = 'v1';

/**
 * Signs a call: `v1=` and the HMAC-SHA256, in hexadecimal digits, of five lines, the last without an end:
 * `v1`, timestamp, method, target, and the SHA-256 of the body in hexadecimal digits. The key is UTF-8.
 */
export function signatureOf(secret: string, content: SignedContent): string {
  const { timestamp, method, target, body } = content;
  const bodyHash = createHash('sha256').update(body).digest('hex');
  const lines = [VERSION, timestamp, method, target, bodyHash].join('\n');
  return `${VERSION}=${createHmac('sha256', secret).update(lines, 'utf8').digest('hex')}`;
}

/** Whether a call was signed with a secret, in a time that does not depend on how nearly. */
export function isSignedWith(secret: string, content: SignedContent, signature: string): boolean {
  const expected = Buffer.from(signatureOf(secret, content), 'utf8');
  const given = Buffer.from(signature, 'utf8');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** A signature that came with a call. */
export type ReadSignature = {
  readonly appId: string;
  /** In milliseconds since 1970, and the header or parameter that says so. */
  readonly signedAtMs: number;
  readonly saidIn: string;
  /** As it is remembered: no other text is the same signature. */
  readonly signature: string;
  readonly isBy: (secret: string) => boolean;
};

const HEADERS = [
  ['X-App-Id', APP_ID_PATTERN, 'lower-case letters, digits and hyphens'],
  ['X-Timestamp', /^\d{1,12}(\.\d{1,9})?$/, 'seconds since 1970, such as 1767225600'],
  ['X-Signature', /^v1=[0-9a-f]{64}$/, 'v1= and 64 hexadecimal digits in lower case'],
] as const;

/**
 * Reads a signature of the old form, which signs no header: Headroom 0.1 reads it, and 0.2 does not.
 *
 * @throws BadSignatureError where a header is missing, stands twice, or is not of its form
 */
export function readOldSignature(
  envelope: Extract<Envelope, { readonly kind: 'http' }>,
): ReadSignature {
  const [appId = '', timestamp = '', signature = ''] = HEADERS.map(([name, form, expected]) => {
    const value = soleHeader(envelope.headers, name);
    if (typeof value !== 'string')
      throw new BadSignatureError(
        `the headers Signature-Input and Signature must be there once: this deployment accepts only signed calls`,
        `${name} is missing or stands twice`,
      );
    if (!form.test(value))
      throw new BadSignatureError(`${name} is not of its form: ${expected}`, `${name} has no form`);
    return value;
  });
  const { method, target } = envelope.line;
  return {
    appId,
    signedAtMs: Number(timestamp) * 1000,
    saidIn: 'X-Timestamp',
    signature,
    isBy: (secret) =>
      isSignedWith(secret, { timestamp, method, target, body: bodyBytes(envelope) }, signature),
  };
}

/** A header that stands once. Two of one name, in other letters, are null: nobody knows which one counts. */
export function soleHeader(headers: unknown, name: string): unknown {
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const [first, second] = given.filter(([each]) => each.toLowerCase() === name.toLowerCase());
  return second === undefined ? first?.[1] : null;
}

/** @throws BadSignatureError where it was signed more than SIGNATURE_TOLERANCE_MS away, either way */
export function assertTimely({ signedAtMs, saidIn, appId }: ReadSignature, nowMs: number): void {
  const aheadMs = signedAtMs - nowMs;
  if (Math.abs(aheadMs) <= SIGNATURE_TOLERANCE_MS) return;
  const seconds = Math.ceil(Math.abs(aheadMs) / 1000);
  throw new BadSignatureError(
    `${saidIn} is ${seconds} s from the clock here, at most ${SIGNATURE_TOLERANCE_MS / 1000} are taken: set the caller's clock, and sign each call when it is sent`,
    `the caller’s clock is ${seconds} s ${aheadMs < 0 ? 'behind' : 'ahead'}, or the call was signed long before it was sent`,
    appId,
  );
}
