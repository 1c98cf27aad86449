import { BACKTESTS_OPERATIONS } from './backtests-operations.ts';
import { checkSchema } from '../../lib/http/check-request.ts';
import type { CallId } from '../../contract/calls.ts';
import type { JsonObject } from './json.ts';
import { checksSchema, settlementsSchema } from '../../lib/http/many-request.ts';
import { recordSchema } from '../../lib/record/record-request.ts';
import { refundSchema } from '../../lib/audit/refunds/refund-request.ts';
import { SAID } from '../../lib/schema/said.ts';
import { confirmSchema, rollbackSchema } from '../../lib/http/settle-request.ts';
import { statusSchema } from '../../lib/audit/status-call.ts';
import { usageSchema } from '../../lib/usage/usage-call.ts';
import { EXAMPLES } from './examples.ts';
import { HISTORY_OPERATIONS } from './history-operations.ts';
import { HEALTH_OPERATION } from './health.ts';
import { NEAR_OPERATION } from './near.ts';
import { CONTENT_LANGUAGE, operationJson, placesOf, routeOf, type Operation } from './operation.ts';
import { PROPOSALS_OPERATIONS } from './proposals-operations.ts';
import { RULES_OPERATIONS } from './rules-operations.ts';
import { TERMS_OPERATIONS } from './terms-operations.ts';

/**
 * The calls as operations of the document: one row of OPERATIONS for each. Those of rules, of
 * subjects' terms, of proposals and of the past stand in files of their own.
 *
 * To add the call `pay`, deployed as infra/serverless/functions.yml says:
 *
 * 1. `EXAMPLES.pay` in examples.ts: its request, where it has a body, and its answer.
 * 2. Beside its reader what it takes: `component('PayRequest', requestSchema({ … }))`, in which each field says
 *    what it means. Where a function of ours decides, `textOf` names the component of given.ts that says
 *    the same in JSON Schema.
 * 3. In contract/ its answer, a schema with every field that the function writes, and `pay` in
 *    contract/answers.ts. The function's types, this document and the client's types come from it.
 * 4. Its row in contract/calls.ts, and in OPERATIONS. `placesOf` says where its fields stand over HTTP.
 * 5. A new code of a problem is named in ADVICE, in problems.ts.
 * 6. Its handler in functions/handlers.ts: every test holds every answer of it to the document.
 * 7. `npx vitest run test/openapi -u` writes docs/openapi.json and the client's types. A call with a body
 *    and no parameters is sent requests that the document allows and forbids; a test of its own does so
 *    for others, see `usage` in test/openapi/agreement.test.ts. Whatever is forgotten here fails one of
 *    these tests.
 */

const SETTLE_CODES = ['NOT_FOUND', 'ORDER_AMBIGUOUS', 'ALREADY_CONFIRMED', 'FORGOTTEN'] as const;

const FINAL = 'A repeat of the same request changes nothing.';

const OPERATIONS: Readonly<Record<CallId, Operation>> = {
  check: {
    tag: 'One order',
    takes: checkSchema,
    summary: 'May this order be paid?',
    description: `Checks every rule that applies. If all allow the order, Headroom holds its amount. A refusal is an answer, too, and holds nothing. ${FINAL}`,
    answers: 'Allowed or refused.',
    codes: [
      ...(['ORDER_REUSED', 'ALREADY_ROLLED_BACK', 'TOO_MANY_OPEN_HOLDS'] as const),
      'INCOMPLETE_ORDER',
      ...(['TOO_MANY_BUCKETS', 'COUNTER_FULL', 'TOO_MANY_RULES', 'CLOCK_SKEW'] as const),
    ],
    example: EXAMPLES.check,
  },
  confirm: {
    tag: 'One order',
    takes: confirmSchema,
    summary: 'The order was paid',
    description:
      'Counts the amount that the check held. The order counts even if its hold expired.',
    answers: 'The order counts.',
    codes: [...SETTLE_CODES, 'ALREADY_ROLLED_BACK', 'COUNTER_FULL'],
    example: EXAMPLES.confirm,
  },
  rollback: {
    tag: 'One order',
    takes: rollbackSchema,
    summary: 'The order was not paid',
    description:
      'Gives back the amount that the check held. This is final: the order cannot be checked again.',
    answers: 'The amount is free again.',
    codes: [...SETTLE_CODES, 'RESERVATION_REPLACED'],
    example: EXAMPLES.rollback,
  },
  refund: {
    tag: 'One order',
    takes: refundSchema,
    summary: 'The order was refunded',
    description:
      'Gives back a confirmed amount, or a part of it. You may refund until nothing is left. It needs the audit.',
    answers: 'The refunds so far.',
    codes: [
      ...(['NOT_FOUND', 'AUDIT_OFF', 'ORDER_AMBIGUOUS', 'ALREADY_ROLLED_BACK'] as const),
      ...(['NOT_CONFIRMED', 'REFUND_REUSED', 'NOT_RECORDED'] as const),
      ...(['REFUND_TOO_LARGE', 'TOO_MANY_REFUNDS'] as const),
    ],
    example: EXAMPLES.refund,
  },
  status: {
    tag: 'One order',
    takes: statusSchema,
    summary: 'The state of an order',
    description: 'For callers that lost an answer. Headroom reads it from the audit.',
    answers: 'The state of the order. `unknown` if the audit has no row of it.',
    codes: ['AUDIT_OFF', 'ORDER_AMBIGUOUS'],
    example: EXAMPLES.status,
    headers: CONTENT_LANGUAGE,
  },
  usage: {
    tag: 'Limits',
    takes: usageSchema,
    summary: 'The limits of subjects, and their sums',
    description:
      'Lists every rule in force that counts for the subjects of the query. It changes nothing.',
    answers: 'Every rule with its sums.',
    codes: [],
    example: EXAMPLES.usage,
  },
  near: NEAR_OPERATION,
  health: HEALTH_OPERATION,
  checks: {
    tag: 'Many orders',
    takes: checksSchema,
    summary: '1 to 100 checks',
    description: 'Decides orders of one subject in the given order, in one update.',
    answers: 'The call was valid. Each order has its own result.',
    codes: ['CLOCK_SKEW'],
    example: EXAMPLES.checks,
  },
  settlements: {
    tag: 'Many orders',
    takes: settlementsSchema,
    summary: '1 to 100 confirms and rollbacks',
    description: 'Confirms (`SUCCESS`) and rollbacks (`FAIL`).',
    answers: 'The call was valid. Each order has its own result.',
    codes: [],
    example: EXAMPLES.settlements,
  },
  record: {
    tag: 'Many orders',
    takes: recordSchema,
    summary: 'Orders were paid without a check',
    description:
      'Counts 1 to 100 payments that certainly happened and were never checked. Each counts at its own time, in windows of that time that are not over. It counts even above a maximum. An order counts once.',
    answers: 'The call was valid. Each order has its own result.',
    codes: [],
    example: EXAMPLES.record,
  },
  ...HISTORY_OPERATIONS,
  ...TERMS_OPERATIONS,
  ...RULES_OPERATIONS,
  ...PROPOSALS_OPERATIONS,
  ...BACKTESTS_OPERATIONS,
};

/** All calls, by their paths, and the bodies that they take. */
export type Described = {
  readonly paths: JsonObject;
  readonly bodies: Readonly<Record<string, JsonObject>>;
};

/**
 * Paths, each with its operations.
 *
 * @param components all that there are, requests as a direct invocation says them
 */
export function described(components: Readonly<Record<string, JsonObject>>): Described {
  const paths: Record<string, JsonObject> = {};
  const bodies: Record<string, JsonObject> = {};
  for (const id of Object.keys(OPERATIONS) as CallId[]) {
    const operation = OPERATIONS[id];
    const { method, path } = routeOf(id);
    const { takes } = operation;
    const taken = String(SAID.get(takes)?.id);
    const places = placesOf(id, operation, components[taken] ?? {});
    paths[path] = { ...paths[path], [method]: operationJson(id, operation, places) };
    if (places.body !== undefined) bodies[taken] = places.body;
  }
  return { paths, bodies };
}

/** Components that only say what a direct invocation takes. */
export function onlyDirect(): readonly string[] {
  return Object.values(OPERATIONS).map(({ takes }) => String(SAID.get(takes)?.id));
}
