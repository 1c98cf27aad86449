import type { Decision } from './decision.ts';
import type { DocumentView } from './document/document.ts';
import type { Placed, TakenShare } from './position.ts';
import { positions } from './position.ts';
import type { HoldOrder } from './counter-store.ts';
import type { Attempt } from './attempt.ts';
import { countersAt } from './attempt.ts';

/** One attempt's visit to one document, to hold its share there. */
export type Visit = Pick<HoldOrder, 'until' | 'others' | 'home'> & {
  readonly attempt: Attempt;
  readonly document: string;
  readonly rememberedBefore?: number | undefined;
  readonly closingsBefore?: number | undefined;
  /** The document was read just before, and is not there. */
  readonly isNew?: boolean;
  /** An add would be sent in vain before the document is read by the store. */
  readonly readsFirst?: boolean;
};

/** What a document said to a visit. */
export type Said =
  | Extract<Decision, { readonly kind: 'known' }>
  | { readonly kind: 'held' | 'skewed' }
  /** The subject has other terms than were known of it. */
  | { readonly kind: 'terms' }
  /** `inTheWay`: it has another attempt's share of the same order. */
  | (Extract<Decision, { readonly kind: 'refused' | 'full' }> & { readonly inTheWay: boolean })
  /** Its time was over, or home may have forgotten since it was read. */
  | { readonly kind: 'late' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** One update of one document, once it is through. */
type Run = {
  readonly visits: readonly Visit[];
  readonly view: DocumentView;
  /** How it stood at the place of each order, if nothing is given back. */
  readonly views: ViewsByOrder;
  /** By order that it holds: under which nonce. */
  readonly held: ReadonlyMap<string, string>;
};

/** How a document stood at the place of each order. */
type ViewsByOrder = ReadonlyMap<string, DocumentView>;

/** What the documents of a call said to its orders. */
export class Visited {
  readonly #said = new Map<string, Said>();
  readonly #runs = new Map<string, Run[]>();
  /** But for what is given back; worked out once for all orders of a document, for each of them asks. */
  readonly #seen = new Map<string, { gone: ReadonlySet<string>; views: ViewsByOrder }>();

  /** What a document said to an order; undefined where it was not visited. */
  said(document: string, id: string): Said | undefined {
    return this.#said.get(keyOf(document, id));
  }

  /** Says whether the order has a share in the document, or may have for all that is known. */
  mayHold(document: string, id: string): boolean {
    const kind = this.said(document, id)?.kind;
    return kind === 'held' || kind === 'failed';
  }

  note(document: string, id: string, said: Said): void {
    this.#said.set(keyOf(document, id), said);
  }

  noteRun(document: string, run: Run): void {
    this.#runs.set(document, [...(this.#runs.get(document) ?? []), run]);
    this.#seen.delete(document);
  }

  /** How a document stood at an order's place, without what orders hold that is given back. */
  view(document: string, id: string, gone: ReadonlySet<string>): DocumentView | undefined {
    const seen = this.#seen.get(document);
    if (seen?.gone === gone) return seen.views.get(id);
    const views = viewsAfter(this.#runs.get(document) ?? [], gone);
    this.#seen.set(document, { gone, views });
    return views.get(id);
  }
}

/** How a document stood at the place of each order of its updates. */
function viewsAfter(runs: readonly Run[], gone: ReadonlySet<string>): ViewsByOrder {
  const views = new Map<string, DocumentView>();
  const earlierGone: TakenShare[] = [];
  for (const { visits, view, views: asTheyWere, held } of runs) {
    const placed = gone.size === 0 ? [] : placedIn(visits, view, held, gone);
    const ofRun = gone.size === 0 ? asTheyWere : positions(view, placed, earlierGone);
    for (const [id, one] of ofRun) if (!views.has(id)) views.set(id, one);
    for (const { isGone, share } of placed) if (isGone && share) earlierGone.push(share);
  }
  return views;
}

/** One text for two; the length tells where the second begins. */
function keyOf(one: string, other: string): string {
  return `${one.length}:${one}${other}`;
}

/** What orders of an update hold in the document after it. */
export function placedIn(
  visits: readonly Visit[],
  view: DocumentView,
  held: ReadonlyMap<string, string>,
  gone: ReadonlySet<string>,
): readonly Placed[] {
  const byNonce = new Map([...view.entries, ...view.shares].map((one) => [one.nonce, one]));
  return visits.map(({ attempt, document, home }) => {
    const { id, request } = attempt;
    const own = byNonce.get(held.get(id) ?? '');
    if (own === undefined) return { id, isGone: false };
    const share = {
      amountMinor: request.amountMinor,
      count: request.count,
      captured: request.capture && home === undefined,
      isBeside: home !== undefined,
      counters: countersAt(attempt, document, view.now),
      leftOut: own.leftOut ?? [],
    };
    return { id, isGone: gone.has(id), share };
  });
}
