import type { DocumentView, Outcome } from '../document/document.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Attempt, Forgotten, Shown, Views } from './attempt.ts';
import { NO_VIEWS, failed, homeView } from './attempt.ts';
import type { Context } from './context.ts';
import type { Recalled } from './known-memory.ts';
import { look } from './look.ts';
import { countCaptured } from './shares.ts';

/*
 * Orders that count at once, and that home may have forgotten. A hold that is made twice expires; a payment that is
 * counted twice stays. So home takes such an order only if rows did not know it, and if home has forgotten nothing
 * since. What home knew before rows were asked, they know. What it learned later, it still remembers.
 *
 * ```
 * home has forgotten nothing ever ──▶ counted, and rows are not asked
 *  └─ it may have ──▶ ask rows ──▶ they know it: a repeat
 *                             └──▶ they do not: home counts it, if it has forgotten nothing since it was seen
 * ```
 */

/** The `rememberedBefore` of a first attempt. Rows were not asked yet: home must have forgotten nothing ever. */
export function rememberedFirst(
  { recall }: Pick<Context, 'recall'>,
  { capture }: CheckRequest,
): number | undefined {
  return capture && recall !== undefined ? 0 : undefined;
}

/** That of an attempt that begins again: rows were asked since. */
export function rememberedAgain(again: Shown): number | undefined {
  return isForgotten(again) ? again.remembered : again.attempt.rememberedBefore;
}

/**
 * An attempt whose home may have forgotten its order, by what homes were known to have: rows are asked first.
 *
 * @param seen by home that may have forgotten an order of the call: how many outcomes it had
 */
export function forgottenBefore(
  { recall }: Pick<Context, 'recall'>,
  attempt: Attempt,
  seen?: ReadonlyMap<string, number>,
): Shown | undefined {
  const { rememberedBefore: before, plan, estimate: now } = attempt;
  if (recall === undefined || before === undefined) return undefined;
  const [home] = plan.documents;
  const remembered = seen?.get(home) ?? (before === 0 ? recall.known.of(home, now) : 0);
  if (remembered <= before) return undefined;
  return { kind: 'again', because: 'forgotten', now, remembered, attempt, views: NO_VIEWS };
}

/** Whether rows must be asked about an attempt. */
export function isForgotten(shown: Shown): shown is Shown & Forgotten {
  return shown.kind === 'again' && shown.because === 'forgotten';
}

/**
 * Asks rows about orders that homes may have forgotten.
 *
 * @returns those that ended, as a repeat finds them, by their ids. The others may be asked again
 * @throws UndecidedError where rows cannot be read in time
 */
export async function recalled(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, Shown>> {
  const { recall } = context;
  if (recall === undefined || attempts.length === 0) return new Map();
  const asked = attempts.map(({ request: { appId, orderId }, plan }) => ({
    appId,
    orderId,
    home: plan.documents[0],
  }));
  const { found } = await recall.ask(asked);
  const ended = attempts.filter((_, index) => found[index]?.kind === 'ended');
  if (ended.length === 0) return new Map();
  const viewsOf = await look(context, ended);
  const known = new Map<string, Shown>();
  for (const [index, attempt] of attempts.entries()) {
    const one = found[index];
    if (one?.kind !== 'ended') continue;
    const shown = shownAsRecalled(attempt, one, viewsOf(attempt));
    const { dryRun } = attempt.request;
    known.set(attempt.id, dryRun ? shown : await countCaptured(context, shown));
  }
  return known;
}

/** As `recalled`; where rows cannot be read, these orders fail, and others of their call have their answers. */
export async function recalledOrFailed(
  context: Context,
  attempts: readonly Attempt[],
): Promise<ReadonlyMap<string, Shown>> {
  try {
    return await recalled(context, attempts);
  } catch (error) {
    if (context.counters.isOneCommit) throw error;
    return new Map(attempts.map((attempt) => [attempt.id, failed(attempt, error)]));
  }
}

/** What home would show of an order if it remembered it. */
function shownAsRecalled(
  attempt: Attempt,
  { outcome, digest }: Recalled & { readonly kind: 'ended' },
  views: Views,
): Shown {
  const home = homeView({ attempt, views });
  const entry: Outcome = { ...outcome, digest: attempt.digest };
  const view: DocumentView = { ...home, entries: [...home.entries, entry] };
  return {
    kind: 'known',
    entry,
    sameContent: digest === attempt.digest,
    attempt: { ...attempt, plan: attempt.planAt(home.now), estimate: home.now },
    views: new Map([...views, [attempt.plan.documents[0], view]]),
  };
}
