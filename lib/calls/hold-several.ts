import { TAKEOVERS_MAX, WAITS_MAX } from '../domain/bounds.ts';
import type { DocumentView, Entry } from '../domain/document.ts';
import { currentEntry, leftOutOf } from '../domain/document.ts';
import { UndecidedError } from '../domain/errors.ts';
import type { Attempt, Attempted } from './check.ts';
import type { Context } from './context.ts';
import { askDocument } from './hold-one.ts';
import type { Said } from './hold-one.ts';
import { readDocuments } from './look-only.ts';

type Views = Map<string, DocumentView>;

/**
 * A check of several documents, each decided by one atomic update.
 *
 * Home comes first. Every document holds its share as pending; when all do, one more update completes
 * home's hold, and only then is the order allowed. A refusal withdraws what was held, without a trace.
 *
 * A repeat that meets a pending hold waits a little for the other call to complete it. After that it
 * takes the hold over by putting its own nonce in it, so that two calls of one order never rely on
 * each other's holds: whoever completes home has the order, the other starts again. What a crash
 * leaves half done is taken over in the same way, or expires by itself. An old share beside home, in
 * the windows of an older call, is decided anew by one more update; where it finds no room it stays
 * what it was, so that a late confirm of the older hold counts in every document.
 */
export async function holdInSeveral(context: Context, attempt: Attempt): Promise<Attempted> {
  for (let tries = 0; tries < WAITS_MAX + TAKEOVERS_MAX; tries++) {
    const attempted = await holdInAll(context, attempt, tries >= WAITS_MAX);
    if (attempted !== undefined) return attempted;
    await context.pause(Math.min(tries, WAITS_MAX));
  }
  throw new UndecidedError('other calls of the same order kept taking over');
}

/** One run over all documents; undefined where another call has the order in hand. */
async function holdInAll(
  context: Context,
  attempt: Attempt,
  takesOver: boolean,
): Promise<Attempted | undefined> {
  const [home] = attempt.plan.documents;
  const views: Views = new Map();
  const taken = new Set<string>();
  for (const document of attempt.plan.documents) {
    // Whoever has home takes over what an earlier call left in the other documents.
    const share = { pending: true, takesOver: takesOver || document !== home };
    let { said, view } = await askDocument(context, attempt, document, share);
    const isOld = said.kind === 'held' && said.takenOver && endsBefore(view, views.get(home));
    if (isOld) ({ said, view } = await askDocument(context, attempt, document, RENEWED));
    views.set(document, view);
    if (said.kind === 'held') {
      if (said.takenOver) taken.add(document);
      continue;
    }
    if (said.kind === 'known' && said.sameContent && isPending(said.entry)) return undefined;
    // An old share that was not renewed stays until its own time is over, and then for a late confirm.
    const asked = [...views.keys()].filter((each) => !(isOld && each === document));
    await withdraw(context, attempt, asked, taken);
    return ended(context, attempt, said, views);
  }
  if (!(await context.counters.complete(home, attempt.id, attempt.nonce))) {
    await withdraw(context, attempt, attempt.plan.documents, taken);
    return undefined;
  }
  const held = { kind: 'held', repeated: taken.size > 0, leftOut: leftOutOf(views) } as const;
  if (!attempt.request.capture) return { ...held, views };
  const counted = await captured(context, attempt);
  return counted.entry?.state === 'rolledBack'
    ? { kind: 'known', entry: counted.entry, sameContent: true, views: counted.views }
    : { ...held, views: counted.views };
}

/** A share that was taken over is held anew, in the windows of now, or stays as it is. */
const RENEWED = { pending: true, takesOver: false, renews: true } as const;

/**
 * Says whether a share was left by an older call than the one that holds home: it is in the windows of
 * that call, and would end before the order's hold does.
 */
function endsBefore(view: DocumentView, home: DocumentView | undefined): boolean {
  const [share, whole] = [currentEntry(view), home && currentEntry(home)];
  return share?.state === 'open' && whole?.state === 'open' && share.until < whole.until;
}

function isPending(entry: Entry): boolean {
  return entry.state === 'open' && entry.pending;
}

async function ended(
  context: Context,
  attempt: Attempt,
  said: Exclude<Said, { readonly kind: 'held' }>,
  views: Views,
): Promise<Attempted> {
  switch (said.kind) {
    case 'skewed':
      return { kind: 'skewed', now: [...views.values()].at(-1)?.now ?? attempt.estimate };
    case 'full':
      return said;
    case 'known': {
      const isHome = views.size === 1;
      if (!isHome || !said.sameContent || !attempt.request.capture)
        return { ...said, views: await completed(context, attempt, views) };
      // A crash may have left it held, or counted in some of the documents.
      const counted = await captured(context, attempt);
      return { ...said, entry: counted.entry ?? said.entry, views: counted.views };
    }
    case 'refused':
      return { kind: 'refused', views: await completed(context, attempt, views) };
  }
}

/**
 * Gives back what this call holds, home first.
 *
 * Where home is another call's by now, so is every share that this call took over, whoever's nonce it
 * bears: to take it away would leave an order that stands without it. It stays, and expires by itself
 * if nobody completes or settles the order.
 */
async function withdraw(
  context: Context,
  { id, nonce, plan }: Attempt,
  documents: readonly string[],
  taken: ReadonlySet<string>,
): Promise<void> {
  const [home] = plan.documents;
  const ask = { id, to: 'withdrawn', nonce, remembers: false } as const;
  const before = await context.counters.settle(home, ask, context.at);
  const entry = before && currentEntry(before);
  const isOthers = entry !== undefined && entry.nonce !== nonce && entry.state !== 'rolledBack';
  for (const document of documents)
    if (document !== home && !(isOthers && taken.has(document)))
      await context.counters.settle(document, ask, context.at);
}

/** The views after a withdrawal: as every document stands now. */
async function completed(context: Context, attempt: Attempt, views: Views): Promise<Views> {
  const others = attempt.plan.documents.filter((document) => {
    const view = views.get(document);
    return view === undefined || view.entries.some(({ nonce }) => nonce === attempt.nonce);
  });
  for (const [document, view] of await readDocuments(context, attempt, others))
    views.set(document, view);
  return views;
}

/**
 * Counts at once what a check with `capture` holds. Whatever is counted already stays as it is, and
 * home says whether the order is to be counted at all: it may have been rolled back meanwhile.
 */
async function captured(
  context: Context,
  attempt: Attempt,
): Promise<{ readonly entry: Entry | undefined; readonly views: Views }> {
  const { id, plan } = attempt;
  const [home, ...others] = plan.documents;
  const ask = { id, to: 'confirmed' } as const;
  const before = await context.counters.settle(home, { ...ask, remembers: true }, context.at);
  const entry = before && currentEntry(before);
  if (entry !== undefined && entry.state !== 'rolledBack') {
    const final = entry.state === 'confirmed' ? { amountMinor: entry.amount } : {};
    const told = { ...ask, ...final, nonce: entry.nonce, remembers: false };
    for (const document of others) await context.counters.settle(document, told, context.at);
  }
  return { entry, views: new Map(await readDocuments(context, attempt, plan.documents)) };
}
