import type { CheckAnswer } from '../domain/answer.ts';
import { TAKEOVERS_MAX, WAITS_MAX } from '../domain/bounds.ts';
import { InvalidRequestError } from '../domain/errors.ts';
import type { ManyResult } from '../domain/many.ts';
import { refuseRepeatedOrders } from '../domain/many.ts';
import type { CheckRequest } from '../domain/request.ts';
import { holdId } from '../domain/subject.ts';
import type { Attempt } from './check.ts';
import { check } from './check.ts';
import { giveBackOthers, giveUpAll } from './all-or-none.ts';
import { completeHomes, withdrawMany } from './close-many.ts';
import type { Context } from './context.ts';
import type { Results, Run } from './tell-many.ts';
import { tellMany } from './tell-many.ts';
import type { Verdict } from './verdict.ts';
import { isAllowed } from './verdict.ts';
import { visitedRun } from './visit-many.ts';

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
  return atomic ? decideAtomic(context, requests) : decideEach(context, requests);
}

async function decideEach(
  context: Context,
  requests: readonly CheckRequest[],
): Promise<readonly ManyResult<CheckAnswer>[]> {
  const run = await visitedRun(context, requests, false);
  askRefusedAgain(run);
  await close(context, run);
  const results = tellMany(run);
  await askAgain(context, run, results);
  return inTheOrderOf(requests, results);
}

/**
 * All or none. What another call holds as pending is waited for a little, and then given back, as a
 * check of one order takes it over: whoever made it was cut off, or starts again.
 */
async function decideAtomic(
  context: Context,
  requests: readonly CheckRequest[],
): Promise<readonly ManyResult<CheckAnswer>[]> {
  for (let tries = 0; ; tries++) {
    const run = await visitedRun(context, requests, true);
    const { verdicts } = run;
    const isLast = tries >= WAITS_MAX + TAKEOVERS_MAX;
    const starts = startsAgain(run, tries);
    if (starts && tries >= WAITS_MAX) await giveBackOthers(context, run);
    if ([...verdicts.values()].every(isAllowed)) await completePending(context, run, true);
    const goesOn = (starts || startsAgain(run, tries)) && !isLast;
    giveUpAll(run);
    await withdrawRefused(context, run, true);
    if (!goesOn) return inTheOrderOf(requests, tellMany(run));
    await context.pause(Math.min(tries, WAITS_MAX));
  }
}

/** Another call has some order in hand; or no window was for the store's instant, as may happen once. */
function startsAgain({ verdicts }: Run, tries: number): boolean {
  const kinds = [...verdicts.values()].map(({ kind }) => kind);
  return kinds.includes('again') || (tries === 0 && kinds.includes('skewed'));
}

function inTheOrderOf(
  requests: readonly CheckRequest[],
  results: Results,
): readonly ManyResult<CheckAnswer>[] {
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

/** Completes what stands, and gives back what does not. */
async function close(context: Context, run: Run): Promise<void> {
  await completePending(context, run, false);
  await withdrawRefused(context, run, false);
}

function isPending(atomic: boolean, { plan }: Attempt): boolean {
  return atomic || plan.documents.length > 1;
}

async function completePending(context: Context, run: Run, atomic: boolean): Promise<void> {
  const held = run.attempts.filter(
    (attempt) => run.verdicts.get(attempt.id)?.kind === 'held' && isPending(atomic, attempt),
  );
  await completeHomes(context, held, run.verdicts);
}

async function withdrawRefused(context: Context, run: Run, atomic: boolean): Promise<void> {
  const { attempts, visited, verdicts } = run;
  const refused = attempts.filter(
    (attempt) =>
      isPending(atomic, attempt) &&
      isGivenBack(verdicts.get(attempt.id), atomic) &&
      attempt.plan.documents.some((document) => visited.mayHold(document, attempt.id)),
  );
  await withdrawMany(context, refused, visited, verdicts);
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
