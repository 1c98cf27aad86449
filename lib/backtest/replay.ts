import { leftOutBy } from '../document/decide.ts';
import type { BucketReference } from '../document/document.ts';
import type { DocumentPlan } from '../document/document-plan.ts';
import { planFor } from '../document/document-plan.ts';
import { holdEnd } from '../document/effect.ts';
import { bucketsEntered } from '../document/position.ts';
import type { Attempt, Ended, Views } from '../limits/attempt.ts';
import { plansFor, tooManyRules } from '../limits/attempt.ts';
import { seeInTurn } from '../limits/in-turn.ts';
import { seeAll } from '../limits/look.ts';
import { shareUntilIn } from '../limits/shares.ts';
import { valuesIn } from '../rule/distinct.ts';
import type { Ending } from '../shared/states.ts';
import { CONFIRMED } from '../shared/states.ts';
import type { KeptShare } from './memory-document.ts';
import { MemoryDocument } from './memory-document.ts';
import type { Planned, TermsOf } from './planned.ts';

/** An order that is held or counts: home first. */
export type KeptOrder = {
  readonly id: string;
  readonly amountMinor: number;
  /** What was held as it happened, where that is more. */
  readonly heldMinor?: number | undefined;
  readonly shares: readonly KeptShare[];
};

/** How an order enters its documents. */
export type Entering = {
  readonly amountMinor: number;
  readonly heldMinor?: number | undefined;
  /** The end of its hold at home, where a row tells it. */
  readonly until?: Date | undefined;
  /** It is counted at once. */
  readonly ending?: Ending | undefined;
};

/** Documents in memory, as they stand after some rows. It decides by the functions of a check. */
export class Replay {
  readonly #documents = new Map<string, MemoryDocument>();
  readonly #byNonce = new Map<string, KeptOrder>();
  readonly #byId = new Map<string, KeptOrder>();
  readonly #termsOf: TermsOf;

  constructor(termsOf: TermsOf) {
    this.#termsOf = termsOf;
  }

  get documents(): number {
    return this.#documents.size;
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
    home.document.viewAt(at, undefined);
    return home.before === 'open' ? order : undefined;
  }

  /** Takes what is said of one order for what is said of another try at it. */
  join(nonce: string, order: KeptOrder): void {
    this.#byNonce.set(nonce, order);
  }

  /** Asks for one order. Nothing is entered. */
  ask({ attempt, by }: Planned): Ended {
    const error = tooManyRules(attempt);
    if (error !== undefined) return { attempt, outcome: { kind: 'failed', error } };
    const outcome = seeAll(by, attempt, this.#viewsOf(attempt));
    if (outcome.kind !== 'again') return { attempt, outcome };
    // A document has seen a later instant, in the next window.
    const later = { ...attempt, plan: attempt.planAt(outcome.now) };
    return { attempt: later, outcome: seeAll(by, later, this.#viewsOf(later)) };
  }

  /** Asks for the orders of a call of all or none: each sees those before it. */
  askTogether(planned: readonly Planned[]): readonly Ended[] {
    const [first] = planned;
    if (first === undefined) return [];
    const see = seeInTurn(first.by, (attempt) => this.#viewsOf(attempt));
    return planned.map(({ attempt }) => ({ attempt, outcome: see(attempt) }));
  }

  /** Holds or counts an order, whatever the maxima. */
  enter(attempt: Attempt, nonce: string | undefined, entering: Entering): KeptOrder {
    const { estimate: at, plan, id, values, request } = attempt;
    const { amountMinor, heldMinor, ending } = entering;
    const taken = { amountMinor, count: request.count, values };
    const [home] = plan.documents;
    const homeUntil =
      entering.until ?? holdEnd(this.#document(home).timeAt(at), attempt.request.holdMs);
    const shares = plan.documents.map((name): KeptShare => {
      const document = this.#document(name);
      const view = document.viewAt(at, this.#termsOf(name));
      const documentPlan = planIn(attempt, name, view.now);
      const leftOut = leftOutBy(view, documentPlan.counters, taken);
      const isBeside = name !== home;
      const share = keptShare(attempt, document, entered(documentPlan, leftOut, view.now), {
        amountMinor,
        until: isBeside ? shareUntilIn(view, homeUntil, request.holdMs) : homeUntil,
        isBeside,
      });
      const { to = 'held', reasonCode } = ending ?? {};
      document.move(share, to, { reasonCode }, at);
      return share;
    });
    const order = { id, amountMinor, heldMinor, shares };
    if (ending !== undefined) return order;
    if (nonce !== undefined) this.#byNonce.set(nonce, order);
    this.#byId.set(id, order);
    return order;
  }

  /** An order that went from memory, as it was entered: its hold expired, or it was counted. */
  recalled({ attempt, row }: Planned, before: 'over' | 'counted'): KeptOrder {
    const { plan, request, id } = attempt;
    const [home] = plan.documents;
    const amountMinor = row.amountMinor ?? request.amountMinor;
    const shares = plan.documents.map((name) => {
      const buckets = entered(planIn(attempt, name, row.at), [], row.at);
      const share = { amountMinor, until: row.at, isBeside: name !== home };
      return { ...keptShare(attempt, this.#document(name), buckets, share), before };
    });
    return { id, amountMinor, shares };
  }

  /** Confirms an order, or gives it back. */
  settle(order: KeptOrder, nonce: string, ending: Ending, at: Date, finalMinor?: number): void {
    const { to, reasonCode } = ending;
    for (const share of order.shares)
      share.document.move(share, to, { finalMinor, reasonCode }, at);
    this.#byNonce.delete(nonce);
    if (this.#byId.get(order.id) === order) this.#byId.delete(order.id);
  }

  /** Gives back a part of a counted order. */
  refund({ shares }: KeptOrder, amount: number, count: number, at: Date): void {
    for (const share of shares)
      share.document.move(share, 'refunded', { amount, count, finalMinor: amount }, at);
  }

  /** Lets go what nothing can happen to any more but by its row. */
  sweep(at: Date): void {
    const isGone = ({ shares }: KeptOrder): boolean =>
      shares.every((share) => {
        share.document.viewAt(at, undefined);
        return share.before !== 'open';
      });
    for (const [nonce, order] of this.#byNonce) if (isGone(order)) this.#byNonce.delete(nonce);
    for (const [id, order] of this.#byId) if (isGone(order)) this.#byId.delete(id);
    for (const [name, document] of this.#documents)
      if (document.isIdle(at)) this.#documents.delete(name);
  }

  #viewsOf({ plan, estimate }: Attempt): Views {
    return new Map(
      plan.documents.map((name) => [
        name,
        this.#document(name).viewAt(estimate, this.#termsOf(name)),
      ]),
    );
  }

  #document(name: string): MemoryDocument {
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const made = new MemoryDocument();
    this.#documents.set(name, made);
    return made;
  }
}

/** How a captured order, or a record, ends at once. */
export function endingOf({ capture, ending }: Attempt['request']): Ending | undefined {
  return capture ? (ending ?? CONFIRMED) : undefined;
}

function keptShare(
  { request, values }: Attempt,
  document: MemoryDocument,
  buckets: readonly BucketReference[],
  { amountMinor: amount, until, isBeside }: Pick<KeptShare, 'until' | 'isBeside'> & Entering,
): KeptShare {
  const { count } = request;
  const own = valuesIn(buckets, values);
  return { document, buckets, amount, count, until, isBeside, before: 'nothing', values: own };
}

/** At the end of a window a document may be in the next one. */
function planIn(attempt: Attempt, document: string, now: Date): DocumentPlan {
  const known = planFor(plansFor(attempt, document), now);
  if (known !== undefined) return known;
  const later = { ...attempt, plan: attempt.planAt(now) };
  const plan = planFor(plansFor(later, document), now);
  if (plan === undefined) throw new RangeError('a plan is made for its own instant');
  return plan;
}

function entered({ counters, fixed }: DocumentPlan, leftOut: readonly string[], now: Date) {
  if (fixed !== undefined && leftOut.length === 0) return fixed.references;
  return bucketsEntered(counters, leftOut, now);
}
