import { decide } from '../domain/decision.ts';
import type { Decision } from '../domain/decision.ts';
import type { DocumentView, Entry } from '../domain/document.ts';
import { emptyView } from '../domain/document.ts';
import { groupedBy } from '../domain/many.ts';
import type { CounterPlan } from '../domain/plan.ts';
import { planFor } from '../domain/plan.ts';
import type { Placed, Share } from '../domain/position.ts';
import { positions } from '../domain/position.ts';
import type { HoldManyAsk } from '../store/counter-store.ts';
import { atOnce } from './at-once.ts';
import type { Attempt } from './check.ts';
import type { Context } from './context.ts';
import { sharesBeside } from './hold-one.ts';

/** One order's visit to one document. */
export type Visit = {
  readonly attempt: Attempt;
  readonly document: string;
  /** Whether the hold waits for home to be completed. */
  readonly pending: boolean;
  /** It only looks how the document stands at its place. */
  readonly looks: boolean;
};

/** What a document said to a visit. */
export type VisitSaid =
  | Exclude<Decision, { readonly kind: 'allowed' }>
  | { readonly kind: 'held' | 'looked' | 'skewed' }
  /** Neither held nor refused by anything that shows: to be asked by itself. */
  | { readonly kind: 'unusual' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** One update of one document, once it is through. */
type Run = {
  readonly visits: readonly Visit[];
  readonly view: DocumentView;
};

/** What the documents of a call said to many orders. */
export class Visited {
  readonly #said = new Map<string, VisitSaid>();
  readonly #runs = new Map<string, Run[]>();

  /** What a document said to an order; undefined where it was not visited. */
  said(document: string, id: string): VisitSaid | undefined {
    return this.#said.get(keyOf(document, id));
  }

  /** Says whether the order holds a share in the document, or may do so for all that is known. */
  mayHold(document: string, id: string): boolean {
    const kind = this.said(document, id)?.kind;
    return kind === 'held' || kind === 'failed';
  }

  note(document: string, id: string, said: VisitSaid): void {
    this.#said.set(keyOf(document, id), said);
  }

  noteRun(document: string, run: Run): void {
    this.#runs.set(document, [...(this.#runs.get(document) ?? []), run]);
  }

  /** How a document stood at each order's place, without what orders hold that will be given back. */
  views(document: string, gone: ReadonlySet<string>): ReadonlyMap<string, DocumentView> {
    const views = new Map<string, DocumentView>();
    const earlierGone: Share[] = [];
    for (const { visits, view } of this.#runs.get(document) ?? []) {
      const placed = placedIn(visits, view, gone);
      for (const [id, at] of positions(view, placed, earlierGone)) views.set(id, at);
      for (const { isGone, share } of placed) if (isGone && share) earlierGone.push(share);
    }
    return views;
  }
}

/** One text for two; the length tells where the second begins. */
function keyOf(one: string, other: string): string {
  return `${one.length}:${one}${other}`;
}

/**
 * Visits documents, several at a time, each with one update for all its orders; where their plans
 * differ, with one for each stretch of orders that have the same.
 */
export async function visitAll(
  context: Context,
  visits: readonly Visit[],
  visited: Visited,
): Promise<void> {
  await atOnce(
    groupedBy(visits, ({ document }) => document),
    async ([document, ofDocument]) => {
      for (const run of runsOf(ofDocument)) await visitOnce(context, document, run, visited);
    },
  );
}

function runsOf(visits: readonly Visit[]): readonly (readonly Visit[])[] {
  const runs: Visit[][] = [];
  let last: string | undefined;
  for (const visit of visits) {
    const signature = signatureOf(visit);
    if (signature === last) runs.at(-1)?.push(visit);
    else runs.push([visit]);
    last = signature;
  }
  return runs;
}

/** What orders must have in common to be decided by one update. */
function signatureOf(visit: Visit): string {
  const plans = plansOf(visit).map(({ from, until, barred, counters }) =>
    [from.getTime(), until.getTime(), barred, ...counters.map(signatureOfCounter)].join(),
  );
  return [visit.pending, ...plans].join(';');
}

function signatureOfCounter(counter: CounterPlan): string {
  const { key, bucket, sumsAmounts, maxAmountMinor, maxCount, shadow } = counter;
  const [begin, end] =
    bucket.kind === 'fixed'
      ? [bucket.start.getTime(), bucket.until.getTime()]
      : [bucket.stepMs, bucket.keepMs];
  return [key, bucket.kind, begin, end, sumsAmounts, maxAmountMinor, maxCount, shadow].join();
}

/** The plans of a visit. A rule that bars the order in all of them is told with the order. */
function plansOf({ attempt, document }: Visit): HoldManyAsk['plans'] {
  const { plans } = attempt.plan;
  const always = isBarred(attempt);
  return plans.map(({ from, until, barred, counters }) => ({
    from,
    until,
    barred: barred && !always,
    counters: counters.get(document) ?? [],
  }));
}

function isBarred({ plan }: Attempt): boolean {
  return plan.plans.every(({ barred }) => barred);
}

async function visitOnce(
  context: Context,
  document: string,
  visits: readonly Visit[],
  visited: Visited,
): Promise<void> {
  try {
    const view = await update(context, document, visits);
    const placed = placedIn(visits, view, new Set());
    const views = positions(view, placed, []);
    for (const visit of visits) {
      const said = readSaid(context, visit, views.get(visit.attempt.id) ?? view);
      visited.note(document, visit.attempt.id, said);
    }
    visited.noteRun(document, { visits, view });
  } catch (error) {
    for (const { attempt } of visits) visited.note(document, attempt.id, { kind: 'failed', error });
  }
}

async function update(
  context: Context,
  document: string,
  visits: readonly Visit[],
): Promise<DocumentView> {
  const [first] = visits;
  if (first === undefined) throw new RangeError('an update has orders');
  const plans = plansOf(first);
  if (visits.every(({ looks }) => looks)) {
    const keys = plans.flatMap(({ counters }) => counters.map(({ key }) => key));
    const ids = visits.map(({ attempt }) => attempt.id);
    const found = await context.counters.readMany(document, ids, keys, context.at);
    return found ?? emptyView(first.attempt.estimate);
  }
  const orders = visits.map(({ attempt, pending, looks }) => {
    const { id, nonce, digest, request } = attempt;
    const { amountMinor, count, holdMs } = request;
    const barred = looks || isBarred(attempt);
    const capture = request.capture && !pending;
    const elsewhere = sharesBeside(attempt, document);
    return { id, nonce, digest, amountMinor, count, ...elsewhere, holdMs, capture, barred };
  });
  const ask = { orders, pending: first.pending, openHoldsMax: context.openHoldsMax, plans };
  const view = await context.counters.holdMany(document, ask, context.at);
  context.clock.observe(view.databaseNow);
  return view;
}

/** Reads from a document at an order's place what it decided: the hold with its nonce is the evidence. */
function readSaid(context: Context, visit: Visit, view: DocumentView): VisitSaid {
  const { attempt, document, looks } = visit;
  const plan = planFor(attempt.plan, view.now);
  if (plan === undefined) return { kind: 'skewed' };
  if (looks) return { kind: 'looked' };
  if (ownEntry(attempt, view.entries) !== undefined) return { kind: 'held' };
  const counters = plan.counters.get(document) ?? [];
  const { request, digest } = attempt;
  const said = decide(view, plan, counters, request, digest, context.openHoldsMax);
  return said.kind === 'allowed' ? { kind: 'unusual' } : said;
}

function ownEntry(attempt: Attempt, entries: readonly Entry[]): Entry | undefined {
  return entries.find(({ id, nonce }) => id === attempt.id && nonce === attempt.nonce);
}

function placedIn(
  visits: readonly Visit[],
  view: DocumentView,
  gone: ReadonlySet<string>,
): readonly Placed[] {
  const own = new Map(view.entries.map((entry) => [keyOf(entry.id, entry.nonce), entry]));
  return visits.map(({ attempt, document }) => {
    const { id, nonce, request, plan } = attempt;
    const entry = own.get(keyOf(id, nonce));
    if (entry === undefined) return { id, isGone: false };
    const counters: readonly CounterPlan[] = planFor(plan, view.now)?.counters.get(document) ?? [];
    const share = {
      amountMinor: request.amountMinor,
      count: request.count,
      captured: entry.state === 'confirmed',
      counters,
      leftOut: entry.leftOut ?? [],
    };
    return { id, share, isGone: gone.has(id) };
  });
}
