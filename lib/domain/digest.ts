import { createHash } from 'node:crypto';
import type { CheckRequest } from './request.ts';
import { joinParts } from './subject.ts';

/** A short name for a text: 16 characters, 96 bits of SHA-256. Equal texts have equal names. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, 16);
}

/** All of SHA-256, in hexadecimal, for what must not be forged. */
export function fullDigestOf(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * The digest of all that a check asks, so that an order id used for something else is noticed.
 * `dryRun` does not count: it asks about the same transaction.
 */
export function requestDigest(request: CheckRequest): string {
  const entries = (record: Readonly<Record<string, unknown>>): string =>
    joinParts(
      Object.keys(record)
        .sort()
        .map((key) => joinParts([key, typeof record[key], String(record[key])])),
    );
  return digestOf(
    joinParts([
      request.type ?? '',
      entries(request.subjects),
      String(request.amountMinor),
      request.currency,
      String(request.count),
      entries(request.attributes),
      String(request.holdMs),
      String(request.capture),
    ]),
  );
}
