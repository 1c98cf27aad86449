import type { BucketFields } from '../counter/name.ts';
import type { Bucket, BucketReference, Sums } from '../counter/sums.ts';
import type { SettledState } from '../shared/states.ts';
import { isSettled } from '../shared/states.ts';
import type { Values } from '../rule/counter-key.ts';
import type { Terms } from '../rule/own-terms.ts';
import { CLOCK_BACK_MS, NEVER } from '../shared/bounds.ts';
import { digestOf } from '../shared/digest.ts';
import { groupedBy } from '../shared/grouped.ts';

/**
 * Collection `counters`, one document a subject. `stored.ts` translates what is stored, so here amounts
 * and counts are numbers, exact up to COUNTER_SUM_MAX.
 */

/**
 * An amount and a count reserved by a check; no other attempt ever uses its nonce. One that is over is expired
 * at home, where it has what a late confirm needs, and beside home it is kept for that.
 */
export type Hold = {
  readonly state: 'open' | 'expired' | 'kept';
  /** Application and order. */
  readonly id: string;
  /** Of the id, where it is worked out. */
  readonly digestOfId?: string | undefined;
  readonly nonce: string;
  /** Says what the check asked. */
  readonly digest: string;
  readonly amount: number;
  readonly count: number;
  /** Counters that it did not enter: shadow rules alone use them, and they had no room. */
  readonly leftOut: readonly string[];
  /** The first instant at which it no longer counts. */
  readonly until: Date;
  readonly places: Places;
  /** At home: the other documents in which the order has a share. */
  readonly others?: readonly string[] | undefined;
  /** In those: the document that is home. Such a share is no hold to an order whose home this is. */
  readonly home?: string | undefined;
  /** Those that its counters count. */
  readonly values?: Values;
};

/** The memory of an ended order. `leftOut`, `at` and `counters` are there for a captured one. */
export type Outcome = Pick<Hold, 'id' | 'nonce' | 'digest' | 'amount' | 'count' | 'others'> & {
  readonly state: SettledState;
  /** Of a rollback that said one. */
  readonly reasonCode?: string | undefined;
  readonly late: boolean;
  readonly leftOut?: readonly string[];
  readonly at?: Date;
  /** The `countersDigest` of what its plan enters here. */
  readonly counters?: string;
  /** Of an order with shares in other documents: until when they count at home. */
  readonly until?: Date | undefined;
};

/** What home knows of one order. */
export type Entry = Hold | Outcome;

/** Says whether an order ended. */
export function isOutcome(entry: Entry): entry is Outcome {
  return isSettled(entry.state);
}

/** A document at its time, `now`, as far as an answer needs it. */
export type DocumentView = {
  readonly now: Date;
  readonly isMissing?: true;
  /** Adds, takes and refunds that it has seen, the one that gave this view among them. */
  readonly writes: number;
  /** The database's instant of this call, where it told. */
  readonly databaseNow?: Date | undefined;
  /** Of the orders asked about whose home this is. */
  readonly entries: readonly Entry[];
  /** Of the orders asked about whose home is another document. */
  readonly shares: readonly Hold[];
  /** Live ones. */
  readonly buckets: readonly Bucket[];
  readonly lapsed: readonly Hold[];
  /** Their `effectOfExpired`, once for all who ask: 2,000 may have lapsed, and 100 orders be asked about. */
  readonly released?: ReadonlyMap<string, Sums> | undefined;
  readonly openHolds: number;
  readonly openShares: number;
  /** Of these, those of the application that asks; 0 where it has no bound of its own. */
  readonly openHoldsOfApp: number;
  readonly openSharesOfApp: number;
  /** Outcomes that there ever were. */
  readonly remembered: number;
  /** Of expired shares that had to go, the latest `until`. */
  readonly forgotUntil?: Date | undefined;
  /** When it was made: shares that ended before may have gone with another document of its name. */
  readonly madeAt?: Date | undefined;
  /** Of shares elsewhere that commits have dropped for orders of this home, the latest `until`. */
  readonly droppedUntil?: Date | undefined;
  readonly terms?: Terms | undefined;
};

/** What shares move that a document takes. */
export type Filling = Pick<
  DocumentView,
  'buckets' | 'openHolds' | 'openShares' | 'openHoldsOfApp' | 'openSharesOfApp'
>;

/** Counters that the order's shares did not enter, over all documents. */
export function leftOutOf(views: ReadonlyMap<string, DocumentView>, nonce: string) {
  const leftOut: string[] = [];
  for (const { entries, shares } of views.values())
    for (const list of [entries, shares])
      for (const one of list) if (one.nonce === nonce) leftOut.push(...(one.leftOut ?? []));
  return leftOut;
}

/** A document that is not there. */
export function emptyView(now: Date): DocumentView {
  return { isMissing: true, ...blankView(now) };
}

/** A document of which nothing is known. */
export function blankView(now: Date): DocumentView {
  return {
    now,
    writes: 0,
    entries: [],
    shares: [],
    buckets: [],
    lapsed: [],
    openHolds: 0,
    openShares: 0,
    openHoldsOfApp: 0,
    openSharesOfApp: 0,
    remembered: 0,
    databaseNow: undefined,
    terms: undefined,
    released: undefined,
  };
}

/** The buckets that an order enters. A document names them once for all open holds that entered the same ones. */
export type Places = {
  readonly buckets: readonly BucketReference[];
  /** In their order. */
  readonly names: readonly string[];
  /** All names, as documents and reservations have them. */
  readonly text: string;
  /** The digest of that text, under which a document has it; `UNLISTED` where it has none. */
  readonly list: string;
  /** In their order, where they are worked out. */
  readonly fields?: readonly BucketFields[];
};

/** Of a hold that is over, which has its names by itself, or that is in no document. */
export const UNLISTED = '';

/** Names the buckets that an order enters. */
export function placesOf(
  buckets: readonly BucketReference[],
  names: readonly string[],
  list?: string,
): Places {
  const text = names.join(',');
  return { buckets, names, text, list: list ?? digestOf(text) };
}

/** The inverse of `Places.text`. */
export function namesInText(text: string): readonly string[] {
  return text === '' ? [] : text.split(',');
}

/** What is known of an order now: an open hold before anything else, then what happened last. */
export function currentEntry({ entries }: Pick<DocumentView, 'entries'>): Entry | undefined {
  return entries.find(({ state }) => state === 'open') ?? entries.at(-1);
}

/**
 * When a document may be deleted, in milliseconds: at the full hour. So most writes leave the date as it is, and
 * with it the TTL index.
 */
export function deletableFrom(untilMs: number): Date {
  return new Date(Math.min(NEVER.getTime(), Math.ceil(untilMs / HOUR_MS) * HOUR_MS));
}

const HOUR_MS = 3_600_000;

/**
 * Gives a document with what is known of one of many orders. It groups once: a search for each order among all
 * of them would take the square of their number.
 *
 * @param at the document, or what shares move there, at the place of that order
 */
export function viewsByOrder(view: DocumentView) {
  const entries = groupedBy(view.entries, ({ id }) => id);
  const shares = groupedBy(view.shares, ({ id }) => id);
  return (id: string, at: Filling = view): DocumentView => ({
    ...view,
    ...at,
    entries: entries.get(id) ?? [],
    shares: shares.get(id) ?? [],
  });
}

/**
 * A document's time: the database's, but not before the latest instant that the document has seen, unless
 * the clock stepped back by more than CLOCK_BACK_MS. So no ended window opens again, and no expired hold
 * comes back, when clocks are set or a standby with another clock takes over.
 */
export function documentTime(now: Date, seen: Date | undefined): Date {
  if (seen === undefined || seen.getTime() <= now.getTime()) return now;
  return new Date(Math.min(seen.getTime(), now.getTime() + CLOCK_BACK_MS));
}
