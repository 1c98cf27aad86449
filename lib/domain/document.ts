/**
 * What is stored: collection `counters`, one document a subject.
 *
 * In the database amounts and counts are 64-bit integers, instants are dates, a bucket's name is a
 * document of its own, and what is false or empty is left out. `pipeline/document-view.ts` translates,
 * so here they are numbers (exact up to COUNTER_SUM_MAX) and `Date`s.
 */

/** Names a bucket: a counter, and the window or step in which it counts, from `start` up to `until`. */
export type BucketReference = {
  readonly counter: string;
  readonly start: Date;
  readonly until: Date;
};

/** Running sums. A counter without currency has null in place of amounts. */
export type Bucket = BucketReference & {
  readonly usedAmount: number | null;
  readonly usedCount: number;
  readonly heldAmount: number | null;
  readonly heldCount: number;
};

/** An amount and a count reserved by a check. */
export type Hold = {
  /** Application and order. */
  readonly id: string;
  /** Which call made it: the answer is mine if the nonce is. */
  readonly nonce: string;
  /** What the check asked, digested. */
  readonly digest: string;
  readonly amount: number;
  readonly count: number;
  /** Counters that it did not enter: shadow rules alone use them, and they had no room. */
  readonly leftOut: readonly string[];
  /** When it was made. */
  readonly at: Date;
  /** The first instant at which it no longer counts. */
  readonly until: Date;
  /** One of several documents' holds, not yet known to be complete. */
  readonly pending: boolean;
  /** Another call made it and left it pending; this call's nonce is in it now. */
  readonly takenOver?: boolean;
  readonly buckets: readonly BucketReference[];
} & SharesElsewhere;

/** Where else an order over several documents has shares, by `_id`; nothing where it has none. */
export type SharesElsewhere = {
  /** At home: the other documents that hold a share. */
  readonly others?: readonly string[];
  /** In those: the document that is home. */
  readonly home?: string;
};

/** How a hold ended. */
export type SettledState = 'confirmed' | 'rolledBack' | 'expired';

/** The memory of an ended hold. Only an expired one keeps what a late confirm needs. */
export type Settled = {
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly state: SettledState;
  readonly amount: number;
  readonly count: number;
  /** Of a captured order and of an expired hold. */
  readonly leftOut?: readonly string[];
  readonly at: Date;
  readonly late: boolean;
  readonly until?: Date;
  readonly buckets?: readonly BucketReference[];
} & SharesElsewhere;

/** What a document knows of one order. */
export type Entry = (Hold & { readonly state: 'open' }) | Settled;

/** What an answer needs of a document, as it was at `now`. */
export type DocumentView = {
  /** The document's time: what is decided is decided for this instant. */
  readonly now: Date;
  /** The database's instant of this call; see `document-time.ts`. */
  readonly databaseNow: Date;
  /** What is known of the order, usually nothing or one entry. */
  readonly entries: readonly Entry[];
  /** Live buckets of the counters asked about. */
  readonly buckets: readonly Bucket[];
  /** Holds whose time is over but that are still summed in the buckets. */
  readonly lapsed: readonly Hold[];
  /** Holds whose time is not over. */
  readonly openHolds: number;
  /** Buckets that count, of all counters; of one order's check, at most so many. */
  readonly liveBuckets: number;
  /** Whether an outcome ever fell out of the memory. */
  readonly forgot: boolean;
};

/** Counters that the order's shares did not enter, over all documents. */
export function leftOutOf(views: ReadonlyMap<string, DocumentView>): readonly string[] {
  return [...views.values()].flatMap((view) => currentEntry(view)?.leftOut ?? []);
}

/** A document that is not there, or holds nothing. */
export function emptyView(now: Date): DocumentView {
  return {
    now,
    databaseNow: now,
    entries: [],
    buckets: [],
    lapsed: [],
    openHolds: 0,
    liveBuckets: 0,
    forgot: false,
  };
}

/** Says whether a bucket is not empty. A refund may have given back every count and left an amount. */
export function holdsAny({ usedAmount, usedCount, heldCount }: Bucket): boolean {
  return usedCount + heldCount > 0 || (usedAmount ?? 0) > 0;
}

/** Says whether two buckets bear the same name. */
export function isSameBucket(one: BucketReference, other: BucketReference): boolean {
  return (
    one.counter === other.counter &&
    one.start.getTime() === other.start.getTime() &&
    one.until.getTime() === other.until.getTime()
  );
}

/** What is known of the order now: an open hold before anything else, then what happened last. */
export function currentEntry(view: DocumentView): Entry | undefined {
  return view.entries.find(({ state }) => state === 'open') ?? view.entries.at(-1);
}
