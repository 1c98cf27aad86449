import type { OrderTrace, RecordedShare } from '../domain/audit.ts';
import type { BucketReference, DocumentView, Entry } from '../domain/document.ts';
import { currentEntry } from '../domain/document.ts';
import { bucketsEntered } from '../domain/position.ts';
import { viewOfOrder } from '../domain/settled-view.ts';
import type { CounterStore, HoldAsk, SettleAsk } from '../store/counter-store.ts';

/** What is noted of one order. The first document that a call asks is home. */
type Noted = {
  readonly home: string;
  now?: Date;
  entry?: Entry | undefined;
  readonly documents: Set<string>;
  readonly shares: Map<string, readonly BucketReference[]>;
};

/** Notes what documents say while a call runs, for the rows that tell of it. */
export class Trace {
  readonly #orders = new Map<string, Noted>();

  /** What documents said of one order, by its hold's id. */
  of(id: string): OrderTrace {
    const noted = this.#orders.get(id);
    if (noted === undefined) return { documents: [], changed: false, shares: [] };
    const { now, entry, home, documents, shares } = noted;
    const recorded: readonly RecordedShare[] = [...documents].flatMap((document) => {
      const buckets = shares.get(document);
      return buckets === undefined ? [] : [{ document, buckets }];
    });
    return {
      ...{ documents: [...documents], changed: shares.has(home), shares: recorded },
      ...(now === undefined ? {} : { now }),
      ...(entry === undefined ? {} : { entry }),
    };
  }

  /** A document after it was asked to hold an order's share. */
  noteHold(
    document: string,
    ask: Pick<HoldAsk, 'id' | 'nonce' | 'plans'>,
    view: DocumentView,
  ): void {
    const noted = this.#noted(document, ask.id);
    noted.documents.add(document);
    const entry = note(noted, document, ask.id, view);
    if (entry?.nonce !== ask.nonce) return;
    const named = entry.buckets ?? [];
    const plan = ask.plans.find(({ from, until }) => from <= view.now && view.now < until);
    const entered = bucketsEntered(plan?.counters ?? [], entry.leftOut ?? [], view.now);
    noted.shares.set(document, named.length > 0 ? named : entered);
  }

  /** A document before it was told how an order ended; undefined where there is none. */
  noteSettlement(
    document: string,
    { id, to, nonce }: Pick<SettleAsk, 'id' | 'to' | 'nonce'>,
    view: DocumentView | undefined,
  ): void {
    const noted = this.#noted(document, id);
    if (view === undefined) return;
    if (to === 'withdrawn') {
      noted.shares.delete(document);
      return;
    }
    const entry = note(noted, document, id, view);
    if (entry !== undefined) noted.documents.add(document);
    const isOpen = entry?.state === 'open' || entry?.state === 'expired';
    if (isOpen && isMeant(entry, nonce, to, noted.home === document))
      noted.shares.set(document, entry.buckets ?? []);
  }

  #noted(document: string, id: string): Noted {
    const known = this.#orders.get(id);
    if (known !== undefined) return known;
    const noted = { home: document, documents: new Set([document]), shares: new Map() };
    this.#orders.set(id, noted);
    return noted;
  }
}

/** A share that came too late, from a call that was given up, is not settled; see the pipeline. */
function isMeant(
  entry: Entry,
  nonce: string | undefined,
  to: SettleAsk['to'],
  isHome: boolean,
): boolean {
  if (nonce === undefined || entry.nonce === nonce) return true;
  return to === 'confirmed' && !isHome && 'takenOver' in entry && entry.takenOver;
}

function note(noted: Noted, document: string, id: string, view: DocumentView): Entry | undefined {
  const entry = currentEntry(viewOfOrder(view, id));
  noted.now = view.now;
  if (noted.home === document) noted.entry = entry;
  return entry;
}

/** The same documents; what they say is noted. */
export function traced(counters: CounterStore, trace: Trace): CounterStore {
  return {
    async hold(document, ask, at) {
      const view = await counters.hold(document, ask, at);
      trace.noteHold(document, ask, view);
      return view;
    },
    async settle(document, ask, at) {
      const view = await counters.settle(document, ask, at);
      trace.noteSettlement(document, ask, view);
      return view;
    },
    async holdMany(document, ask, at) {
      const view = await counters.holdMany(document, ask, at);
      for (const { id, nonce } of ask.orders)
        trace.noteHold(document, { id, nonce, plans: ask.plans }, view);
      return view;
    },
    async settleMany(document, asks, remembers, at) {
      const view = await counters.settleMany(document, asks, remembers, at);
      for (const ask of asks) trace.noteSettlement(document, ask, view);
      return view;
    },
    complete: (document, id, nonce) => counters.complete(document, id, nonce),
    completeMany: (document, holds) => counters.completeMany(document, holds),
    read: (document, id, keys, at) => counters.read(document, id, keys, at),
    readMany: (document, ids, keys, at) => counters.readMany(document, ids, keys, at),
  };
}
