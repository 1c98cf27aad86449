import type { OrderTrace, RecordedShare } from '../domain/audit.ts';
import type { BucketReference, DocumentView, Entry } from '../domain/document.ts';
import { currentEntry } from '../domain/document.ts';
import { bucketsEntered } from '../domain/position.ts';
import { viewOfOrder } from '../domain/settled-view.ts';
import type { CounterStore, HoldAsk, SettleAsk } from '../store/counter-store.ts';

/** What is noted of one order. The first document that a call visits is home. */
type Noted = {
  home: string;
  now: Date;
  entry: Entry | undefined;
  readonly shares: Map<string, readonly BucketReference[]>;
};

/** Notes what documents say while a call runs, for the rows that tell of it. */
export class Trace {
  readonly #orders = new Map<string, Noted>();

  /** What documents said of one order, by its hold's id. */
  of(id: string): OrderTrace {
    const noted = this.#orders.get(id);
    if (noted === undefined) return { shares: [] };
    const { now, entry, home, shares } = noted;
    const recorded: RecordedShare[] = [...shares]
      .map(([document, buckets]) => ({ document, buckets }))
      .sort((a, b) => Number(b.document === home) - Number(a.document === home));
    return { now, shares: recorded, ...(entry === undefined ? {} : { entry }) };
  }

  /** A document after it was asked to hold an order's share. */
  noteHold(
    document: string,
    ask: Pick<HoldAsk, 'id' | 'nonce' | 'plans'>,
    view: DocumentView,
  ): void {
    const entry = this.#note(document, ask.id, view);
    if (entry?.nonce !== ask.nonce) return;
    const named = entry.buckets ?? [];
    const plan = ask.plans.find(({ from, until }) => from <= view.now && view.now < until);
    const entered = bucketsEntered(plan?.counters ?? [], entry.leftOut ?? [], view.now);
    this.#orders.get(ask.id)?.shares.set(document, named.length > 0 ? named : entered);
  }

  /** A document before it was told how an order ended; undefined where there is none. */
  noteSettlement(
    document: string,
    { id, to }: Pick<SettleAsk, 'id' | 'to'>,
    view: DocumentView | undefined,
  ): void {
    if (view === undefined) return;
    if (to === 'withdrawn') {
      this.#orders.get(id)?.shares.delete(document);
      return;
    }
    const entry = this.#note(document, id, view);
    const isOpen = entry?.state === 'open' || entry?.state === 'expired';
    if (isOpen) this.#orders.get(id)?.shares.set(document, entry.buckets ?? []);
  }

  #note(document: string, id: string, view: DocumentView): Entry | undefined {
    const entry = currentEntry(viewOfOrder(view, id));
    const noted = this.#orders.get(id);
    if (noted === undefined)
      this.#orders.set(id, { home: document, now: view.now, entry, shares: new Map() });
    else {
      noted.now = view.now;
      if (noted.home === document) noted.entry = entry;
    }
    return entry;
  }
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
