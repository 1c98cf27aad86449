import type { JsonObject } from '../../lib/http/json.ts';
import { STALE_PATTERN } from './duration-patterns.ts';
import { EXAMPLES } from './examples.ts';
import { HISTORY_OPERATIONS } from './history-operations.ts';
import { referenceTo } from './json-schema.ts';
import { NEAR_OPERATION } from './near.ts';
import type { Operation } from './operation.ts';
import { operationJson } from './operation.ts';
import { PROPOSALS_OPERATIONS } from './proposals-operations.ts';
import { ATTRIBUTES, CONTENT_LANGUAGE, LANGUAGE, SUBJECTS, TYPE } from './parameters.ts';
import { RULES_OPERATIONS } from './rules-operations.ts';
import { TERMS_OPERATIONS } from './terms-operations.ts';

/**
 * The calls as operations of the document: one row of OPERATIONS for each. Those of rules, of
 * subjects' terms, of proposals and of the past stand in files of their own.
 *
 * To add the call `pay`, deployed as infra/serverless/functions.yml says:
 *
 * 1. `EXAMPLES.pay` in examples.ts: its request, where it has a body, and its answer.
 * 2. In requests.ts, where it has a body: `component('PayRequest', BODY, paySchema)` with the schema that
 *    validates, and in `requestComponents` what is to be said of each field. Of a schema that zod cannot
 *    write, a pipe or a function of ours, `means` says what it means.
 * 3. In contract/ its answer, a schema with every field that the function writes, and `pay` in
 *    contract/answers.ts. The function's types, this document and the client's types come from it.
 * 4. Its row in OPERATIONS. What stands in the path, the query or headers are `parameters`.
 * 5. A new code of a problem is named in ADVICE, in problems.ts.
 * 6. Its handler in test/support/handlers.ts, which holds every answer of every test to the document.
 * 7. `npx vitest run test/openapi -u` writes docs/openapi.json and the client's types. A call with a body and no parameters is
 *    sent requests that the document allows and forbids; a test of its own does so for others, see `usage`
 *    in test/openapi/agreement.test.ts. Whatever is forgotten here fails one of these tests.
 */

const ORDER_ID: JsonObject = {
  name: 'orderId',
  in: 'path',
  required: true,
  description:
    'The order, percent-encoded: `o 1` is `o%201`. Not one called `.` or `..`, which every URL loses: it is asked for by direct invocation.',
  schema: referenceTo('Text'),
  example: 'p-1',
};

const STALE: JsonObject = {
  name: 'stale',
  in: 'query',
  description:
    'How far behind the answer may be, an ISO 8601 duration from PT1S to PT1H: a secondary may answer, which takes nothing from those who pay. Not at all where nothing is said. Other ways to write such a length are taken, too.',
  schema: { type: 'string', pattern: STALE_PATTERN },
  example: 'PT10S',
};

const SETTLE_CODES = ['NOT_FOUND', 'ORDER_AMBIGUOUS', 'ALREADY_CONFIRMED', 'FORGOTTEN'] as const;

const FINAL = 'It may be repeated unchanged: a repeat changes nothing.';

const OPERATIONS: Readonly<Record<string, Operation>> = {
  check: {
    ...{ method: 'post', path: '/v1/check', tag: 'One order', name: 'Check' },
    summary: 'May this happen?',
    description: `Decides by every rule that applies, and holds the order's share of each. A refusal is an answer, and takes nothing. ${FINAL}`,
    answers: 'Allowed or refused.',
    codes: [
      ...(['ORDER_REUSED', 'ALREADY_ROLLED_BACK', 'TOO_MANY_OPEN_HOLDS'] as const),
      ...(['TOO_MANY_BUCKETS', 'COUNTER_FULL', 'TOO_MANY_RULES', 'CLOCK_SKEW'] as const),
    ],
    example: EXAMPLES.check,
  },
  confirm: {
    ...{ method: 'post', path: '/v1/confirm', tag: 'One order', name: 'Confirm' },
    summary: 'It happened',
    description: 'What was held is counted. An expired hold is counted all the same.',
    answers: 'It is counted.',
    codes: [...SETTLE_CODES, 'ALREADY_ROLLED_BACK'],
    example: EXAMPLES.confirm,
  },
  rollback: {
    ...{ method: 'post', path: '/v1/rollback', tag: 'One order', name: 'Rollback' },
    summary: 'It did not happen',
    description: 'What was held is given back. It is final: the order cannot be checked again.',
    answers: 'It is given back.',
    codes: [...SETTLE_CODES, 'RESERVATION_REPLACED'],
    example: EXAMPLES.rollback,
  },
  refund: {
    ...{ method: 'post', path: '/v1/refund', tag: 'One order', name: 'Refund' },
    summary: 'It was paid back',
    description:
      'After a confirm, in part or whole, and as often as there is something left. It needs the audit.',
    answers: 'What is refunded by now.',
    codes: [
      ...(['NOT_FOUND', 'AUDIT_OFF', 'ORDER_AMBIGUOUS', 'ALREADY_ROLLED_BACK'] as const),
      ...(['NOT_CONFIRMED', 'REFUND_REUSED', 'NOT_RECORDED'] as const),
      ...(['REFUND_TOO_LARGE', 'TOO_MANY_REFUNDS'] as const),
    ],
    example: EXAMPLES.refund,
  },
  status: {
    ...{ method: 'get', path: '/v1/transactions/{orderId}', tag: 'One order', name: 'Status' },
    summary: 'What became of it',
    description: 'For callers whose answer got lost. It is read from the audit.',
    answers: 'How the order stands; `unknown` where no row of it is found.',
    codes: ['AUDIT_OFF', 'ORDER_AMBIGUOUS'],
    example: EXAMPLES.status,
    parameters: [ORDER_ID, LANGUAGE],
    headers: CONTENT_LANGUAGE,
  },
  usage: {
    ...{ method: 'get', path: '/v1/usage', tag: 'Limits', name: 'Usage' },
    summary: 'How limits stand',
    description:
      'Every rule in force that counts for the subjects in the query, as it stands now; nothing is changed.',
    answers: 'How each rule stands.',
    codes: [],
    example: EXAMPLES.usage,
    parameters: [SUBJECTS, TYPE, ATTRIBUTES, STALE],
  },
  near: NEAR_OPERATION,
  checks: {
    ...{ method: 'post', path: '/v1/checks', tag: 'Many orders', name: 'Checks' },
    summary: '1 to 100 checks',
    description: 'Orders of one subject are decided in the order given, in one update.',
    answers: 'The call was understood; what became of each order, its result says.',
    codes: ['CLOCK_SKEW'],
    example: EXAMPLES.checks,
  },
  settlements: {
    ...{ method: 'post', path: '/v1/settlements', tag: 'Many orders', name: 'Settlements' },
    summary: '1 to 100 confirms and rollbacks',
    description: 'Confirms (`SUCCESS`) and rollbacks (`FAIL`).',
    answers: 'The call was understood; what became of each order, its result says.',
    codes: [],
    example: EXAMPLES.settlements,
  },
  record: {
    ...{ method: 'post', path: '/v1/record', tag: 'Many orders', name: 'Record' },
    summary: 'It happened without a check',
    description:
      'Counts 1 to 100 payments that certainly happened and were never checked, each at its own instant, in the windows of that instant that are not over; above a maximum if it must be. An order is recorded once.',
    answers: 'The call was understood; what became of each order, its result says.',
    codes: [],
    example: EXAMPLES.record,
  },
  ...HISTORY_OPERATIONS,
  ...TERMS_OPERATIONS,
  ...RULES_OPERATIONS,
  ...PROPOSALS_OPERATIONS,
};

/** Paths, each with its operations. */
export function paths(): JsonObject {
  const found: Record<string, JsonObject> = {};
  for (const [id, operation] of Object.entries(OPERATIONS)) {
    const { method, path } = operation;
    found[path] = { ...found[path], [method]: operationJson(id, operation) };
  }
  return found;
}
