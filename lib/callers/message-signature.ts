import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { APP_ID_PATTERN } from '../http/app.ts';
import { BadSignatureError } from '../http/caller-source.ts';
import type { Envelope } from '../http/envelope.ts';
import { bodyBytes } from '../http/envelope.ts';
import { DECIDING_HEADERS } from '../http/requests.ts';
import type { ReadSignature } from './signature.ts';
import { soleHeader } from './signature.ts';

type HttpEnvelope = Extract<Envelope, { readonly kind: 'http' }>;

/** A part of a message that is signed: its name, and its value. */
export type Component = readonly [name: string, value: string];

/** Whether a call is signed by RFC 9421, and not in the old way. */
export function isMessageSigned({ headers }: HttpEnvelope): boolean {
  return soleHeader(headers, INPUT) !== undefined;
}

const INPUT = 'Signature-Input';
const SIGNATURE = 'Signature';
const DIGEST = 'Content-Digest';

/**
 * Reads a signature of RFC 9421, HTTP Message Signatures, by HMAC-SHA256. All that decides must be signed: the
 * method, the path, a query, a body by its `Content-Digest` (RFC 9530), and each of DECIDING_HEADERS that is there.
 *
 * The path and the query are those of `readRequestLine`. It takes one signature, in the form in which RFC 9421
 * serializes it, with the parameters `created`, `keyid` and `nonce`. So what was sent is what was signed.
 *
 * @throws BadSignatureError where it has another form, or something that decides is not signed
 */
export function readMessageSignature(envelope: HttpEnvelope): ReadSignature {
  const { label, names, parameters, input } = readInput(soleHeader(envelope.headers, INPUT));
  const appId = parameters.get('keyid') ?? '';
  const refuse = (detail: string): never => {
    throw new BadSignatureError(detail, detail, APP_ID_PATTERN.test(appId) ? appId : undefined);
  };
  const created = parameters.get('created');
  if (created === undefined || !APP_ID_PATTERN.test(appId) || !parameters.has('nonce'))
    return refuse(`${INPUT} lacks created, keyid or nonce: send all three, with your id as keyid`);
  for (const name of decidingIn(envelope))
    if (!names.includes(name))
      refuse(`${name} is not signed: name it in ${INPUT}, or do not send it`);
  const given = soleHeader(envelope.headers, SIGNATURE);
  const [, itsLabel, signature = ''] = SIGNATURE_FORM.exec(String(given)) ?? [];
  if (itsLabel !== label)
    refuse(`${SIGNATURE} is not of its form: expected ${label}=:…: with 32 bytes in base64`);
  const components = names.map((name): Component => [name, componentOf(envelope, name, refuse)]);
  const base = signatureBase(components, input);
  return {
    appId,
    signedAtMs: Number(created) * 1000,
    saidIn: 'created',
    signature,
    isBy: (secret) => isSameSecretly(messageSignatureOf(secret, base), signature),
  };
}

/** Writes what is signed. Source: RFC 9421, 2.5. @param input the covered components and parameters, as they are sent */
export function signatureBase(components: readonly Component[], input: string): string {
  const lines = components.map(([name, value]) => `"${name}": ${value}`);
  return [...lines, `"@signature-params": ${input}`].join('\n');
}

/** Signs by HMAC-SHA256, in base64. Source: RFC 9421, 3.3.3. @param secret a text is its bytes in UTF-8 */
export function messageSignatureOf(secret: string | Uint8Array, base: string): string {
  return createHmac('sha256', secret).update(base, 'utf8').digest('base64');
}

/** Writes the header `Content-Digest`. Source: RFC 9530, 2. */
export function contentDigestOf(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
}

type Input = {
  readonly label: string;
  readonly names: readonly string[];
  readonly parameters: ReadonlyMap<string, string>;
  /** All of it behind the label. */
  readonly input: string;
};

const INPUT_FORM =
  /^([a-z*][a-z0-9_.*-]{0,63})=(\(("[a-z@][a-z0-9-]*"(?: "[a-z@][a-z0-9-]*")*)\)(.*))$/;
const SIGNATURE_FORM = /^([a-z*][a-z0-9_.*-]{0,63})=:([A-Za-z0-9+/]{43}=):$/;
/** A text has neither quotation marks nor backslashes: nothing in it is escaped. */
const PARAMETERS: readonly (readonly [string, RegExp])[] = [
  ['created', /^\d{1,12}$/],
  ['keyid', /^"[^"\\]{1,64}"$/],
  ['nonce', /^"[!#-[\]-~]{1,128}"$/],
  ['alg', /^"hmac-sha256"$/],
  ['tag', /^"[ !#-[\]-~]{0,128}"$/],
];
const COVERED_MAX = 32;

function readInput(given: unknown): Input {
  const [, label = '', input = '', list = '', rest = ''] = INPUT_FORM.exec(String(given)) ?? [];
  const names = list.slice(1, -1).split('" "');
  const parts = rest.split(';').slice(1);
  const parameters = new Map(
    parts.map((part) => {
      const [name = '', ...value] = part.split('=');
      return [name, value.join('=')] as const;
    }),
  );
  const isKnown = [...parameters].every(([name, value]) =>
    PARAMETERS.some(([known, form]) => known === name && form.test(value)),
  );
  const isOnce = new Set(names).size === names.length && parameters.size === parts.length;
  if (label === '' || !isKnown || !isOnce || !rest.startsWith(';') || names.length > COVERED_MAX)
    throw new BadSignatureError(
      `${INPUT} is not of its form: expected one signature as RFC 9421 writes it, such as hr=("@method" "@path");created=1767225600;keyid="shop";nonce="…"`,
      `${INPUT} has no form`,
    );
  const plain = [...parameters].map(([name, value]) => [name, value.replaceAll('"', '')] as const);
  return { label, names, parameters: new Map(plain), input };
}

/** The names of all that decides in a call. */
function decidingIn(envelope: HttpEnvelope): readonly string[] {
  const { headers, line } = envelope;
  const present = DECIDING_HEADERS.filter((name) => soleHeader(headers, name) !== undefined);
  return [
    '@method',
    '@path',
    ...(line.target.includes('?') ? ['@query'] : []),
    ...(bodyBytes(envelope).length > 0 ? [DIGEST] : []),
    ...present,
  ].map((name) => name.toLowerCase());
}

/** The value of a part of a call. Source: RFC 9421, 2.1, 2.2.1, 2.2.6 and 2.2.7. */
function componentOf(
  envelope: HttpEnvelope,
  name: string,
  refuse: (detail: string) => never,
): string {
  const { method, target } = envelope.line;
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (name === '@method') return method;
  if (name === '@path') return path;
  if (name === '@query') return `?${query}`;
  const value = name.startsWith('@') ? undefined : soleHeader(envelope.headers, name);
  if (typeof value !== 'string')
    return refuse(
      `${name} is signed and not there: expected a header that is sent once, @method, @path or @query`,
    );
  if (name === DIGEST.toLowerCase() && !isSameSecretly(value, contentDigestOf(bodyBytes(envelope))))
    refuse(
      `${DIGEST} is not that of the body: expected sha-256=:…: of the very bytes that are sent`,
    );
  return value.trim();
}

/** Compares in a time that does not depend on how nearly two texts are one. */
function isSameSecretly(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one, 'utf8'), Buffer.from(other, 'utf8')];
  return first.length === second.length && timingSafeEqual(first, second);
}
