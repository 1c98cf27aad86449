import type { Example } from './examples.ts';

/** One request of each call of proposals, and its answer. */

const by = { kind: 'application', id: 'desk', person: 'jane@example.com' };
const other = { kind: 'application', id: 'desk', person: 'joe@example.com' };

/** A change of terms that waits. */
export const PROPOSED = {
  id: '3f2a9c01d4e5b6a7c8091b2d3e4f5a60-1',
  state: 'open',
  about: 'terms',
  operation: 'override',
  subject: { user: 'u-1' },
  rule: 'user-day',
  at: '2026-11-21T10:12:09.402Z',
  by,
  reason: 'buys a car',
  until: '2026-11-28T10:12:09.402Z',
  decided: null,
  max: { amount: 8_000_000 },
  currency: 'CNY',
} as const;

const decided = (state: string, reason: string, actor: typeof by = other) => ({
  ...PROPOSED,
  state,
  decided: { at: '2026-11-21T11:40:00.000Z', by: actor, reason },
});

/** By call. */
export const PROPOSALS_EXAMPLES = {
  caller: {
    answer: {
      by: { kind: 'application', id: 'desk', person: 'jane@example.com' },
      rights: ['rules:read', 'subjects:write', 'usage:read'],
      fourEyes: 'raises',
      currencies: { USDT: { digits: 6 } },
    },
  },
  listProposals: { answer: { proposals: [PROPOSED], next: null } },
  findProposal: {
    answer: {
      ...PROPOSED,
      asked: { max: { amount: 8_000_000 }, from: null, effectiveAfter: null, until: null },
      changes: null,
      refused: null,
      terms: { freeze: null, overrides: [] },
      lookAlikes: [],
      effect: {
        currency: 'CNY',
        steps: [
          {
            from: '2026-11-21T11:02:44.120Z',
            until: null,
            before: { max: { amount: 5_000_000, count: 100 } },
            after: { max: { amount: 8_000_000, count: 100 } },
          },
        ],
      },
    },
  },
  approve: {
    request: { reason: 'the contract is here' },
    answer: decided('approved', 'the contract is here'),
  },
  reject: {
    request: { reason: 'no contract' },
    answer: decided('rejected', 'no contract'),
  },
  withdraw: { answer: decided('withdrawn', 'a mistake', by) },
} as const satisfies Readonly<Record<string, Example>>;
