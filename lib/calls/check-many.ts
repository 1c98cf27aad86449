import type { CheckAnswer } from '../domain/answer.ts';
import { requestDigest } from '../domain/digest.ts';
import { InvalidRequestError, NotAllAllowedError, UndecidedError } from '../domain/errors.ts';
import type { ManyResult } from '../domain/many.ts';
import { refuseRepeatedOrders } from '../domain/many.ts';
import { planCheck } from '../domain/plan.ts';
import type { CheckRequest } from '../domain/request.ts';
import { holdId } from '../domain/subject.ts';
import type { Attempt } from './check.ts';
import { check, refuseTooManyRules } from './check.ts';
import { completeHomes, withdrawMany } from './close-many.ts';
import type { Context } from './context.ts';
import { Visited, visitAll } from './hold-many.ts';
import type { Results, Run } from './tell-many.ts';
import { tellMany } from './tell-many.ts';
import type { Verdict } from './verdict.ts';
import { isAllowed, verdictAtHome, verdictOf } from './verdict.ts';

/**
 * Asks whether many transactions may happen, each of which gets its own answer.
 *
 * Orders of one document are decided in the order given, by one update where the same rules apply.
 * Home documents come first, all at a time; then all others, for the orders that still stand; then
 * homes are completed, and what was refused is given back. An order is asked by itself at the end
 * where it is in another call's hands, or was refused only because an order before it held what was
 * given back since, or counts at once in several documents, or no window was for the store's instant.
 *
 * @param atomic all or none: unless each is allowed, nothing new stays held
 * @throws InvalidRequestError for an order that stands twice, or what many orders may not ask
 */
export async function checkMany(
  context: Context,
  requests: readonly CheckRequest[],
  atomic: boolean,
): Promise<readonly ManyResult<CheckAnswer>[]> {
  refuseRepeatedOrders('orders', requests);
  refuseOptions(requests, atomic);
  const results: Results = new Map();
  for (let tries = 0; tries < 2; tries++) {
    const run = await decideAll(context, requests, atomic, results);
    if (!atomic || ![...run.verdicts.values()].some(({ kind }) => kind === 'skewed')) break;
  }
  return requests.map((request) => {
    const result = results.get(holdId(request));
    if (result === undefined) throw new TypeError('each order has a result');
    return result;
  });
}

/** A dry run among holds would say nothing true of any other moment. */
function refuseOptions(requests: readonly CheckRequest[], atomic: boolean): void {
  for (const [index, { dryRun, capture }] of requests.entries()) {
    const field = dryRun ? 'dryRun' : atomic && capture ? 'capture' : undefined;
    if (field === undefined) continue;
    const expected =
      field === 'dryRun'
        ? 'no dry run among many orders'
        : 'no capture in an atomic call: what is counted cannot be given back';
    throw new InvalidRequestError([{ path: `orders[${index}].${field}`, value: 'true', expected }]);
  }
}

async function decideAll(
  context: Context,
  requests: readonly CheckRequest[],
  atomic: boolean,
  results: Results,
): Promise<Run> {
  const rules = await context.rules();
  const estimate = context.clock.estimate();
  const attempts = requests.map((request) => ({
    request,
    id: holdId(request),
    nonce: context.nonce(),
    digest: requestDigest(request),
    plan: planCheck(rules, request, context.homeKinds, estimate),
    estimate,
  }));
  const run = { attempts, visited: new Visited(), verdicts: new Map<string, Verdict>() };
  await visitHomes(context, run, atomic);
  await visitOthers(context, run, atomic);
  await close(context, run, atomic);
  tellMany(run, results);
  if (!atomic) await askAgain(context, run, results);
  return run;
}

async function visitHomes(context: Context, run: Run, atomic: boolean): Promise<void> {
  const { attempts, visited, verdicts } = run;
  for (const attempt of attempts) {
    const several = attempt.plan.documents.length > 1;
    try {
      refuseTooManyRules(attempt.plan);
      if (several && attempt.request.capture) verdicts.set(attempt.id, { kind: 'again' });
    } catch (error) {
      verdicts.set(attempt.id, { kind: 'failed', error });
    }
  }
  const visits = attempts
    .filter(({ id }) => !verdicts.has(id))
    .map((attempt) => {
      const [document, ...others] = attempt.plan.documents;
      return { attempt, document, pending: atomic || others.length > 0, looks: false };
    });
  await visitAll(context, visits, visited);
  for (const { attempt } of visits) verdicts.set(attempt.id, verdictAtHome(visited, attempt));
}

async function visitOthers(context: Context, run: Run, atomic: boolean): Promise<void> {
  const { attempts, visited, verdicts } = run;
  const holdsAny = !atomic || [...verdicts.values()].every(isAllowed);
  const visits = attempts.flatMap((attempt) => {
    const verdict = verdicts.get(attempt.id);
    const holds = verdict?.kind === 'held' && holdsAny;
    const looks = verdict?.kind === 'refused' || verdict?.kind === 'known';
    if (!holds && !looks) return [];
    const [, ...others] = attempt.plan.documents;
    return others.map((document) => ({ attempt, document, pending: true, looks }));
  });
  await visitAll(context, visits, visited);
  for (const attempt of attempts) {
    const verdict = verdicts.get(attempt.id);
    if (verdict !== undefined) verdicts.set(attempt.id, verdictOf(visited, attempt, verdict));
  }
}

/** Completes what stands, and gives back what does not. */
async function close(context: Context, run: Run, atomic: boolean): Promise<void> {
  const { attempts, visited, verdicts } = run;
  const isPending = (attempt: Attempt): boolean => atomic || attempt.plan.documents.length > 1;
  if (!atomic) askRefusedAgain(run);
  if (!atomic || [...verdicts.values()].every(isAllowed))
    await completeHomes(
      context,
      attempts.filter((attempt) => verdicts.get(attempt.id)?.kind === 'held' && isPending(attempt)),
      verdicts,
    );
  if (atomic) giveUpAll(run);
  const withdrawn = attempts.filter(
    (attempt) =>
      isPending(attempt) &&
      isGivenBack(verdicts.get(attempt.id), atomic) &&
      attempt.plan.documents.some((document) => visited.mayHold(document, attempt.id)),
  );
  await withdrawMany(context, withdrawn, visited, verdicts);
}

/** What the store left undecided is completed by a repeat, unless all orders are given up. */
function isGivenBack(verdict: Verdict | undefined, atomic: boolean): boolean {
  if (verdict === undefined || isAllowed(verdict)) return false;
  return atomic || verdict.kind !== 'failed' || verdict.holdsNothing === true;
}

/** A refusal may be due to an order before it whose share is given back: then it is asked again. */
function askRefusedAgain({ attempts, visited, verdicts }: Run): void {
  const givenBack = new Set<string>();
  const again: string[] = [];
  for (const { id, plan } of attempts) {
    const verdict = verdicts.get(id);
    if (verdict?.kind === 'refused' || verdict?.kind === 'full')
      if (givenBack.has(verdict.document)) again.push(id);
    if (isGivenBack(verdict, false))
      for (const document of plan.documents)
        if (visited.said(document, id)?.kind === 'held') givenBack.add(document);
  }
  for (const id of again) verdicts.set(id, { kind: 'again' });
}

/** One order that is not allowed takes all new ones with it. */
function giveUpAll({ attempts, verdicts }: Run): void {
  const other = attempts.find(({ id }) => !isAllowed(verdicts.get(id) ?? { kind: 'again' }));
  if (other === undefined) return;
  for (const { id, request } of attempts) {
    const kind = verdicts.get(id)?.kind;
    if (kind !== 'held' && kind !== 'again') continue;
    const error =
      kind === 'held'
        ? new NotAllAllowedError(request.orderId, other.request.orderId)
        : new UndecidedError('another call has this order in hand');
    verdicts.set(id, { kind: 'failed', error });
  }
}

/** Asks one by one what could not be decided among many. */
async function askAgain(context: Context, run: Run, results: Results): Promise<void> {
  for (const { id, request } of run.attempts) {
    const kind = run.verdicts.get(id)?.kind;
    if (kind !== 'again' && kind !== 'skewed') continue;
    try {
      results.set(id, { kind: 'answered', answer: await check(context, request) });
    } catch (error) {
      results.set(id, { kind: 'failed', error });
    }
  }
}
