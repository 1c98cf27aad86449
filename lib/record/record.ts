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
import type { CheckRequest, RecordRequest } from '../shared/request.ts';
import type { CompiledRules } from '../rules/compile.ts';
import type { CheckPlan } from '../limits/plan.ts';
import { enteredAt, excessesOver, planRecord, rulesEntered } from './recording.ts';
import { holdId } from '../shared/subject.ts';
import { FULL_MESSAGES } from '../limits/answering.ts';
import type { Attempt, Ended } from '../limits/attempt.ts';
import type { Told } from '../limits/calls.ts';
import type { Context } from '../limits/context.ts';
import { askedAtHomes, learnedTime } from '../limits/context.ts';
import { recordCrossings } from '../near/crossings.ts';
import { countAll } from './count-records.ts';
import { homeView } from '../limits/look.ts';
import { traceOf } from '../limits/trace.ts';

/**
 * Counts payments that happened and were never checked: captured checks, with plans that ask no room.
 *
 * An order is counted in all its documents at once, so that a crash leaves none half counted; and home
 * remembers it: a repeat finds it there. What begins again (terms that were not known, a clock that was
 * off) does so by itself.
 *
 * @throws InvalidRequestError for one that has not happened yet
 */
export async function record(
  given: Context,
  requests: readonly RecordRequest[],
): Promise<readonly Told<RecordAnswer>[]> {
  const context: Context = {
    ...given,
    ...askedAtHomes(requests, given),
  };
  refuseFuture(requests, await learnedTime(context));
  const rules = await context.rules();
  const ended = new Map<string, Ended>();
  let open = requests;
  let estimate = estimateOf(context);
  for (let tries = 1; open.length > 0; tries++) {
    const made = await attemptAll(context, rules, open, estimate);
    for (const one of made) ended.set(one.attempt.id, tries < ATTEMPTS_MAX ? one : givenUp(one));
    open = open.filter((request) => ended.get(holdId(request))?.outcome.kind === 'again');
    estimate = made.reduce(
      (known, { outcome }) => (outcome.kind === 'again' ? outcome.now : known),
      estimateOf(context),
    );
  }
  return requests.map((request) => {
    const one = ended.get(holdId(request));
    if (one === undefined) throw new TypeError('each order that is asked has an outcome');
    return tell(context, rules, request, one);
  });
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

function attemptOf(
  context: Context,
  rules: CompiledRules,
  request: RecordRequest,
  estimate: Date,
): Attempt {
  const asked = asCheck(request);
  const { happenedAt } = request;
  const termsOf = context.terms.of.bind(context.terms);
  const planAt = (at: Date): CheckPlan =>
    planRecord(rules, asked, happenedAt, context.homeKinds, at, termsOf);
  return {
    request: asked,
    id: holdId(request),
    nonce: context.nonce(),
    digest: recordDigest(request),
    plan: planAt(estimate),
    planAt,
    estimate,
    isAgain: false,
  };
}

/** The captured check that it would have been. Its time matters within the commit alone. */
function asCheck(request: RecordRequest): CheckRequest {
  return { ...request, holdMs: HOLD_SECONDS_DEFAULT * 1_000, capture: true, dryRun: false };
}

async function attemptAll(
  context: Context,
  rules: CompiledRules,
  requests: readonly RecordRequest[],
  estimate: Date,
): Promise<readonly Ended[]> {
  const attempts = requests.map((request) => attemptOf(context, rules, request, estimate));
  const outcomes = await countAll(context, attempts);
  return attempts.map((attempt) => {
    const outcome = outcomes.get(attempt.id);
    if (outcome === undefined) throw new TypeError('an attempt has an outcome');
    return { attempt, outcome };
  });
}

/** What would begin again after the last try fails. */
function givenUp({ attempt, outcome }: Ended): Ended {
  if (outcome.kind !== 'again') return { attempt, outcome };
  const error =
    outcome.because === 'skewed'
      ? new ClockSkewError(outcome.now)
      : new UndecidedError('time or other calls kept overtaking it');
  return { attempt, outcome: { kind: 'failed', error } };
}

function tell(
  { tellsNear }: Context,
  rules: CompiledRules,
  request: RecordRequest,
  ended: Ended,
): Told<RecordAnswer> {
  const trace = traceOf(ended.attempt, ended.outcome);
  try {
    const answer = answerTo(rules, request, ended);
    const { attempt, outcome } = ended;
    if (!tellsNear || outcome.kind !== 'held')
      return { result: { kind: 'answered', answer }, trace };
    const { now } = homeView(attempt, outcome.views);
    const entered = rulesEntered(rules, attempt.request, enteredAt(request.happenedAt, now));
    const crossings = recordCrossings(
      rules,
      entered,
      attempt.request,
      outcome.views,
      trace.shares,
      now,
    );
    return { result: { kind: 'answered', answer }, trace, crossings };
  } catch (error) {
    return { result: { kind: 'failed', error }, trace };
  }
}

/** @throws OrderReusedError, SubjectFullError, or what it failed with */
function answerTo(
  rules: CompiledRules,
  request: RecordRequest,
  { attempt, outcome }: Ended,
): RecordAnswer {
  switch (outcome.kind) {
    case 'failed':
      throw outcome.error;
    case 'full':
      throw new SubjectFullError(outcome.bound, FULL_MESSAGES[outcome.bound]);
    case 'held':
    case 'known':
      break;
    case 'again':
    case 'wouldHold':
    case 'refused':
      throw new TypeError('a record needs no room, and has its answer when it ends');
  }
  const repeated = outcome.kind === 'known';
  if (repeated && !outcome.sameContent) throw new OrderReusedError(request.orderId, 'recorded');
  const { now } = homeView(attempt, outcome.views);
  const { nonce } = repeated ? outcome.entry : attempt;
  const leftOut = leftOutOf(outcome.views, nonce);
  const answer = recordAnswer(rules, request, now, leftOut);
  if (repeated) return { ...answer, repeated };
  const entered = rulesEntered(rules, attempt.request, enteredAt(request.happenedAt, now));
  return { ...answer, exceeded: excessesOver(entered, outcome.views, now) };
}

/**
 * The answer for a counted payment, without the maxima that it exceeds.
 *
 * @param leftOut counters that it did not enter, because a trial with an exact window was full
 */
export function recordAnswer(
  rules: CompiledRules,
  request: RecordRequest,
  now: Date,
  leftOut: readonly string[] = [],
): RecordAnswer {
  const entered = rulesEntered(rules, asCheck(request), enteredAt(request.happenedAt, now));
  const counting = entered.filter(
    ({ counter, until }) => until > now && !leftOut.includes(counter),
  );
  return {
    kind: 'recorded',
    repeated: false,
    amountMinor: request.amountMinor,
    counted: counting.map(({ rule }) => rule.id),
    over: entered.filter(({ until }) => until <= now).map(({ rule }) => rule.id),
    exceeded: [],
  };
}
