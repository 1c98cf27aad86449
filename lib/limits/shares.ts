import { SHARE_BEYOND_MS } from '../shared/bounds.ts';
import type { DocumentView, Entry, Outcome } from '../document/document.ts';
import type { Ending, SettledState } from '../shared/states.ts';
import { currentEntry, isOutcome, viewsByOrder } from '../document/document.ts';
import { afterSettlement, pendingIn } from '../document/settlement.ts';
import { SubjectFullError } from '../shared/errors.ts';
import type { ShareEnd } from '../counter/effect.ts';
import { holdEnd } from '../counter/effect.ts';
import type { ShareSettleAsk } from '../document/counter-store.ts';
import { atOnce } from '../shared/at-once.ts';
import type { Shown, Views } from './attempt.ts';
import { failed, homeView } from './attempt.ts';
import type { Context } from './context.ts';
import { groupedBy } from '../shared/grouped.ts';

/** When a share beside home ends: a little after home's hold, for the clocks of documents may differ. */
export function shareUntil(until: Date): Date {
  return new Date(until.getTime() + SHARE_BEYOND_MS);
}

/** Ends no sooner than a hold there would: the document may have seen later instants than home. */
export function shareUntilIn(
  view: Pick<DocumentView, 'now'> | undefined,
  until: Date,
  holdMs: number,
): Date {
  const there = view && holdEnd(view.now, holdMs);
  return shareUntil(there !== undefined && there > until ? there : until);
}

/** What is decided of an order's share in a document beside home. */
export type DecidedShare = {
  readonly ask: ShareSettleAsk;
  readonly document: string;
  /** When the share's time is over, as home has it. */
  readonly until?: Date | undefined;
};

/** What a document beside home said to what was decided. */
export type Followed = ReturnType<typeof readFollowed>;

/**
 * Settles by the nonce that home tells. A share is taken away once, so that a repeat that finds none does nothing.
 * @returns by order, in the order of `decided`
 */
export async function settleShares(context: Context, decided: readonly DecidedShare[]) {
  const errors = new Map<string, unknown>();
  const said = new Map<DecidedShare, Followed>();
  const settleIn = async (document: string, ofDocument: readonly DecidedShare[]): Promise<void> => {
    const asks = ofDocument.map(({ ask }) => ask);
    try {
      const estimate = context.clock.estimate();
      let view = await context.counters.settleShares(document, asks, estimate, context.at);
      const viewOf = view && viewsByOrder(view);
      for (const one of ofDocument) {
        const followed = readFollowed(one, viewOf?.(one.ask.id, view));
        said.set(one, followed);
        view &&= afterSettlement(view, followed.share, one.ask);
      }
    } catch (error) {
      const isFull = error instanceof SubjectFullError;
      // Nothing was written: each share is settled if it can be alone, and home has counted the other.
      if (isFull && ofDocument.length > 1)
        for (const one of ofDocument) await settleIn(document, [one]);
      else if (isFull)
        for (const one of ofDocument) said.set(one, { ...readFollowed(one), uncounted: true });
      else for (const { id } of asks) errors.set(id, error);
    }
  };
  await atOnce(
    groupedBy(decided, ({ document }) => document),
    ([document, ofDocument]) => settleIn(document, ofDocument),
  );
  const all = decided.flatMap((one) => said.get(one) ?? []);
  return { followed: groupedBy(all, ({ id }) => id), errors };
}

/** Reads the share as it was before, and whether it may go uncounted: it had to go before the confirm came. */
function readFollowed(decided: DecidedShare, view?: DocumentView) {
  const { ask, document } = decided;
  const { id, nonce, to } = ask;
  const share = view && pendingIn(view, nonce);
  const uncounted = to === 'confirmed' && share === undefined && mayHaveGone(view, decided);
  return { id, document, view, share, uncounted };
}

/** Whether a share may have gone without being settled: for newer ones, or with the document that was there before. */
function mayHaveGone(view: DocumentView | undefined, { until }: DecidedShare): boolean {
  if (view === undefined) return true;
  if (until === undefined) return false;
  const isBy = (instant: Date | undefined): boolean => instant !== undefined && until <= instant;
  return isBy(view.forgotUntil) || isBy(view.madeAt);
}

/** What home tells of an order with shares in other documents. */
type Beside = Pick<Entry, 'id' | 'nonce' | 'amount' | 'others' | 'until'>;

/** Decides for an order's shares in other documents what home has decided. */
export function sharesBeside(
  { id, nonce, amount, others = [], until }: Beside,
  end: ShareEnd<SettledState>,
): readonly DecidedShare[] {
  return others.map((document) => ({
    ask: { id, nonce, ...end, amountMinor: end.amountMinor ?? amount },
    document,
    until: until && shareUntil(until),
  }));
}

/** Settles in other documents what home has settled; what each of them said. */
export async function settleBeside(context: Context, entry: Beside, ending: Ending) {
  const { followed, errors } = await settleShares(context, sharesBeside(entry, ending));
  if (errors.has(entry.id)) throw errors.get(entry.id);
  return followed.get(entry.id) ?? [];
}

/** Names the documents that may not count an order, if there are any. */
export function uncountedIn(followed: readonly Followed[]): Shown['uncounted'] {
  const missing = followed.filter(({ uncounted }) => uncounted).map(({ document }) => document);
  return missing.length === 0 ? undefined : missing;
}

/** Settles a captured order in the other documents as home has it; these as they are then. */
export async function countShares(context: Context, entry: Outcome, views: Views) {
  const { nonce, amount, state, reasonCode } = entry;
  const ending = { to: state, reasonCode };
  const after = new Map(views);
  const followed = await settleBeside(context, entry, ending);
  for (const { document, view, share, uncounted } of followed) {
    const known = views.get(document) ?? view;
    if (known === undefined) continue;
    const held = pendingIn(known, nonce) ?? share;
    // What was swept meanwhile takes nothing of the document any more.
    const end = uncounted ? ({ to: 'dropped' } as const) : { ...ending, amountMinor: amount };
    after.set(document, afterSettlement(known, held, end));
  }
  return { views: after, uncounted: uncountedIn(followed) };
}

/** Counts as home has counted, in a repeat too: the first call may have ended in between. */
export async function countCaptured(context: Context, shown: Shown): Promise<Shown> {
  const { attempt, kind, views } = shown;
  if (!attempt.request.capture || (kind !== 'held' && kind !== 'known')) return shown;
  // Under another order's id: an error changes nothing.
  if (shown.kind === 'known' && !shown.sameContent) return shown;
  const entry = currentEntry(homeView(shown));
  if (entry === undefined || !isOutcome(entry) || entry.others === undefined) return shown;
  try {
    return { ...shown, ...(await countShares(context, entry, views)) };
  } catch (error) {
    return failed(attempt, error);
  }
}
