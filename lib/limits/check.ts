import { ATTEMPTS_MAX } from '../shared/bounds.ts';
import { ClockSkewError, NotAllAllowedError, UndecidedError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { CompiledRules } from '../plan/compile.ts';
import type { CheckAnswer } from './answer.ts';
import { tell } from './answering.ts';
import type { Attempt, Shown, ShownAgain } from './attempt.ts';
import {
  NO_VIEWS,
  askOf,
  attemptAt,
  failed,
  hold,
  isBarred,
  shownOf,
  tooManyRules,
  whyNotHeld,
} from './attempt.ts';
import { holdBySteps } from './by-steps.ts';
import type { Context, Told } from './context.ts';
import { askedAtHomes } from './context.ts';
import { holdInOneCommit, isAllowed } from './in-one-commit.ts';
import { look, seeAll } from './look.ts';
import {
  forgottenBefore,
  isForgotten,
  recalled,
  recalledOrFailed,
  rememberedAgain,
  rememberedFirst,
} from './recall.ts';
import { unknownKindsIn } from '../rule/known-kinds.ts';
import { countCaptured } from './shares.ts';
import { mayAskUnread } from './visits.ts';

/*
 * A check: plan (`attemptAt`), ask (`askOf`), add, write and hear (`hold`, and `whyNotHeld` where it took nothing), judge and tell
 * (`tell`). One order of
 * one document goes straight through `check` and `decideAttempt`. All others leave that way by a return.
 */

/** Holds the shares of those that are allowed. Orders of one document are decided in the order given. */
export async function check(
  context: Context,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<readonly Told<CheckAnswer>[]> {
  const rules = await context.rules();
  const [only] = requests;
  if (only === undefined || requests.length > 1 || atomic)
    return checkMany({ ...context, ...askedAtHomes(requests, context) }, rules, requests, atomic);
  const remembered = rememberedFirst(context, only);
  const attempt = attemptAt(context, rules, only, context.clock.estimate(), false, remembered);
  const shown = await decideAttempt(context, attempt);
  if (shown.kind !== 'again') return [toldOf(context, rules, shown)];
  return [toldOf(context, rules, await carryOn(context, rules, shown))];
}

/** Decides one attempt at one order. */
async function decideAttempt(context: Context, attempt: Attempt): Promise<Shown> {
  const { request, plan } = attempt;
  const error = tooManyRules(attempt);
  if (error !== undefined) return failed(attempt, error);
  const unasked = forgottenBefore(context, attempt);
  if (unasked !== undefined) return unasked;
  // A dry run decides from what is stored, by the functions that explain refusals.
  if (request.dryRun) return seeAll(attempt, (await look(context, [attempt]))(attempt));
  const areSeveral = plan.documents.length > 1;
  if (areSeveral && mayAskUnread(context, attempt))
    return outcomeIn(await holdBySteps(context, [attempt], true), attempt);
  if (areSeveral || isBarred(attempt))
    return outcomeIn(await decideAll(context, [attempt], false), attempt);
  const [document] = plan.documents;
  const ask = askOf(attempt, document);
  try {
    const { view, held } = await hold(context, ask);
    const views = new Map([[document, view]]);
    const shown: Shown = held.has(attempt.id)
      ? { kind: 'held', attempt, views }
      : shownOf(attempt, whyNotHeld(ask, ask.orders[0], view), views);
    return request.capture ? await countCaptured(context, shown) : shown;
  } catch (problem) {
    return failed(attempt, problem);
  }
}

/** The answer to an order without a rule names its subject kinds that no rule knows. */
function toldOf(context: Context, { live }: CompiledRules, shown: Shown): Told<CheckAnswer> {
  const told = tell(context, shown);
  const { result } = told;
  if (shown.kind !== 'refused' || result.kind === 'failed') return told;
  const { answer } = result;
  if (answer.kind !== 'refused' || answer.reason !== 'no-rule') return told;
  const others = [...context.homeKinds, ...context.askedKinds];
  const unknownKinds = unknownKindsIn(shown.attempt.request.subjects, live, others);
  if (unknownKinds === undefined) return told;
  return { ...told, result: { kind: 'answered', answer: { ...answer, unknownKinds } } };
}

/* What begins again by itself */

/**
 * Begins again what was overtaken, until it is decided. The last time is one commit: example: a home that ends more
 * orders than it remembers, each time between its read and its hold.
 */
async function carryOn(context: Context, rules: CompiledRules, first: Shown): Promise<Shown> {
  let shown = first;
  let skewed = 0;
  for (let tries = 1; shown.kind === 'again'; tries++) {
    const again = shown;
    skewed += again.because === 'skewed' ? 1 : 0;
    if (skewed >= SKEWED_MAX || tries >= ATTEMPTS_MAX)
      return neverDecided(again, skewed >= SKEWED_MAX);
    try {
      const isLast = tries === ATTEMPTS_MAX - 1;
      shown = await decideAgain(context, rules, again, isLast);
    } catch (error) {
      if (context.counters.isOneCommit) throw error; // a part of the order may be written by then
      return failed(again.attempt, error);
    }
  }
  return shown;
}

/** Times that an attempt is made for the database's instant: a second time where the first guess was off. */
const SKEWED_MAX = 2;

async function decideAgain(
  context: Context,
  rules: CompiledRules,
  again: ShownAgain,
  isLast: boolean,
): Promise<Shown> {
  const { request } = again.attempt;
  // Home was read just now, if it was asked.
  const isRead = isForgotten(again);
  const known = isRead ? await recalled(context, [again.attempt]) : undefined;
  if (known !== undefined && known.size > 0) return outcomeIn(known, again.attempt);
  const estimate = estimateAgain(again) ?? context.clock.estimate();
  const remembered = rememberedAgain(again);
  const attempt = attemptAt(context, rules, request, estimate, !isRead, remembered);
  const needsCommit = again.because === 'inTheWay' || (isLast && attempt.plan.documents.length > 1);
  // A dry run holds nothing, so no commit can decide it.
  return needsCommit && !request.dryRun
    ? outcomeIn(await holdInOneCommit(context, [attempt], false), attempt)
    : decideAttempt(context, attempt);
}

/** Where no plan was for the database's instant, the next one is. */
function estimateAgain(again: ShownAgain | undefined): Date | undefined {
  return again?.because === 'skewed' ? again.now : undefined;
}

function neverDecided({ attempt, now }: ShownAgain, isSkewed: boolean): Shown {
  const why = 'time or other calls kept overtaking it';
  return failed(attempt, isSkewed ? new ClockSkewError(now) : new UndecidedError(why));
}

/* Many orders */

async function checkMany(
  context: Context,
  rules: CompiledRules,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<readonly Told<CheckAnswer>[]> {
  const all = await attemptAll(context, rules, requests, atomic);
  if (atomic) {
    let last = all;
    for (let tries = 1; tries < ATTEMPTS_MAX && last.some(isAgain); tries++)
      last = await attemptAll(context, rules, requests, atomic, last);
    return last.map((one) => toldOf(context, rules, amongAll(one, last)));
  }
  const decided = new Map(all.map((one) => [one.attempt.id, one]));
  await carryOnInTurn(context, rules, all.filter(isAgain), decided);
  return [...decided.values()].map((one) => toldOf(context, rules, one));
}

function isAgain(shown: Shown): shown is ShownAgain {
  return shown.kind === 'again';
}

/**
 * Begins orders again in their order: a few times together, then each by itself until it is decided. A share that
 * stands in the way of the first is taken out before.
 */
async function carryOnInTurn(
  context: Context,
  rules: CompiledRules,
  again: readonly ShownAgain[],
  decided: Map<string, Shown>,
): Promise<void> {
  let open = again;
  for (let tries = 1; ; tries++) {
    const [first, ...others] = open;
    if (first === undefined) return;
    if (others.length === 0 || tries >= ATTEMPTS_MAX || first.because === 'inTheWay') {
      decided.set(first.attempt.id, await carryOn(context, rules, first));
      open = others;
      continue;
    }
    const requests = open.map(({ attempt }) => attempt.request);
    const all = await attemptAll(context, rules, requests, false, open);
    for (const one of all) decided.set(one.attempt.id, one);
    open = all.filter(isAgain);
  }
}

/**
 * Asks rows first about orders that homes may have forgotten.
 *
 * @param before what was said to these orders before some begin again, in the same order
 */
async function attemptAll(
  context: Context,
  rules: CompiledRules,
  requests: readonly CheckRequest[],
  atomic: boolean,
  before?: readonly Shown[],
): Promise<readonly Shown[]> {
  const now = context.clock.estimate();
  const settled = new Map<string, Shown>();
  const forgotten = new Map<string, Shown>();
  // A home that may have forgotten one of its orders may have forgotten all.
  const seen = new Map<string, number>();
  for (const { attempt, remembered } of before?.filter(isForgotten) ?? [])
    seen.set(attempt.plan.documents[0], remembered);
  const made = requests.map((request, place) => {
    const last = before?.[place];
    const again = last !== undefined && isAgain(last) ? last : undefined;
    const estimate = estimateAgain(again) ?? now;
    const remembered = last?.attempt.rememberedBefore ?? rememberedFirst(context, request);
    const attempt = attemptAt(context, rules, request, estimate, before !== undefined, remembered);
    const error = tooManyRules(attempt);
    if (error !== undefined) settled.set(attempt.id, failed(attempt, error));
    const unsure = forgottenBefore(context, attempt, seen);
    if (unsure !== undefined) forgotten.set(attempt.id, unsure);
    return attempt;
  });
  const asking = made.filter(({ id }) => forgotten.has(id));
  for (const [id, shown] of await recalledOrFailed(context, asking)) settled.set(id, shown);
  const attempts = made.map((attempt): Attempt => {
    const unsure = forgotten.get(attempt.id);
    return unsure === undefined
      ? attempt
      : { ...attempt, rememberedBefore: rememberedAgain(unsure) };
  });
  const isOver = atomic && ![...settled.values()].every(isAllowed);
  const asked = isOver ? [] : attempts.filter(({ id }) => !settled.has(id));
  const outcomes = asked.length === 0 ? settled : await decideAll(context, asked, atomic);
  return attempts.map(
    (attempt) =>
      outcomes.get(attempt.id) ??
      settled.get(attempt.id) ?? { kind: 'unasked', attempt, views: NO_VIEWS },
  );
}

async function decideAll(context: Context, attempts: readonly Attempt[], atomic: boolean) {
  const isOneCommit = context.inOneCommit || context.counters.isOneCommit;
  const isSeveral = attempts.some(({ plan }) => plan.documents.length > 1);
  return atomic || (isOneCommit && isSeveral)
    ? holdInOneCommit(context, attempts, atomic)
    : holdBySteps(context, attempts);
}

function outcomeIn(outcomes: ReadonlyMap<string, Shown>, { id }: Attempt): Shown {
  const outcome = outcomes.get(id);
  if (outcome === undefined) throw new TypeError('an attempt has an outcome');
  return outcome;
}

/** What an order of an atomic call is answered: all are allowed, or none. */
function amongAll(shown: Shown, all: readonly Shown[]): Shown {
  const { attempt } = shown;
  const other = all.find((one) => !isAllowed(one));
  if (other === undefined) return shown;
  switch (shown.kind) {
    case 'again':
      return neverDecided(shown, shown.because === 'skewed');
    case 'held':
    case 'wouldHold':
    case 'unasked': {
      const { orderId } = attempt.request;
      return failed(attempt, new NotAllAllowedError(orderId, other.attempt.request.orderId));
    }
    case 'known':
    case 'refused':
    case 'full':
    case 'failed':
      return shown; // its own reason
  }
}
