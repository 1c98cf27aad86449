import type { Example } from './examples.ts';

/** One request of each call of rules, and its answer: those of docs/rules-over-http.md. */

const rule = {
  per: ['user'],
  currency: 'CNY',
  match: { type: 'TRANSFER' },
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 2_000_000 },
  mode: 'draft',
};
const stored = { id: 'transfer-day', ...rule };
const reason = 'transfers get a limit of their own';
const author = {
  at: '2026-11-21T10:12:09.402Z',
  by: { kind: 'local', id: 'local', person: 'jane@example.com' },
  reason,
};
const change = {
  id: 'transfer-day',
  change: 'added',
  counter: 'none',
  because: [],
  sharedWith: [],
  says: 'counts nothing',
};
const changed = { revision: 2, changed: true, dryRun: false, changes: [change], warnings: [] };
const gone = { ...changed, revision: 3, changes: [{ ...change, change: 'deleted' }] };

/** By call. */
export const RULES_EXAMPLES = {
  listRules: {
    answer: {
      revision: 2,
      rules: [stored],
      versions: { 'transfer-day': 2 },
      sentences: {
        'transfer-day':
          'at most ¥20,000.00 a day in Asia/Shanghai, per user, of type TRANSFER, a draft',
      },
    },
  },
  replaceRules: { request: { rules: [stored], reason }, answer: changed },
  findRule: {
    answer: {
      id: 'transfer-day',
      version: 2,
      ...author,
      sentence: 'at most ¥20,000.00 a day in Asia/Shanghai, per user, of type TRANSFER, a draft',
      rule: stored,
    },
  },
  putRule: { request: { rule, reason }, answer: changed },
  deleteRule: { answer: gone },
  ruleVersions: {
    answer: {
      id: 'transfer-day',
      versions: [{ version: 2, change: 'added', ...author, before: null, after: stored }],
      next: null,
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
