import { leftOutBy } from '../document/decide.ts';
import { holdEnd } from '../counter/effect.ts';
import { bucketsEntered } from '../document/position.ts';
import type { Attempt, Shown, Views } from '../limits/attempt.ts';
import { failed, tooManyRules } from '../limits/attempt.ts';
import { seeAll, seeInTurn } from '../limits/look.ts';
import { shareUntilIn } from '../limits/shares.ts';
import type { Ending } from '../shared/states.ts';
import type { Entering, KeptOrder } from './kept-order.ts';
import { asTold, shareKept, leftOutAsTold, planIn, sharesIn } from './kept-order.ts';
import { namedIn } from './bucket-sums.ts';
import type { KnownNames } from './known-names.ts';
import { keepNames, noNames } from './known-names.ts';
import type { KeptShare, MemoryDocument } from './memory-document.ts';
import { goTo, isIdle, move, newDocument, timeAt, viewAt } from './memory-document.ts';
import type { Planned, TermsOf } from './planned.ts';

/** Documents in memory, as they stand after some rows, and the orders that are held in them. Plain data. */
export type Kept = {
  readonly documents: Map<string, MemoryDocument>;
  /** The names of their buckets. */
  readonly names: KnownNames;
  readonly byNonce: Map<string, KeptOrder>;
  readonly byId: Map<string, KeptOrder>;
};

/** Nothing yet. */
export function keptNothing(): Kept {
  return { documents: new Map(), names: noNames(), byNonce: new Map(), byId: new Map() };
}

const HELD = { to: 'held' } as const;

/** Writes documents in memory, and decides about them by the functions of a check. */
export class Replay {
  readonly #documents: Map<string, MemoryDocument>;
  readonly #names: KnownNames;
  readonly #byNonce: Map<string, KeptOrder>;
  readonly #byId: Map<string, KeptOrder>;
  readonly #termsOf: TermsOf;

  constructor(termsOf: TermsOf, { documents, names, byNonce, byId }: Kept) {
    this.#termsOf = termsOf;
    this.#documents = documents;
    this.#names = names;
    this.#byNonce = byNonce;
    this.#byId = byId;
  }

  get documents(): number {
    return this.#documents.size;
  }

  get orders(): number {
    return this.#byNonce.size;
  }

  /** An order that was entered, until it ends. */
  orderBy(nonce: string): KeptOrder | undefined {
    return this.#byNonce.get(nonce);
  }

  /** An order that is held now: another check of it would be answered as a repeat. */
  heldAs(id: string, at: Date): KeptOrder | undefined {
    const order = this.#byId.get(id);
    const [home] = order?.shares ?? [];
    if (home === undefined) return undefined;
    goTo(home.document, at);
    return home.before === 'open' ? order : undefined;
  }

  /** Takes what is said of one order for what is said of another try at it. */
  join(nonce: string, order: KeptOrder): void {
    this.#byNonce.set(nonce, order);
  }

  /** Asks for one order, as if other attempts at it had no shares. Nothing is entered. */
  ask({ attempt }: Planned): Shown {
    const error = tooManyRules(attempt);
    if (error !== undefined) return failed(attempt, error);
    return seenBy((asked) => seeAll(asked, this.#viewsOf(asked)), attempt);
  }

  /** Asks for the orders of a call of all or none: each sees those before it. */
  askTogether(planned: readonly Planned[]): readonly Shown[] {
    const see = seeInTurn((attempt) => this.#viewsOf(attempt));
    return planned.map(({ attempt }) => seenBy(see, attempt));
  }

  /** Holds or counts an order, whatever the maxima. */
  enter({ attempt, row }: Planned, nonce: string | undefined, entering: Entering): KeptOrder {
    const { estimate: at, plan, id, values, request } = attempt;
    const { amountMinor, mostMinor, ending } = entering;
    this.#dropInTheWay(attempt);
    const earlier = this.#attemptsAt(id);
    const taken = { amountMinor, count: request.count, values };
    const [home] = plan.documents;
    const homeUntil =
      entering.until ?? holdEnd(timeAt(this.#document(home), at), attempt.request.holdMs);
    const shares = plan.documents.map((name): KeptShare => {
      const document = this.#document(name);
      const now = goTo(document, at);
      const { counters } = planIn(attempt, name, now);
      const onTrial = counters.filter(({ shadow }) => shadow);
      const leftOut =
        onTrial.length === 0 ? [] : leftOutBy(viewAt(document, at, undefined), onTrial, taken);
      const isBeside = name !== home;
      const buckets = asTold(row, name, bucketsEntered(counters, leftOut, now));
      const share = shareKept(attempt, document, buckets, {
        amountMinor,
        until: isBeside ? shareUntilIn({ now }, homeUntil, request.holdMs) : homeUntil,
        isBeside,
      });
      move(share, ending ?? HELD, at);
      return share;
    });
    const order = { id, amountMinor, mostMinor, shares, earlier };
    if (ending !== undefined) return order;
    if (nonce !== undefined) this.#byNonce.set(nonce, order);
    this.#byId.set(id, order);
    return order;
  }

  /** An order that went from memory, as it was entered: its hold expired, or it was counted. @param mostMinor that was held of it */
  recalled({ attempt, row }: Planned, before: 'over' | 'counted', mostMinor?: number): KeptOrder {
    const { plan, request, id } = attempt;
    const [home] = plan.documents;
    const amountMinor = mostMinor ?? row.amountMinor ?? request.amountMinor;
    const shares = plan.documents.map((name) => {
      const { counters } = planIn(attempt, name, row.at);
      const leftOut = leftOutAsTold(row, name, counters);
      const buckets = asTold(row, name, bucketsEntered(counters, leftOut, row.at));
      const share = { amountMinor, until: row.at, isBeside: name !== home };
      return { ...shareKept(attempt, this.#document(name), buckets, share), before };
    });
    return { id, amountMinor, mostMinor, shares, earlier: [] };
  }

  /** Confirms an order, or gives it back. */
  settle(order: KeptOrder, nonce: string, ending: Ending, at: Date, finalMinor?: number): void {
    const end = { ...ending, amountMinor: finalMinor };
    for (const share of order.shares) move(share, end, at);
    this.#byNonce.delete(nonce);
    if (this.#byId.get(order.id) === order) this.#byId.delete(order.id);
  }

  /** Gives back a part of a counted order. */
  refund({ shares }: KeptOrder, amount: number, count: number, at: Date): void {
    for (const share of shares)
      move(share, { to: 'refunded', amountMinor: amount }, at, {
        amount,
        count,
        values: share.values,
      });
  }

  /** Lets go orders to which nothing can happen any more but by their rows. */
  sweepOrders(at: Date): void {
    const isGone = ({ shares }: KeptOrder): boolean =>
      shares.every((share) => {
        goTo(share.document, at);
        return share.before !== 'open';
      });
    for (const orders of [this.#byNonce, this.#byId])
      for (const [name, order] of orders) if (isGone(order)) orders.delete(name);
  }

  /** Lets go documents of which nothing matters any more, and such orders. */
  sweep(at: Date): void {
    this.sweepOrders(at);
    // An order that has one open share may count in all its documents yet.
    const held = new Set<MemoryDocument>();
    for (const { shares } of this.#byNonce.values())
      for (const { document } of shares) held.add(document);
    for (const [name, document] of this.#documents)
      if (isIdle(document, at) && !held.has(document)) this.#documents.delete(name);
    keepNames(this.#names, namedIn(this.#documents.values()));
  }

  /** Attempts at an order that have an open share. */
  #attemptsAt(id: string): readonly KeptOrder[] {
    const last = this.#byId.get(id);
    if (last === undefined) return [];
    const isOpen = ({ shares }: KeptOrder): boolean =>
      shares.some(({ before }) => before === 'open');
    return [last, ...last.earlier].filter(isOpen);
  }

  /** Where their shares leave no room, they go. */
  #dropInTheWay(attempt: Attempt): void {
    const shares = this.#attemptsAt(attempt.id).flatMap((order) => order.shares);
    if (shares.length === 0) return;
    const views = this.#viewsOf(attempt);
    const counting = new Map([...views].map(([name, view]) => [name, { ...view, shares: [] }]));
    if (seeAll(attempt, counting).kind === 'wouldHold') return;
    for (const share of shares)
      if (share.isBeside && share.before === 'open')
        move(share, { to: 'dropped' }, attempt.estimate);
  }

  #viewsOf({ id, plan, estimate }: Attempt): Views {
    const [home] = plan.documents;
    const views = plan.documents.map((name) => {
      const view = viewAt(this.#document(name), estimate, this.#termsOf(name));
      return [name, view] as const;
    });
    const attempts = this.#attemptsAt(id);
    if (attempts.length === 0) return new Map(views);
    return new Map(
      views.map(([name, view]) => {
        const shares = attempts.flatMap((order) => sharesIn(order, this.#document(name), home));
        return [name, { ...view, shares }];
      }),
    );
  }

  #document(name: string): MemoryDocument {
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const made = newDocument(this.#names);
    this.#documents.set(name, made);
    return made;
  }
}

/** Each document may have seen a later instant, in a window of which the plan does not know. */
function seenBy(see: (attempt: Attempt) => Shown, attempt: Attempt): Shown {
  let asked = attempt;
  let outcome = see(asked);
  for (let more = attempt.plan.documents.length; more > 0 && outcome.kind === 'again'; more--) {
    const later = attempt.planAt(outcome.now);
    const plans = [...later.plans, ...asked.plan.plans];
    const barred = [...later.barred, ...asked.plan.barred];
    asked = { ...attempt, plan: { ...later, plans, barred } };
    outcome = see(asked);
  }
  return outcome;
}
