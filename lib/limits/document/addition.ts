import type { Sums } from '../decision.ts';
import type { DocumentPlan } from '../plan.ts';
import type { HoldOrder } from '../counter-store.ts';
import type { KnownBefore, OpenNonce, InstantRange } from './conditions.ts';
import type { Recalled } from './recall.ts';

/** An order that an add takes: held, or counted at once. */
export type Taken = {
  readonly order: HoldOrder;
  /** Of this statement alone: no two statements that add carry the same. */
  readonly nonce: string;
  /** Counters that it does not enter: shadow rules alone use them, and they have no room. */
  readonly leftOut: readonly string[];
};

/** Ids of orders. */
export function idsOf(taken: readonly Taken[]): readonly string[] {
  return taken.map(({ order }) => order.id);
}

/** Nonces of orders. */
export function noncesOf(taken: readonly Taken[]): readonly string[] {
  return taken.map(({ nonce }) => nonce);
}

/** Orders that one document takes, all of them or none. */
export type Addition = {
  readonly documentId: string;
  readonly taken: readonly Taken[];
  readonly plan: DocumentPlan;
  /** The instant that windows and ends are worked out for. */
  readonly now: Date;
  /** Where the server's instant must lie. */
  readonly stretch: InstantRange;
  /** The document must not have seen this instant. */
  readonly notSeen: Date;
  /** Of a rolling window, steps count that end after this. */
  readonly countAfter: Date;
  readonly terms: string | undefined;
  readonly rememberedMax: number | undefined;
  /** At home of orders over several documents. One nonce stands for all orders. */
  readonly open: OpenNonce | undefined;
  readonly outcomesMax: number;
  /** The document has no more buckets than this before. */
  readonly bucketsMax: number;
  /** Other orders of the same call whose home this is. */
  readonly alsoAsked: readonly string[];
  /** What was read of the document, if it was. */
  readonly asRead?: AsRead;
  /** Whether all buckets come back, those that are over among them. */
  readonly showsAll: boolean;
};

/** What an add holds a document to that was read before. */
export type AsRead = KnownBefore & {
  /** The sums of shadow counters that some orders do not enter, by key. */
  readonly shadows: ReadonlyMap<string, Sums>;
  readonly recalled: Recalled;
};

/** One add in eight looks at all buckets, so that somebody sees those that are over. */
export function isChosen([first]: readonly Taken[]): boolean {
  return first !== undefined && first.nonce.charCodeAt(0) % 8 === 0;
}
