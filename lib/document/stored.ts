import type { Values } from '../rule/counter-key.ts';
import { sumsAmounts } from '../rule/counter-key.ts';
import type { Bucket, BucketReference, Cells, Sums } from '../counter/sums.ts';
import type { DocumentView, Hold, Outcome, Places } from './document.ts';
import { UNLISTED, documentTime, namesInText, placesOf } from './document.ts';
import { holdsAny } from '../counter/sums.ts';
import { cellPath, readBucketName } from '../counter/name.ts';
import type { StoredTerms } from './stored-terms.ts';
import { readTerms } from './stored-terms.ts';
import type { Whole } from './update.ts';
import { wholeOf } from './update.ts';
import { isOver } from '../counter/effect.ts';
import { effectOfExpired } from './decision.ts';
import { SETTLED_STATES } from '../shared/states.ts';
import { appPrefix } from '../shared/subject.ts';
import { END_LETTERS } from './written.ts';

/** A hold or a share: its amount `a`, its count `n`, 1 by default, and its `Values`, if a counter counts any. */
type StoredShare = {
  readonly id: string;
  readonly nonce: string;
  readonly digest?: string;
  readonly a: Whole;
  readonly n?: Whole;
  readonly until: Date;
  readonly leftOut?: readonly string[];
  readonly others?: readonly string[] | undefined;
  readonly home?: string | undefined;
  readonly v?: Values;
};

/** One that is open: `p` says which buckets it entered; absent where it entered none. */
export type StoredHold = StoredShare & { readonly p?: string };

/** One that is over, with the names of those buckets. */
export type StoredPastHold = StoredShare & { readonly b?: string };

/** The names of some buckets, `b`, as `Places.text`, and the number of open holds that entered them. */
type StoredNames = { readonly b: string; readonly n: Whole };

/**
 * How an order ended. `is` is one letter (c confirmed, l confirmed late, r rolled back), the nonce, and
 * the 16 characters of the digest.
 */
export type StoredOutcome = {
  readonly id: string;
  readonly is: string;
  readonly a: Whole;
  readonly n?: Whole;
  readonly reasonCode?: string;
  readonly leftOut?: readonly string[];
  readonly at?: Date;
  readonly counters?: string;
  readonly until?: Date;
  readonly others?: readonly string[];
};

/**
 * The sums of a bucket: the amount `a` and the number `n` are used and held together; `ua` and `un` are
 * used alone. Amounts only with a currency. `d` and `ud` have further sums by name, where the kind of the
 * counter has any.
 */
type StoredSums = {
  readonly a?: Whole;
  readonly n?: Whole;
  readonly ua?: Whole;
  readonly un?: Whole;
  readonly d?: StoredCells;
  readonly ud?: StoredCells;
};

type StoredCells = Readonly<Record<string, Whole>>;

/** A document as it is stored, or as much of it as a projection gives: null for a list that is not there. */
export type StoredDocument = {
  readonly seen?: Date;
  /** How many writes there were that change sums. */
  readonly q?: Whole;
  readonly mendedAt?: Date;
  readonly b?: Readonly<Record<string, StoredSums>>;
  /** Open ones, by `heldAt`: `open` holds of orders whose home this is, and `shares` of others. */
  readonly h?: Readonly<Record<string, StoredHold>> | null;
  readonly open?: Whole;
  readonly shares?: Whole;
  /** By `Places.list`. */
  readonly p?: Readonly<Record<string, StoredNames>>;
  readonly settled?: readonly StoredOutcome[] | null;
  /** Holds that nobody settled in time, as they were; they push nothing out of `settled`. */
  readonly expired?: readonly StoredPastHold[] | null;
  /** Without a digest. */
  readonly kept?: readonly StoredPastHold[] | null;
  readonly remembered?: Whole;
  readonly forgotUntil?: Date;
  readonly madeAt?: Date;
  readonly droppedUntil?: Date;
  readonly terms?: StoredTerms;
  readonly expireAt?: Date;
  /** By `viewProjection`, as all below: the server's instant. */
  readonly now?: Date;
  readonly settledCount?: number;
  readonly expiredCount?: number;
  /** Open holds of the application that asks, if it has a bound of its own. */
  readonly openOfApp?: number;
  readonly sharesOfApp?: number;
};

const DIGEST_LENGTH = 16;

/**
 * Reads a document as it is stored, with a view's projection or without it.
 *
 * @param ids the orders asked about
 * @param now the database's instant, where no projection tells it
 */
export function readView(stored: StoredDocument, ids: readonly string[], now: Date): DocumentView {
  const databaseNow = stored.now ?? now;
  const at = documentTime(databaseNow, stored.seen);
  const holds = readHolds(stored);
  const lapsed = holds.filter((hold) => isOver(hold, at));
  const mine = new Set(ids);
  const isMine = ({ id }: { readonly id: string }): boolean => mine.has(id);
  const buckets = readBuckets(stored).filter((bucket) => !isOver(bucket, at) && holdsAny(bucket));
  const known = holds.filter(isMine);
  const openOfApp = openOfAppIn(stored, ids, lapsed);
  return {
    now: at,
    writes: Number(stored.q ?? 0),
    databaseNow: stored.now,
    entries: [
      ...known.filter(isOwn),
      ...readPast(stored.expired?.filter(isMine), 'expired'),
      ...(stored.settled ?? []).filter(isMine).map(readOutcome),
    ],
    shares: [...known.filter(isShare), ...readPast(stored.kept?.filter(isMine), 'kept')],
    buckets,
    lapsed,
    released: effectOfExpired(lapsed),
    openHolds: Number(stored.open ?? 0) - lapsed.filter(isOwn).length,
    openShares: Number(stored.shares ?? 0) - lapsed.filter(isShare).length,
    openHoldsOfApp: openOfApp.holds,
    openSharesOfApp: openOfApp.shares,
    remembered: Number(stored.remembered ?? 0),
    forgotUntil: stored.forgotUntil,
    madeAt: stored.madeAt,
    droppedUntil: stored.droppedUntil,
    terms: stored.terms && readTerms(stored.terms),
  };
}

const NOT_COUNTED = { holds: 0, shares: 0 };

/** Counts the open holds of the application that asks, without those whose time is over. */
function openOfAppIn(
  { openOfApp, sharesOfApp }: StoredDocument,
  [id = '']: readonly string[],
  lapsed: readonly Hold[],
) {
  if (openOfApp === undefined || sharesOfApp === undefined) return NOT_COUNTED;
  const prefix = appPrefix(id);
  const gone = lapsed.filter((hold) => hold.id.startsWith(prefix));
  return {
    holds: openOfApp - gone.filter(isOwn).length,
    shares: sharesOfApp - gone.filter(isShare).length,
  };
}

function isOwn({ home }: Hold): boolean {
  return home === undefined;
}

function isShare(hold: Hold): boolean {
  return !isOwn(hold);
}

/** Reads the buckets that a document has. */
export function readBuckets(stored: StoredDocument): readonly Bucket[] {
  const buckets: Bucket[] = [];
  for (const name of Object.keys(stored.b ?? {})) {
    const reference = readBucketName(name);
    const bucket = readBucket(stored, name, reference, sumsAmounts(reference.counter));
    if (bucket !== undefined) buckets.push(bucket);
  }
  return buckets;
}

/** Reads the bucket that a document has under a name, if any. What is held is the difference. */
export function readBucket(
  { b }: StoredDocument,
  name: string,
  { counter, until }: BucketReference,
  isAmount: boolean,
): Bucket | undefined {
  const stored = b?.[name];
  if (stored === undefined) return undefined;
  const { a = 0, n = 0, ua = 0, un = 0, d, ud } = stored;
  const usedCount = Number(un);
  const heldCount = Number(n) - usedCount;
  const usedAmount = isAmount ? Number(ua) : null;
  const heldAmount = usedAmount === null ? null : Number(a) - usedAmount;
  const bucket = { counter, until, usedAmount, usedCount, heldAmount, heldCount };
  return d === undefined ? bucket : { ...bucket, cells: readCells(d, ud) };
}

function readCells(all: StoredCells, used: StoredCells = {}): Cells {
  const cells = Object.entries(all).map(([cell, sum]) => {
    const usedCount = Number(used[cell] ?? 0);
    return [cell, { used: usedCount, held: Number(sum) - usedCount }] as const;
  });
  return Object.fromEntries(cells);
}

/** A further sum in which nothing is once what lapsed is released, by its paths, with what it has until then. */
type SpentCell = { readonly all: string; readonly used: string; readonly sum: bigint };

/** Finds the further sums of some buckets in which nothing is once what lapsed is released. */
export function cellsSpent(
  buckets: readonly (readonly [name: string, sums: Pick<StoredSums, 'd'>])[],
  released: ReadonlyMap<string, Sums>,
): readonly SpentCell[] {
  return buckets.flatMap(([name, { d = {} }]) =>
    Object.entries(d).flatMap(([cell, stored]): readonly SpentCell[] => {
      const sum = wholeOf(stored);
      const { used = 0, held = 0 } = released.get(name)?.cells?.[cell] ?? {};
      if (sum + BigInt(used + held) > 0n) return [];
      return [{ all: cellPath(name, 'd', cell), used: cellPath(name, 'ud', cell), sum }];
    }),
  );
}

/** Reads open holds. */
export function readHolds({ h, p = {} }: Pick<StoredDocument, 'h' | 'p'>): readonly Hold[] {
  // Once for all holds that have them.
  const read = new Map<string, Places>();
  return Object.values(h ?? {}).map((stored) => {
    const { p: list } = stored;
    if (list === undefined) return readHold(stored, NO_PLACES, 'open');
    const text = p[list]?.b;
    if (text === undefined) throw new TypeError('a document names the buckets of its open holds');
    const places = read.get(list) ?? placesNamed(text, list);
    read.set(list, places);
    return readHold(stored, places, 'open');
  });
}

const NO_PLACES = placesOf([], [], UNLISTED);

function placesNamed(text: string, list: string): Places {
  const names = namesInText(text);
  return placesOf(names.map(readBucketName), names, list);
}

/** Reads holds that are over. */
export function readPast(
  stored: readonly StoredPastHold[] | null | undefined,
  state: 'expired' | 'kept',
): readonly Hold[] {
  return (stored ?? []).map((one) => readHold(one, placesNamed(one.b ?? '', UNLISTED), state));
}

function readHold(stored: StoredShare, places: Places, state: Hold['state']): Hold {
  const { id, nonce, digest = '', until, others, home, leftOut = [] } = stored;
  const hold = {
    state,
    id,
    nonce,
    digest,
    until,
    leftOut,
    others,
    home,
    amount: Number(stored.a),
    count: Number(stored.n ?? 1),
    places,
  };
  return stored.v === undefined ? hold : { ...hold, values: stored.v };
}

/** Reads an outcome. */
export function readOutcome(stored: StoredOutcome): Outcome {
  const { is, a, n = 1, ...outcome } = stored;
  return {
    nonce: is.slice(1, -DIGEST_LENGTH),
    digest: is.slice(-DIGEST_LENGTH),
    amount: Number(a),
    count: Number(n),
    ...endingOf(is),
    ...outcome,
  };
}

function endingOf(is: string): Pick<Outcome, 'state' | 'late'> {
  const letter = is.slice(0, 1);
  for (const state of SETTLED_STATES) {
    const [inTime, late] = END_LETTERS[state];
    // A rollback has one letter, late or not.
    if (letter === inTime || letter === late) return { state, late: letter !== inTime };
  }
  throw new TypeError(`no outcome is ${is}`);
}
