import { messageOf } from './calls.ts';
import type { Signer } from './signing.ts';
import type { Answered, Transport } from './transport.ts';

/** Headers of each attempt, or what makes them: a token may have to be fetched again. */
export type Headers =
  | Readonly<Record<string, string>>
  | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);

/** How calls go over HTTP. */
export type HttpOptions = {
  /** Everything before `/v1`, a stage as well: `https://limits.example.com/prod`. */
  readonly url: string;
  readonly signer?: Signer | undefined;
  readonly headers?: Headers | undefined;
  readonly fetch: typeof fetch;
};

/** Sends calls over HTTP with `fetch`. @throws TypeError where the address is none */
export function httpTransport({ url, signer, headers, fetch }: HttpOptions): Transport {
  const base = baseOf(url);
  return (call, request) => {
    const { method, target, text, headers: own } = messageOf(call, request);
    const body = new TextEncoder().encode(text);
    const content: RequestInit = text === undefined ? { method } : { method, body };
    const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
    const post = async (signal: AbortSignal) => {
      const given = typeof headers === 'function' ? await headers() : headers;
      const plain = together([type, given, own]);
      const signed = (await signer?.headersOf({ method, target, headers: plain, body })) ?? {};
      const all = together([plain, signed]);
      // The signature is for this address, and a POST that is redirected may become a GET.
      const sent: RequestInit = { ...content, headers: all, signal, redirect: 'manual' };
      return { signed, response: await fetch(`${base}${target}`, sent) };
    };
    return async (signal) => {
      const { signed, response } = await post(signal);
      const date = response.headers.get('date');
      if (response.status !== 401 || signer?.correctClock(signed, date) !== true)
        return answeredIn(response);
      await response.body?.cancel();
      return answeredIn((await post(signal)).response);
    };
  };
}

/** All headers; of those of one name, whose letters have no case, the last. */
function together(
  several: readonly (Readonly<Record<string, string>> | undefined)[],
): Record<string, string> {
  const all = several.flatMap((each) => Object.entries(each ?? {}));
  const named = new Map(all.map((each) => [each[0].toLowerCase(), each]));
  return Object.fromEntries(named.values());
}

function baseOf(url: string): string {
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isAddress || /[?#]/.test(url))
    throw new TypeError(
      `url is ${JSON.stringify(url)}, expected an address without /v1, such as https://limits.example.com`,
    );
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new TypeError('url has a user or a password, expected none: send them as headers');
  return url.replace(/\/+$/, '');
}

async function answeredIn(response: Response): Promise<Answered> {
  const requestId = response.headers.get('x-request-id');
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  // A body that nobody reads keeps the connection.
  const text = await textIn(response);
  const body = redirectIn(response) ?? jsonIn(text);
  return {
    status: response.status,
    body,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(requestId === null ? {} : { requestId }),
  };
}

/** A Lambda function answers 6 MB at most. Source: AWS Lambda developer guide, "Lambda quotas". */
const ANSWER_LENGTH_MAX = 8_000_000;

/** The text of an answer, or the beginning of one that Headroom cannot have sent. */
async function textIn({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let text = '';
  while (reader !== undefined && text.length <= ANSWER_LENGTH_MAX) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader?.cancel();
  return text;
}

/** Where a redirect leads, which a browser hides; undefined where it is none. */
function redirectIn({ status, type, headers }: Response): string | undefined {
  if (type !== 'opaqueredirect' && ![301, 302, 303, 307, 308].includes(status)) return undefined;
  return `a redirect to ${headers.get('location') ?? 'another address'}, which is not followed`;
}

/** Seconds or an instant (RFC 9110, 10.2.3), as milliseconds from now on. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  const ms = Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
