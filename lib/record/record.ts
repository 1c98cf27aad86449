import type { RecordAnswer } from '../limits/answer.ts';
import { ATTEMPTS_MAX, CLOCK_TOLERANCE_MS, HOLD_SECONDS_DEFAULT } from '../shared/bounds.ts';
import { recordDigest } from '../shared/digest.ts';
import { leftOutOf } from '../limits/document/document.ts';
import {
  ClockSkewError,
  InvalidRequestError,
  OrderReusedError,
  SubjectFullError,
  UndecidedError,
} from '../shared/errors.ts';
import type { RecordRequest } from '../shared/request.ts';
import type { CompiledRules } from '../rules/compile.ts';
import type { CheckPlan } from '../limits/plan.ts';
import type { EnteredRule } from './recording.ts';
import { excessesOver, planRecord, rulesEntered } from './recording.ts';
import { holdId, inOrderAsked } from '../shared/subject.ts';
import { FULL_MESSAGES } from '../limits/answering.ts';
import type { Attempt, AttemptResult } from '../limits/attempt.ts';
import type { Context, Told } from '../limits/context.ts';
import { askedAtHomes, learnedTime } from '../limits/context.ts';
import { recordCrossings } from '../near/crossings.ts';
import { countAll } from './count-records.ts';
import { homeView } from '../limits/look.ts';
import { traceOf } from '../limits/trace.ts';

/**
 * Counts payments that happened and were never checked: captured checks, with plans that ask no room.
 *
 * @throws InvalidRequestError for one that has not happened yet
 */
export async function record(
  given: Context,
  requests: readonly RecordRequest[],
): Promise<readonly Told<RecordAnswer>[]> {
  const context: Context = { ...given, ...askedAtHomes(requests, given) };
  refuseFuture(requests, await learnedTime(context));
  const rules = await context.rules();
  const told = new Map<string, Told<RecordAnswer>>();
  let open = requests;
  let estimate = estimateOf(context);
  for (let tries = 1; open.length > 0; tries++) {
    const attempts = open.map((request) => attemptOf(context, rules, request, estimate));
    const outcomes = await countAll(context, attempts);
    const again: RecordRequest[] = [];
    estimate = estimateOf(context);
    for (const attempt of attempts) {
      const outcome = outcomes.get(attempt.id);
      if (outcome === undefined) throw new TypeError('an attempt has an outcome');
      if (outcome.kind !== 'again' || tries === ATTEMPTS_MAX) {
        told.set(attempt.id, tell(context, rules, attempt, outcome));
        continue;
      }
      again.push(attempt.request);
      estimate = outcome.now;
    }
    open = again;
  }
  return inOrderAsked(requests, told);
}

function estimateOf({ at, clock }: Context): Date {
  return at ?? clock.estimate();
}

/** @throws InvalidRequestError naming each payment that has not happened yet */
function refuseFuture(requests: readonly RecordRequest[], estimate: Date): void {
  const latest = estimate.getTime() + CLOCK_TOLERANCE_MS;
  const [first, ...others] = requests.flatMap(({ happenedAt }, index) =>
    happenedAt.getTime() <= latest
      ? []
      : [
          {
            path: `orders[${index}].at`,
            value: JSON.stringify(happenedAt.toISOString()),
            expected: `an instant that is not after now, ${estimate.toISOString()}: check a future payment instead`,
          },
        ],
  );
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}

type RecordAttempt = Attempt & { readonly request: RecordRequest };

function attemptOf(
  context: Context,
  rules: CompiledRules,
  request: RecordRequest,
  estimate: Date,
): RecordAttempt {
  // Its time matters within the commit alone.
  const holdMs = HOLD_SECONDS_DEFAULT * 1_000;
  const asked = { ...request, holdMs, capture: true, dryRun: false };
  const termsOf = context.terms.of.bind(context.terms);
  const planAt = (at: Date): CheckPlan => planRecord(rules, asked, context.homeKinds, at, termsOf);
  return {
    request: asked,
    id: holdId(request),
    nonce: context.nonce(),
    digest: recordDigest(request),
    plan: planAt(estimate),
    planAt,
    isAgain: false,
  };
}

function tell(
  { tellsNear }: Context,
  rules: CompiledRules,
  attempt: RecordAttempt,
  outcome: AttemptResult,
): Told<RecordAnswer> {
  const { request } = attempt;
  const trace = traceOf(attempt, outcome);
  try {
    const counted = countedIn(request, outcome);
    const { views } = counted;
    const { now } = homeView(attempt, views);
    const { nonce } = counted.kind === 'known' ? counted.entry : attempt;
    const entered = rulesEntered(rules, request, now);
    const answer = recordAnswer(entered, request, now, leftOutOf(views, nonce));
    if (counted.kind === 'known')
      return { result: { kind: 'answered', answer: { ...answer, repeated: true } }, trace };
    const exceeded = excessesOver(entered, views, now);
    const result = { kind: 'answered', answer: { ...answer, exceeded } } as const;
    if (!tellsNear) return { result, trace };
    const crossings = recordCrossings(rules, entered, request, views, trace.shares, now);
    return { result, trace, crossings };
  } catch (error) {
    return { result: { kind: 'failed', error }, trace };
  }
}

/** @throws OrderReusedError, SubjectFullError, what it failed with, or why it would begin again */
function countedIn(
  { orderId }: RecordRequest,
  outcome: AttemptResult,
): Extract<AttemptResult, { readonly kind: 'held' | 'known' }> {
  switch (outcome.kind) {
    case 'failed':
      throw outcome.error;
    case 'full':
      throw new SubjectFullError(outcome.bound, FULL_MESSAGES[outcome.bound]);
    case 'known':
      if (!outcome.sameContent) throw new OrderReusedError(orderId, 'recorded');
      return outcome;
    case 'held':
      return outcome;
    case 'again':
      if (outcome.because === 'skewed') throw new ClockSkewError(outcome.now);
      throw new UndecidedError('time or other calls kept overtaking it');
    case 'wouldHold':
    case 'refused':
      throw new TypeError('a record needs no room');
  }
}

/**
 * The answer for a counted payment, without the maxima that it exceeds.
 *
 * @param entered the rules that it entered
 * @param leftOut counters that it did not enter, because a trial with an exact window was full
 */
export function recordAnswer(
  entered: readonly EnteredRule[],
  { amountMinor }: RecordRequest,
  now: Date,
  leftOut: readonly string[] = [],
): RecordAnswer {
  const counting = entered.filter(
    ({ counter, until }) => until > now && !leftOut.includes(counter),
  );
  return {
    kind: 'recorded',
    repeated: false,
    amountMinor,
    counted: counting.map(({ rule }) => rule.id),
    over: entered.filter(({ until }) => until <= now).map(({ rule }) => rule.id),
    exceeded: [],
  };
}
