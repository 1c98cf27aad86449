import type { Ending, SettledState } from '../shared/states.ts';
import type { ShareEnd } from '../counter/effect.ts';
import type { DocumentView, Hold } from './document.ts';
import type { Values } from '../rule/counter-key.ts';
import type { Terms } from '../rule/own-terms.ts';
import type { DocumentPlan } from './document-plan.ts';

/** One order of a check, as one document is asked to hold its share. */
export type AskedOrder = {
  readonly id: string;
  readonly digestOfId?: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amountMinor: number;
  /** Where the whole amount does not fit: the document takes what fits, if it is so much. */
  readonly leastMinor?: number | undefined;
  readonly count: number;
  readonly holdMs: number;
  /** When its time is over, where several documents must agree; otherwise `holdMs` from now. */
  readonly until?: Date | undefined;
  readonly capture: boolean;
  /** Of one that is captured and was not confirmed. */
  readonly ending?: Ending | undefined;
  /** How many holds may be open with its own: at home of its own orders, elsewhere shares. */
  readonly openMax: number;
  /** How many of these may be of its own application, with its own; undefined where that is no bound of its own. */
  readonly openMaxOfApp?: number | undefined;
  /** Beside home, of a captured order: its call counts it or gives it back, so it takes no place of those that stay. */
  readonly passes?: boolean;
  readonly barred: boolean;
  /** Counters that it does not enter: shadow rules alone use them, and they have no room. */
  readonly leftOut?: readonly string[];
  /** At home: the other documents in which the order has a share. */
  readonly others?: readonly string[] | undefined;
  /** In those: the document that is home. */
  readonly home?: string | undefined;
  /** At home, in a commit that drops other shares of the order: when the last of them ends. */
  readonly droppedUntil?: Date | undefined;
  /** Those that rules count. */
  readonly values?: Values | undefined;
  /** Once home has had so many outcomes, it may have forgotten this order, if not others of the call. */
  readonly forgottenFrom?: number | undefined;
};

/** What a check asks of one document. */
export type Ask = {
  readonly document: string;
  /** Whether it is the home of these orders, or has shares of orders whose home is another. */
  readonly place: 'home' | 'beside';
  /** 1 to ORDERS_PER_CALL_MAX, decided in this order; no id twice. All are at home here, or none, and of one application. */
  readonly orders: readonly AskedOrder[];
  readonly plans: readonly DocumentPlan[];
  readonly estimate: Date;
  /** Stands in the place of the server's instant, in tests and in local mode. */
  readonly at?: Date | undefined;
  /** How many outcomes home had when it was read; it must not have forgotten any since. */
  readonly rememberedBefore?: number | undefined;
  /** How many orders of the call have their home here, these among them, where there are others. */
  readonly asked?: number | undefined;
  /** The terms that the plans were made under: the document must still have them, or none. */
  readonly terms?: Terms | undefined;
  readonly isNew?: boolean;
  readonly readsFirst?: boolean;
  /**
   * Of one order over several documents that nobody read before: when its shares end. Each document takes it only within
   * two seconds of the estimate, and home only if no commit has dropped one of its shares, for it keeps when they end.
   */
  readonly unreadUntil?: Date | undefined;
};

/** Whether orders are asked for that have shares in several documents: all under one nonce. */
export function isOverSeveral({ place, orders }: Pick<Ask, 'place' | 'orders'>): boolean {
  return place === 'beside' || orders.some(({ others }) => others !== undefined);
}

/** An open hold or share in one document, as a reservation tells it: with its buckets, as `Places.text`. */
export type ReservedShare = Omit<Hold, 'state' | 'id' | 'places' | 'values'> & {
  readonly text: string;
  readonly values?: Values | undefined;
};

/** How an order is to end. */
export type SettlementAsk = ShareEnd<SettledState> & {
  /** The call whose hold is meant, where a rollback names it. */
  readonly nonce?: string | undefined;
};

/** What a settlement asks of home. */
export type HomeSettleAsk = SettlementAsk & {
  readonly id: string;
  readonly reserved?: ReservedShare | undefined;
};

/** The share of one call alone. `dropped`: given back, and kept for a late confirm. `withdrawn`: given back. */
export type ShareSettleAsk = ShareEnd<SettledState | 'dropped' | 'withdrawn'> & {
  readonly id: string;
  readonly nonce: string;
  readonly reserved?: ReservedShare | undefined;
};

/** A change of a subject's terms. */
export type TermsChange = {
  /** The version of those that it changes; undefined where there were none. */
  readonly expected: string | undefined;
  readonly terms: Terms | undefined;
};

/** What became of an ask. */
export type Holding = {
  readonly view: DocumentView;
  /** By order that is held now, or counted at once: the nonce under which it is. */
  readonly held: ReadonlyMap<string, string>;
  /** Of an add that took nothing, where no order fits: whether a rule or a bound says no to one of them. */
  readonly refuses?: boolean;
  /** Of an add whose answer was lost, and that home decided since: these orders keep their shares elsewhere. */
  readonly lost?: ReadonlySet<string>;
};

/** Who decided a call: one conditional update by itself, or what was read. */
export type Lane = 'plain' | 'general';

/** Knows which documents have just refused: they are read before they are asked. Hears who decided. */
export type Lanes = {
  readonly takesPlain: (documentId: string, call: 'hold' | 'settle') => boolean;
  readonly learn: (documentId: string, held: boolean) => void;
  readonly note: (lane: Lane) => void;
};

type SettleIn<SettleAsk> = (
  documentId: string,
  asks: readonly SettleAsk[],
  estimate: Date,
  at?: Date,
) => Promise<DocumentView | undefined>;

/**
 * `estimate` is the caller's best idea of the database's clock; `at` stands in its place, in tests and local mode.
 * Each call is atomic, one round trip in the ordinary case, and throws UndecidedError where the store does not
 * answer in time. Views are of all orders of the call.
 */
export interface CounterStore {
  /** Outcomes that home remembers: an update drops none of so many newest that were there before its call. */
  readonly outcomesMax: number;
  readonly isOneCommit: boolean;
  readonly lanes: Lanes;
  hold(ask: Ask, at?: Date): Promise<Holding>;
  /** Confirms or gives back at home; the document as it was before, undefined where there is none. */
  readonly settle: SettleIn<HomeSettleAsk>;
  /** Settles shares beside home; the document as it was before, undefined where there is none. */
  readonly settleShares: SettleIn<ShareSettleAsk>;
  /** Says whether the terms were those that are expected: without terms, a document does not tell who took them. */
  changeTerms(documentId: string, change: TermsChange, now: Date): Promise<boolean>;
  /** Lets a document go sooner that terms kept alive; only where nobody writes it meanwhile. */
  shorten(documentId: string, now: Date): Promise<void>;
  /** Only looks, at several documents in one round trip; one that is not there is not in the map. */
  read(
    documentIds: readonly string[],
    ids: readonly string[],
    estimate: Date,
    at?: Date,
    countsApp?: boolean,
  ): Promise<ReadonlyMap<string, DocumentView>>;
  /** The database's clock, where no document tells it; undefined where the database does not either. */
  now(): Promise<Date | undefined>;
  /** Commits all writes at once, or none. The work may run several times; what it throws ends it without a trace. */
  together<T>(work: (counters: CounterStore) => Promise<T>): Promise<T>;
}

/** What the holds of an order say, but for where they are. */
export type ReservedHold = Pick<Hold, 'digest' | 'amount' | 'count' | 'until'> & {
  /** By the documents of `kinds`: the buckets that the hold entered, as `Places.text`; null where not known. */
  readonly buckets: readonly (string | null)[];
  /** In the same order: counters of rules on trial that the hold did not enter. Absent where there are none. */
  readonly leftOut?: readonly (readonly string[])[] | undefined;
  /** In all of them, those that rules count. */
  readonly values?: Values;
};
