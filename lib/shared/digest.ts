import { hash } from 'node:crypto';
import { jsonText, pairsText } from './json-text.ts';
import type { CheckRequest, Payment, RecordRequest } from './request.ts';
import { joinParts } from './subject.ts';

/** A short name for a text: 16 characters, 96 bits of SHA-256. */
export function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 16);
}

/** A name for a set of counters: 8 characters, 48 bits. Home keeps it with an order that is counted at once. */
export function countersDigest(counters: readonly { readonly key: string }[]): string {
  return digestOf(joinParts(counters.map(({ key }) => key).sort())).slice(0, 8);
}

/** All of SHA-256, in hexadecimal, for what must not be forged. */
export function fullDigestOf(text: string): string {
  return hash('sha256', text, 'hex');
}

/**
 * Equal values give equal texts, different ones never: JSON with sorted names, instants as `@` and RFC 3339. An integer
 * is equal as a number and as a bigint. No list may have undefined in it.
 */
export function canonicalText(value: unknown): string {
  if (value instanceof Date) return `@${value.toISOString()}`;
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    const written = fields.map(
      ([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`,
    );
    return `{${written.join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Digests all that a check asks, but for `dryRun`, so that an order id used for something else is noticed. */
export function requestDigest(request: CheckRequest): string {
  const { holdMs, capture, leastMinor } = request;
  const partial = leastMinor === undefined ? '' : `,${leastMinor}`;
  return digestOf(`[${contentText(request)},${holdMs},${capture}${partial}]`);
}

/** Digests all that a record says. No check has the same. */
export function recordDigest(request: RecordRequest): string {
  const { happenedAt, ending } = request;
  const code = jsonText(ending?.reasonCode ?? null);
  const failed = ending === undefined ? '' : `,${jsonText(ending.to)},${code}`;
  return digestOf(`[${contentText(request)},"record","${happenedAt.toISOString()}"${failed}]`);
}

/** Stored digests are of this text, so it never changes. */
function contentText(request: Payment): string {
  const { type = '', subjects, amountMinor, currency, count, attributes } = request;
  const amounts = `${amountMinor},${jsonText(currency)},${count}`;
  return `${jsonText(type)},${sortedText(subjects)},${amounts},${sortedText(attributes)}`;
}

function sortedText(record: Parameters<typeof pairsText>[1]): string {
  return pairsText(Object.keys(record).sort(), record);
}
