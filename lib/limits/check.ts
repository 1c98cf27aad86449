import { ATTEMPTS_MAX } from '../shared/bounds.ts';
import type { CheckAnswer } from './answer.ts';
import { ClockSkewError, NotAllAllowedError, UndecidedError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { CompiledRules } from '../plan/compile.ts';
import { tell } from './answering.ts';
import type { Again, Attempt, Said, Shown } from './attempt.ts';
import { attemptAt, failed, isBarred, shownOf, tooManyRules } from './attempt.ts';
import { holdBySteps } from './by-steps.ts';
import type { Context, Told } from './context.ts';
import { askedAtHomes } from './context.ts';
import { holdInOneCommit, isAllowed } from './in-one-commit.ts';
import { askOf, look, seeAll } from './look.ts';
import { countCaptured } from './shares.ts';
import { mayAskUnread } from './unread.ts';
import { hold, whyNotHeld } from './visits.ts';

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
    return [tell(given, await carryOn(given, rules, await decideOne(given, attempt)))];
  }
  const context: Context = { ...given, ...askedAtHomes(requests, given) };
  let ended = await attemptAll(context, rules, requests, atomic);
  if (atomic) {
    const isAgain = ({ kind }: Said): boolean => kind === 'again';
    for (let tries = 1; tries < ATTEMPTS_MAX && ended.some(isAgain); tries++)
      ended = await attemptAll(context, rules, requests, atomic);
    return ended.map((one) => tell(context, giveUp(one, ended)));
  }
  const told: Told<CheckAnswer>[] = [];
  for (const one of ended) {
    const isOver = one.kind !== 'again';
    told.push(tell(context, isOver ? one : await carryOn(context, rules, one)));
  }
  return told;
}

async function attemptAll(
  context: Context,
  rules: CompiledRules,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<readonly Shown[]> {
  const estimate = context.clock.estimate();
  const attempts = requests.map((request) => attemptAt(context, rules, request, estimate, false));
  const refused = new Map<string, Shown>();
  for (const attempt of attempts) {
    const error = tooManyRules(attempt);
    if (error !== undefined) refused.set(attempt.id, failed(attempt, error));
  }
  const asked = atomic && refused.size > 0 ? [] : attempts.filter(({ id }) => !refused.has(id));
  const outcomes = asked.length === 0 ? refused : await decideAll(context, asked, atomic);
  return attempts.map(
    (attempt) => outcomes.get(attempt.id) ?? refused.get(attempt.id) ?? failed(attempt, undefined),
  );
}

async function decideOne(context: Context, attempt: Attempt): Promise<Shown> {
  const error = tooManyRules(attempt);
  if (error !== undefined) return failed(attempt, error);
  // A dry run decides from what is stored, by the functions that explain refusals.
  if (attempt.request.dryRun)
    return seeAll(context, attempt, (await look(context, [attempt]))(attempt));
  if (attempt.plan.documents.length === 1 && !isBarred(attempt)) return holdAlone(context, attempt);
  if (mayAskUnread(context, attempt))
    return outcomeIn(await holdBySteps(context, [attempt], true), attempt);
  return outcomeIn(await decideAll(context, [attempt], false), attempt);
}

async function holdAlone(context: Context, attempt: Attempt): Promise<Shown> {
  const [document] = attempt.plan.documents;
  const ask = askOf(context, attempt, document);
  try {
    const { view, held } = await hold(context, ask);
    const views = new Map([[document, view]]);
    if (held.has(attempt.id)) return await countCaptured(context, { kind: 'held', attempt, views });
    const said = whyNotHeld(ask, ask.orders[0], view);
    return await countCaptured(context, shownOf(attempt, said, views));
  } catch (error) {
    return failed(attempt, error);
  }
}

function outcomeIn(outcomes: ReadonlyMap<string, Shown>, { id }: Attempt): Shown {
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
async function carryOn(context: Context, rules: CompiledRules, first: Shown): Promise<Shown> {
  let ended = first;
  let skewed = 0;
  for (let tries = 1; ended.kind === 'again'; tries++) {
    const again = ended;
    skewed += again.because === 'skewed' ? 1 : 0;
    if (skewed >= SKEWED_MAX) return failed(ended.attempt, new ClockSkewError(again.now));
    if (tries >= ATTEMPTS_MAX)
      return failed(ended.attempt, new UndecidedError('time or other calls kept overtaking it'));
    try {
      const isLast = tries === ATTEMPTS_MAX - 1;
      ended = await attemptAgain(context, rules, ended.attempt.request, again, isLast);
    } catch (error) {
      if (context.counters.isOneCommit) throw error; // a part of the order may be written by then
      return failed(ended.attempt, error);
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
): Promise<Shown> {
  const estimate = because === 'skewed' ? now : context.clock.estimate();
  const attempt = attemptAt(context, rules, request, estimate, true);
  const needsCommit = because === 'inTheWay' || (isLast && attempt.plan.documents.length > 1);
  // A dry run holds nothing, so no commit can decide it.
  return needsCommit && !request.dryRun
    ? outcomeIn(await holdInOneCommit(context, [attempt], false), attempt)
    : decideOne(context, attempt);
}

function giveUp(shown: Shown, all: readonly Shown[]): Shown {
  const { attempt } = shown;
  const other = all.find((one) => !isAllowed(one));
  if (other === undefined || shown.kind === 'known') return shown;
  if (shown.kind === 'again')
    return failed(
      attempt,
      shown.because === 'skewed'
        ? new ClockSkewError(shown.now)
        : new UndecidedError('time or other calls kept overtaking it'),
    );
  const isOwn = shown.kind !== 'wouldHold' && shown.kind !== 'held';
  if (isOwn && !(shown.kind === 'failed' && shown.error === undefined)) return shown;
  const { orderId } = other.attempt.request;
  return failed(attempt, new NotAllAllowedError(attempt.request.orderId, orderId));
}
