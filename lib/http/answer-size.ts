import type { CheckAnswer } from '../limits/answer.ts';
import { NEVER, RESPONSE_BYTES_MAX, RULES_PER_CHECK_MAX } from '../shared/bounds.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import { reservationToken } from '../limits/reservation.ts';
import type { Rule } from '../rules/rule.ts';
import { ruleJson } from './standing-answer.ts';
import { checkAnswerJson } from './order-answer.ts';

/** What stands around an answer: status, headers, and the members beside the orders. */
const ENVELOPE_BYTES = 1_024;

/** The longest problem of one order: it names two orders by ids of 256 characters, escaped thrice. */
const PROBLEM_BYTES_MAX = 8_192;

/**
 * Refuses a call of many checks whose answer, with all that can be told of rules, might be longer than
 * what a function may return. Lambda would put an error of its own in its place, after all was held.
 *
 * @param applying the rules that may apply, order by order
 * @throws InvalidRequestError
 */
export function refuseTooLong(
  orders: readonly CheckRequest[],
  applying: readonly (readonly Rule[])[],
): void {
  const bytes = longestAnswerBytes(orders, applying);
  if (bytes <= RESPONSE_BYTES_MAX) return;
  throw new InvalidRequestError([
    {
      path: 'report',
      value: `"all", whose answer may have ${bytes} bytes`,
      expected: `an answer of at most ${RESPONSE_BYTES_MAX} bytes: report violations or none, or fewer orders in a call`,
    },
  ]);
}

/** Says whether an answer, in its envelope, is within what a function may return. */
export function fitsInResponse(answer: object): boolean {
  return ENVELOPE_BYTES + bytesInEnvelope(answer) <= RESPONSE_BYTES_MAX;
}

/** Bytes that a function may return for many checks, everything told of every rule; at most. */
export function longestAnswerBytes(
  orders: readonly CheckRequest[],
  applying: readonly (readonly Rule[])[],
): number {
  const known = new Map<Rule, number>();
  const ofRule = (rule: Rule): number => {
    const bytes = known.get(rule) ?? ruleBytes(rule);
    known.set(rule, bytes);
    return bytes;
  };
  const ofOrder = (order: CheckRequest, rules: readonly Rule[]): number => {
    const subjects = subjectBytes(order);
    const each = rules.map((rule) => {
      const ids = rule.per.map((kind) => subjects.get(kind) ?? 0);
      return ofRule(rule) + sumOf(ids);
    });
    const longest = each.sort((a, b) => b - a).slice(0, RULES_PER_CHECK_MAX);
    return Math.max(PROBLEM_BYTES_MAX, orderBytes(order, longest.length) + sumOf(longest));
  };
  return (
    ENVELOPE_BYTES + sumOf(orders.map((order, index) => ofOrder(order, applying[index] ?? [])))
  );
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** Bytes of JSON, with a comma, in a text that is itself a member of the envelope's JSON. */
function bytesInEnvelope(json: object): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(json)));
}

/** The longest number and the longest instant that an answer has. */
const MOST = { amountMinor: Number.MAX_SAFE_INTEGER, count: Number.MAX_SAFE_INTEGER };

/** A rule as it is reported, and its id among those that refused, or would have. */
function ruleBytes(rule: Rule): number {
  const window = { start: NEVER, end: NEVER };
  const standing = { used: MOST, held: MOST, remaining: MOST, retryAt: NEVER };
  const named = bytesInEnvelope([rule.id]);
  return (
    named +
    bytesInEnvelope(
      ruleJson(
        { rule, subjects: {}, window, ...standing, outcome: 'below-minimum-shadow' },
        { title: rule.title, subjects: {} },
      ),
    )
  );
}

function subjectBytes({ subjects }: CheckRequest): ReadonlyMap<string, number> {
  return new Map(
    Object.entries(subjects).map(([kind, id]) => [kind, bytesInEnvelope({ [kind]: id })]),
  );
}

/** The longest name of a bucket. */
const BUCKET_NAME = `${'-'.repeat(16)}~acn ${NEVER.getTime()} ${NEVER.getTime()}`;

/** @param rules as many as may apply, each with a bucket that the reservation names */
function orderBytes({ orderId, subjects }: CheckRequest, rules: number): number {
  const [home = '', ...others] = Object.keys(subjects);
  const names = Array.from({ length: rules }, () => BUCKET_NAME);
  const held = {
    ...{ digest: '-'.repeat(16), amountMinor: MOST.amountMinor, count: MOST.count, until: NEVER },
    buckets: [names, ...others.map(() => [])],
  };
  const place = { order: '-'.repeat(16), nonce: '-'.repeat(64), subjects };
  const answer: CheckAnswer = {
    kind: 'allowed',
    repeated: false,
    state: 'confirmed',
    refunds: { refundedMinor: MOST.amountMinor, remainingMinor: MOST.amountMinor },
    reservation: reservationToken({ ...place, kinds: [home, ...others], held }),
    holdExpiresAt: NEVER,
    limitReached: false,
    rules: [],
    headroom: { amountMinor: MOST.amountMinor, earliestAt: NEVER },
    now: NEVER,
  };
  return bytesInEnvelope({ orderId, ...checkAnswerJson(answer) });
}
