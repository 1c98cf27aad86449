import type { RecordAnswer } from '../limits/answer.ts';
import {
  ATTEMPTS_MAX,
  CLOCK_TOLERANCE_MS,
  DOCUMENTS_PER_COMMIT_MAX,
  HOLD_SECONDS_DEFAULT,
} from '../shared/bounds.ts';
import { digestOf, recordDigest } from '../shared/digest.ts';
import { currentEntry, leftOutOf } from '../document/document.ts';
import {
  ClockSkewError,
  InvalidRequestError,
  OrderReusedError,
  UndecidedError,
} from '../shared/errors.ts';
import { mistakeAt } from '../schema/mistakes.ts';
import type { RecordRequest } from '../shared/request.ts';
import type { CompiledRules } from '../plan/compile.ts';
import type { CheckPlan } from '../plan/plan.ts';
import { planRecord, rulesEntered } from '../plan/record-plan.ts';
import { documentId, holdId, homeKind } from '../shared/subject.ts';
import { fullError } from '../limits/answering.ts';
import type { Attempt, Shown } from '../limits/attempt.ts';
import { failed, homeView, tooManyRules } from '../limits/attempt.ts';
import { holdBySteps } from '../limits/by-steps.ts';
import { inOrderAsked } from '../limits/many.ts';
import type { Context, Told } from '../limits/context.ts';
import { askedAtHomes, learnedTime } from '../limits/context.ts';
import { recordCrossings } from '../limits/crossings.ts';
import { holdInOneCommit } from '../limits/in-one-commit.ts';
import { isForgotten, recalledOrFailed } from '../limits/recall.ts';
import { traceOf } from '../limits/trace.ts';
import { excessesOver, recordAnswer } from './record-answer.ts';
import type { OrderTrace } from '../limits/order-trace.ts';

/**
 * Counts payments that happened and were never checked: captured checks, with plans that ask no room. Rows are asked
 * about each, even if its home has forgotten none: a file may be sent again when the document is gone. One that has not
 * happened yet fails by itself.
 */
export async function record(
  given: Context,
  requests: readonly RecordRequest[],
): Promise<readonly Told<RecordAnswer>[]> {
  const context: Context = { ...given, ...askedAtHomes(requests, given) };
  const rules = await context.rules();
  const { told, before } = await recalledOf(context, rules, requests);
  const unknown = requests.filter((request) => !told.has(holdId(request)));
  const now = unknown.length === 0 ? undefined : await learnedTime(context);
  let open: readonly RecordRequest[] = unknown.filter((request) => {
    const error = now && futureError(request, now);
    if (error !== undefined) told.set(holdId(request), { result: { kind: 'failed', error } });
    return error === undefined;
  });
  const estimated = (): Date => context.at ?? context.clock.estimate();
  let estimate = estimated();
  for (let tries = 1; open.length > 0; tries++) {
    const attempts = open.map((request) => attemptOf(context, rules, request, estimate, before));
    const outcomes = await countAll(context, attempts);
    const forgotten = [...outcomes.values()].filter(isForgotten);
    const known = await recalledOrFailed(
      context,
      forgotten.map(({ attempt }) => attempt),
    );
    const again: RecordRequest[] = [];
    estimate = estimated();
    for (const attempt of attempts) {
      const outcome = known.get(attempt.id) ?? outcomes.get(attempt.id);
      if (outcome === undefined) throw new TypeError('an attempt has an outcome');
      if (outcome.kind === 'again' && tries < ATTEMPTS_MAX) {
        again.push(attempt.request);
        estimate = outcome.now;
        if (isForgotten(outcome)) before.set(attempt.id, outcome.remembered);
      } else told.set(attempt.id, tellRecord(context, rules, attempt, outcome));
    }
    open = again;
  }
  return inOrderAsked(requests.map(holdId), told);
}

/** Answers what rows know. `before`: of the others, how many outcomes their homes had at least when rows were asked. */
async function recalledOf(
  context: Context,
  rules: CompiledRules,
  requests: readonly RecordRequest[],
) {
  const told = new Map<string, Told<RecordAnswer>>();
  const before = new Map<string, number>();
  const { recall, homeKinds, clock } = context;
  if (recall === undefined) return { told, before };
  const asked = requests.map(({ appId, orderId, subjects }) => {
    const kind = homeKind(subjects, homeKinds);
    return { appId, orderId, home: documentId(kind, subjects[kind] ?? '') };
  });
  const estimate = context.at ?? clock.estimate();
  for (const one of asked) before.set(holdId(one), recall.known.of(one.home, estimate));
  const { found, now = estimate } = await recall.ask(asked);
  const at = context.at ?? now;
  for (const [index, request] of requests.entries()) {
    const one = found[index];
    if (one === undefined) continue;
    const isRepeat = one.kind === 'ended' && one.digest === recordDigest(request);
    const answer = recordAnswer(rulesEntered(rules, request, at), request, at);
    told.set(holdId(request), {
      result: isRepeat
        ? { kind: 'answered', answer: { ...answer, repeated: true } }
        : { kind: 'failed', error: new OrderReusedError(request.orderId, 'recorded') },
    });
  }
  return { told, before };
}

/** Of a payment that has not happened yet. The caller's clock may be ahead. */
function futureError({ happenedAt }: RecordRequest, now: Date): InvalidRequestError | undefined {
  if (happenedAt.getTime() <= now.getTime() + CLOCK_TOLERANCE_MS) return undefined;
  const expected = `an instant that is not after now, ${now.toISOString()}: check a future payment instead`;
  return new InvalidRequestError([mistakeAt(['at'], happenedAt.toISOString(), expected)]);
}

function attemptOf(
  context: Context,
  rules: CompiledRules,
  request: RecordRequest,
  estimate: Date,
  before: ReadonlyMap<string, number>,
) {
  // Its time matters within the commit alone.
  const holdMs = HOLD_SECONDS_DEFAULT * 1_000;
  const asked = { ...request, holdMs, capture: true, dryRun: false };
  const termsOf = context.terms.of.bind(context.terms);
  const planAt = (at: Date): CheckPlan => planRecord(rules, asked, context.homeKinds, at, termsOf);
  const id = holdId(request);
  return {
    request: asked,
    id,
    digestOfId: digestOf(id),
    nonce: context.nonce(),
    digest: recordDigest(request),
    plan: planAt(estimate),
    estimate,
    planAt,
    isAgain: false,
    values: rules.valuesOf(asked),
    maxima: context,
    rememberedBefore: before.get(id),
  };
}

function tellRecord(
  { tellsNear }: Context,
  rules: CompiledRules,
  attempt: ReturnType<typeof attemptOf>,
  outcome: Shown,
): Told<RecordAnswer> {
  const { request } = attempt;
  const traced = traceOf(outcome);
  const trace = (): OrderTrace => traced;
  try {
    const counted = countedIn(attempt, outcome);
    const { views } = counted;
    const home = homeView({ attempt, views });
    const { now } = home;
    // A later add of the attempt has a nonce of its own.
    const { nonce } = counted.kind === 'known' ? counted.entry : (currentEntry(home) ?? attempt);
    const entered = rulesEntered(rules, request, now);
    const answer = recordAnswer(entered, request, now, leftOutOf(views, nonce));
    if (counted.kind === 'known')
      return { result: { kind: 'answered', answer: { ...answer, repeated: true } }, trace };
    const exceeded = excessesOver(entered, request, views, now);
    const result = { kind: 'answered', answer: { ...answer, exceeded } } as const;
    if (!tellsNear) return { result, trace };
    const crossings = recordCrossings(rules, entered, request, views, traced.shares, now);
    return { result, trace, crossings };
  } catch (error) {
    return { result: { kind: 'failed', error }, trace };
  }
}

/** @throws OrderReusedError, SubjectFullError, what it failed with, or why it would begin again */
function countedIn(attempt: Attempt & { readonly request: RecordRequest }, outcome: Shown) {
  switch (outcome.kind) {
    case 'failed':
      throw outcome.error;
    case 'full':
      throw fullError(outcome, attempt);
    case 'known':
      if (!outcome.sameContent) throw new OrderReusedError(attempt.request.orderId, 'recorded');
      return outcome;
    case 'held':
      return outcome;
    case 'again':
      if (outcome.because === 'skewed') throw new ClockSkewError(outcome.now);
      throw new UndecidedError('time or other calls kept overtaking it');
    case 'wouldHold':
    case 'refused':
    case 'unasked':
      throw new TypeError('a record needs no room');
  }
}

/**
 * Counts each record in all its documents or in none. A commit keeps checks away from its documents while
 * it runs. So an order of one document takes part only where an order of several meets it there.
 *
 * @throws what ends the commit of which the call is part: some of an order may be written by then
 */
async function countAll(context: Context, attempts: readonly Attempt[]) {
  const outcomes = new Map<string, Shown>();
  const asked = attempts.filter((attempt) => {
    const error = tooManyRules(attempt);
    if (error !== undefined) outcomes.set(attempt.id, failed(attempt, error));
    return error === undefined;
  });
  const isOneCommit = context.inOneCommit || context.counters.isOneCommit;
  const { alone, commits } = isOneCommit ? { alone: [], commits: [asked] } : parted(asked);
  const count = async (
    some: readonly Attempt[],
    hold: () => Promise<ReadonlyMap<string, Shown>>,
  ): Promise<unknown> => {
    if (some.length === 0) return undefined;
    try {
      for (const [id, outcome] of await hold()) outcomes.set(id, outcome);
      return undefined;
    } catch (error) {
      if (context.counters.isOneCommit) throw error;
      for (const one of some) outcomes.set(one.id, failed(one, error));
      return error;
    }
  };
  await count(alone, () => holdBySteps(context, alone));
  let undecided: UndecidedError | undefined;
  for (const commit of commits) {
    // Where one could not be committed in its time, those after it are not asked: nor could they be.
    const before = undecided;
    const error = await count(commit, () =>
      before === undefined ? holdInOneCommit(context, commit, false) : Promise.reject(before),
    );
    if (error instanceof UndecidedError) undecided = error;
  }
  return outcomes;
}

/** Parts orders that one update counts from those of each commit. */
function parted(attempts: readonly Attempt[]) {
  const shared = new Set(
    attempts.flatMap(({ plan: { documents } }) => (documents.length > 1 ? documents : [])),
  );
  const isShared = ({ plan }: Attempt): boolean => shared.has(plan.documents[0]);
  return {
    alone: attempts.filter((attempt) => !isShared(attempt)),
    commits: commitsOf(attempts.filter(isShared)),
  };
}

/** In the order given, as many in a commit as its documents allow. */
function commitsOf(attempts: readonly Attempt[]): readonly (readonly Attempt[])[] {
  const commits: Attempt[][] = [];
  let documents = new Set<string>();
  for (const attempt of attempts) {
    const all = new Set([...documents, ...attempt.plan.documents]);
    const last = commits.at(-1);
    if (last === undefined || all.size > DOCUMENTS_PER_COMMIT_MAX) {
      commits.push([attempt]);
      documents = new Set(attempt.plan.documents);
    } else {
      last.push(attempt);
      documents = all;
    }
  }
  return commits;
}
