import type { Example } from './examples.ts';

/** One request of each call of subjects' terms, and its answer. */

const by = { kind: 'application', id: 'desk', person: 'jane@example.com' };
const now = '2026-11-21T10:12:09.402Z';
const until = '2026-12-01T00:00:00.000Z';
const subject = { user: 'u-1' };
const stretch = { inForce: true, from: now, until };
const override = {
  rule: 'user-day',
  max: { amount: 8_000_000 },
  ...stretch,
  ...{ at: now, by, reason: 'buys a car' },
};
const freeze = { ...stretch, until: null, at: now, by, reason: 'a lost card' };
const version = '8f14e45f-ceea-467f-a0e6-1d4c2b7a9c55';
const none = { subject, freeze: null, overrides: [], version: 'none', now };

/** By call. */
export const TERMS_EXAMPLES = {
  terms: { answer: { subject, freeze: null, overrides: [override], version, now } },
  termsChanges: {
    answer: {
      subject,
      changes: [
        {
          change: 'override',
          rule: 'user-day',
          at: now,
          by,
          reason: 'buys a car',
          before: null,
          after: { freeze: null, overrides: [override] },
        },
      ],
      next: null,
    },
  },
  findOverride: { answer: { subject, overrides: [override], now } },
  override: {
    request: {
      max: { amount: 8_000_000 },
      until: '2026-12-01T00:00:00Z',
      reason: 'buys a car',
    },
    answer: { subject, freeze: null, overrides: [override], version, now },
  },
  endOverride: { answer: none },
  freeze: {
    request: { reason: 'a lost card' },
    answer: { subject, freeze, overrides: [], version, now },
  },
  unfreeze: { answer: none },
} as const satisfies Readonly<Record<string, Example>>;
