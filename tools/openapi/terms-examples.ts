import type { Example } from './examples.ts';

/** One request of each call of subjects' terms, and its answer. */

const by = { kind: 'application', id: 'desk', person: 'jane@example.com' };
const now = '2026-11-21T10:12:09.402Z';
const until = '2026-12-01T00:00:00.000Z';
const subject = { user: 'u-1' };
const stretch = { inForce: true, from: now, until };
const version = '8f14e45f-ceea-467f-a0e6-1d4c2b7a9c55';
const override = {
  id: version,
  rule: 'user-day',
  max: { amount: 8_000_000 },
  currency: 'CNY',
  ...stretch,
  at: now,
  by,
  reason: 'buys a car',
};
const freeze = { ...stretch, until: null, at: now, by, reason: 'a lost card' };
const own = { max: { amount: 8_000_000, count: 100 } };
const ofRule = { max: { amount: 5_000_000, count: 100 } };
/** The override ends then. */
const effect = {
  currency: 'CNY',
  steps: [
    { from: now, until, before: ofRule, after: own },
    { from: until, until: null, before: ofRule, after: ofRule },
  ],
};
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
    answer: { subject, freeze: null, overrides: [override], version, now, effect },
  },
  endOverride: {
    answer: {
      ...none,
      effect: {
        currency: 'CNY',
        steps: [
          { from: now, until, before: own, after: ofRule },
          { from: until, until: null, before: ofRule, after: ofRule },
        ],
      },
    },
  },
  freeze: {
    request: { reason: 'a lost card' },
    answer: {
      subject,
      freeze,
      overrides: [],
      version,
      now,
      effect: {
        steps: [{ from: now, until: null, before: { frozen: false }, after: { frozen: true } }],
      },
    },
  },
  unfreeze: {
    answer: {
      ...none,
      effect: {
        steps: [{ from: now, until: null, before: { frozen: true }, after: { frozen: false } }],
      },
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
