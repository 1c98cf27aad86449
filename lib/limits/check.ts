import { ATTEMPTS_MAX } from '../shared/bounds.ts';
import type { CheckAnswer } from './answer.ts';
import { ClockSkewError, NotAllAllowedError, UndecidedError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { CompiledRules } from '../plan/compile.ts';
import { tell } from './answering.ts';
import type { Again, Attempt, Ended, AttemptResult } from './attempt.ts';
import { attemptAt, isBarred, tooManyRules } from './attempt.ts';
import { holdBySteps, resultOf } from './by-steps.ts';
import type { Context, Told } from './context.ts';
import { askedAtHomes } from './context.ts';
import { holdInOneCommit, isAllowed } from './in-one-commit.ts';
import { look, seeAll } from './look.ts';
import { countCaptured } from './shares.ts';
import { mayAskUnread } from './unread.ts';
import type { Said } from './visits.ts';
import { holdIn, whyNotHeld } from './visits.ts';

/** Times that an attempt is made for the database's instant: a second time where the first guess was off. */
const SKEWED_MAX = 2;

/** Holds the shares of those that are allowed. Orders of one document are decided in the order given. */
export async function check(
  given: Context,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<readonly Told<CheckAnswer>[]> {
  const rules = await given.rules();
  const [only] = requests;
  if (only !== undefined && requests.length === 1 && !atomic) {
    const attempt = attemptAt(given, rules, only, given.clock.estimate(), false);
    const first = { attempt, outcome: await decideOne(given, attempt) };
    return [tell(given, await carryOn(given, rules, first))];
  }
  const context: Context = { ...given, ...askedAtHomes(requests, given) };
  let ended = await attemptAll(context, rules, requests, atomic);
  if (atomic) {
    const isAgain = ({ outcome }: Ended): boolean => outcome.kind === 'again';
    for (let tries = 1; tries < ATTEMPTS_MAX && ended.some(isAgain); tries++)
      ended = await attemptAll(context, rules, requests, atomic);
    return ended.map((one) => tell(context, giveUp(one, ended)));
  }
  const told: Told<CheckAnswer>[] = [];
  for (const one of ended) {
    const isOver = one.outcome.kind !== 'again';
    told.push(tell(context, isOver ? one : await carryOn(context, rules, one)));
  }
  return told;
}

async function attemptAll(
  context: Context,
  rules: CompiledRules,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<readonly Ended[]> {
  const estimate = context.clock.estimate();
  const attempts = requests.map((request) => attemptAt(context, rules, request, estimate, false));
  const refused = new Map<string, AttemptResult>();
  for (const attempt of attempts) {
    const error = tooManyRules(attempt);
    if (error !== undefined) refused.set(attempt.id, { kind: 'failed', error });
  }
  const asked = atomic && refused.size > 0 ? [] : attempts.filter(({ id }) => !refused.has(id));
  const outcomes = asked.length === 0 ? refused : await decideAll(context, asked, atomic);
  const none: AttemptResult = { kind: 'failed', error: undefined };
  return attempts.map((attempt) => {
    const outcome = outcomes.get(attempt.id) ?? refused.get(attempt.id) ?? none;
    return { attempt, outcome };
  });
}

async function decideOne(context: Context, attempt: Attempt): Promise<AttemptResult> {
  const error = tooManyRules(attempt);
  if (error !== undefined) return { kind: 'failed', error };
  // A dry run decides from what is stored, by the functions that explain refusals.
  if (attempt.request.dryRun)
    return seeAll(context, attempt, (await look(context, [attempt]))(attempt));
  if (attempt.plan.documents.length === 1 && !isBarred(attempt)) return holdAlone(context, attempt);
  if (mayAskUnread(context, attempt))
    return outcomeIn(await holdBySteps(context, [attempt], true), attempt);
  return outcomeIn(await decideAll(context, [attempt], false), attempt);
}

async function holdAlone(context: Context, attempt: Attempt): Promise<AttemptResult> {
  const [document] = attempt.plan.documents;
  const visit = { attempt, document };
  try {
    const { view, held } = await holdIn(context, document, [visit]);
    const isHeld = held.has(attempt.id);
    const said: Said = isHeld ? { kind: 'held' } : whyNotHeld(context, visit, view);
    return await countCaptured(context, attempt, resultOf(said, new Map([[document, view]])));
  } catch (error) {
    return { kind: 'failed', error };
  }
}

function outcomeIn(outcomes: ReadonlyMap<string, AttemptResult>, { id }: Attempt): AttemptResult {
  const outcome = outcomes.get(id);
  if (outcome === undefined) throw new TypeError('an attempt has an outcome');
  return outcome;
}

async function decideAll(context: Context, attempts: readonly Attempt[], atomic: boolean) {
  const isOneCommit = context.inOneCommit || context.counters.isOneCommit;
  const isSeveral = attempts.some(({ plan }) => plan.documents.length > 1);
  return atomic || (isOneCommit && isSeveral)
    ? holdInOneCommit(context, attempts, atomic)
    : holdBySteps(context, attempts);
}

/**
 * Begins again by itself what was overtaken, until it is decided. The last time is one commit: example:
 * a home that ends more orders than it remembers, each time between its read and its hold.
 */
async function carryOn(context: Context, rules: CompiledRules, first: Ended): Promise<Ended> {
  let ended = first;
  let skewed = 0;
  for (let tries = 1; ended.outcome.kind === 'again'; tries++) {
    const { outcome: again } = ended;
    skewed += again.because === 'skewed' ? 1 : 0;
    if (skewed >= SKEWED_MAX) return failedWith(ended, new ClockSkewError(again.now));
    if (tries >= ATTEMPTS_MAX)
      return failedWith(ended, new UndecidedError('time or other calls kept overtaking it'));
    try {
      const isLast = tries === ATTEMPTS_MAX - 1;
      ended = await attemptAgain(context, rules, ended.attempt.request, again, isLast);
    } catch (error) {
      if (context.counters.isOneCommit) throw error; // a part of the order may be written by then
      return failedWith(ended, error);
    }
  }
  return ended;
}

async function attemptAgain(
  context: Context,
  rules: CompiledRules,
  request: CheckRequest,
  { because, now }: Again,
  isLast: boolean,
): Promise<Ended> {
  const estimate = because === 'skewed' ? now : context.clock.estimate();
  const attempt = attemptAt(context, rules, request, estimate, true);
  const needsCommit = because === 'inTheWay' || (isLast && attempt.plan.documents.length > 1);
  // A dry run holds nothing, so no commit can decide it.
  const outcome =
    needsCommit && !request.dryRun
      ? outcomeIn(await holdInOneCommit(context, [attempt], false), attempt)
      : await decideOne(context, attempt);
  return { attempt, outcome };
}

function failedWith({ attempt }: Ended, error: unknown): Ended {
  return { attempt, outcome: { kind: 'failed', error } };
}

function giveUp(ended: Ended, all: readonly Ended[]): Ended {
  const { attempt, outcome } = ended;
  const other = all.find((one) => !isAllowed(one.outcome));
  if (other === undefined || outcome.kind === 'known') return ended;
  if (outcome.kind === 'again')
    return failedWith(
      ended,
      outcome.because === 'skewed'
        ? new ClockSkewError(outcome.now)
        : new UndecidedError('time or other calls kept overtaking it'),
    );
  const isOwn = outcome.kind !== 'wouldHold' && outcome.kind !== 'held';
  if (isOwn && !(outcome.kind === 'failed' && outcome.error === undefined)) return ended;
  const { orderId } = other.attempt.request;
  return failedWith(ended, new NotAllAllowedError(attempt.request.orderId, orderId));
}
