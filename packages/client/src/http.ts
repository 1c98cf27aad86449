import { messageOf } from './message.ts';
import type { Signer } from './signing.ts';
import type { Answered, Transport } from './transport.ts';

/** Headers of each attempt, or what makes them: a token may have to be fetched anew. */
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
    const post = async (signal: AbortSignal): Promise<Response> => {
      const given = typeof headers === 'function' ? await headers() : headers;
      const signed = await signer?.headersOf({ method, target, body });
      const all = { ...type, ...given, ...own, ...signed };
      return fetch(`${base}${target}`, { ...content, headers: all, signal });
    };
    return async (signal) => {
      const response = await post(signal);
      if (response.status !== 401 || signer?.correctClock(response.headers.get('date')) !== true)
        return answeredIn(response);
      await response.body?.cancel();
      return answeredIn(await post(signal));
    };
  };
}

function baseOf(url: string): string {
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
  if (!isAddress || /[?#]/.test(url))
    throw new TypeError(
      `url is ${JSON.stringify(url)}, expected everything before /v1, such as https://limits.example.com`,
    );
  return url.replace(/\/+$/, '');
}

async function answeredIn(response: Response): Promise<Answered> {
  const requestId = response.headers.get('x-request-id');
  const retryAfterMs = readRetryAfter(response.headers.get('retry-after'));
  return {
    status: response.status,
    body: jsonIn(await response.text()),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(requestId === null ? {} : { requestId }),
  };
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
