import type { Values } from '../rule/counter-key.ts';
import type { Entrant, Intake } from './entry.ts';
import type { BucketFields } from './name.ts';
import type { Bucket, BucketReference, Cells, Sums } from './sums.ts';

/** Where the bucket of a counter lies: fixed by the plan, or found by the database's clock. */
export type BucketPlan =
  | FixedBucket
  | { readonly kind: 'stepped'; readonly stepMs: number; readonly keepMs: number };

/** Fixed by the plan. */
export type FixedBucket = {
  readonly kind: 'fixed';
  readonly reference: Required<BucketReference>;
  readonly fields: BucketFields;
  /** Of another counter over the same window, whose sum its kind takes off. */
  readonly beside?: { readonly counter: string; readonly fields: BucketFields } | undefined;
  /** One step of a rolling window of which others count, too: the window's sum is that of all. */
  readonly isStep?: true;
};

/** What a check does to one counter: the tightest maxima of all rules that share it. */
export type Counter = {
  readonly key: string;
  readonly kind: CounterKind;
  /** The outcome of an order says whether it counts there: not where a confirm alone does. */
  readonly isByOutcome: boolean;
  readonly bucket: BucketPlan;
  /** Whether the counter has a currency, without which a sum of amounts means nothing. */
  readonly sumsAmounts: boolean;
  readonly maxAmountMinor: number;
  readonly maxCount: number;
  /** Only shadow rules use it: it is entered while there is room, and never refuses. */
  readonly shadow: boolean;
  /** Its subjects are several: the document may have one for each of many others. */
  readonly isOfPair: boolean;
};

/** By how much a maximum is exceeded; below zero, how much is left. An ask of no amount exceeds none. */
export type Overrun = { readonly amount: number; readonly count: number };

/** The conditions of an add: by path, where one field says it; or else expressions. */
export type Room = {
  readonly paths: Record<string, unknown>;
  readonly expressions: unknown[];
  /** Of a rolling window, steps count that end after this. */
  readonly countAfter: Date;
};

/**
 * A kind of counter. The key of a counter says its kind, so a settlement or a refund needs no rule. All kinds have
 * outcomes, steps of a window, and orders that are left out: these make no kind.
 */
export type CounterKind<Own extends Intake = Intake> = {
  /** Whether a counter is of this kind, by its key. */
  readonly isOf: (key: string) => boolean;
  /** The most that its count may be, whatever rules say. */
  readonly mostCounted: number;
  /** Each thing that it counts takes a place in the document. If no rule refuses, an order that finds no place is left out. */
  readonly fills?: true;
  /** Another counter over the same window, which must be read with it. */
  beside?(key: string): string | undefined;

  /** What the orders of one update bring beside their sums, if anything. */
  entry?(counter: Counter, taken: readonly Entrant[], sums: Intake): Own;
  /**
   * States that what enters has room; or, where nothing enters, that what was read is still so. False where it exceeds
   * the maximum by itself: no document has that room, and one without the bucket has no sum to compare.
   */
  room(
    to: Room,
    counter: Counter,
    entry: Own,
    fields: BucketFields,
    asRead: Sums | undefined,
  ): boolean;
  /** Adds what enters, by path. */
  raise(to: Record<string, bigint>, counter: Counter, entry: Own, fields: BucketFields): void;

  /** Which further sums move with a share, beside amount and number. */
  cells?(key: string, values: Values | undefined, moved: Sums): Cells | undefined;
  /** The most that an order with a count may be in one of them, if nobody knows what it kept. Absent: any number. */
  mostInCell?(count: number): number;
  /** What counts: the sums of a counter's buckets as rules see them. */
  sums(key: string, buckets: readonly Bucket[]): Sums;
  /**
   * By how much the maxima are exceeded by what counts, and by an ask on top of it, if there is one. A maximum is infinite
   * where nothing is limited.
   */
  excess(
    key: string,
    sums: Sums,
    most: Pick<Counter, 'maxAmountMinor' | 'maxCount'>,
    asks: Entrant | undefined,
  ): Overrun;
  /** Whether an ask, which counts by now or not yet, fits in whatever counts. Absent: none does. */
  fitsAlways?(key: string, cells: Cells | undefined, asks: Entrant, isIn: boolean): boolean;
  /** By how much an ask raises the count: one that counts by now, or not yet. Absent: by its own. */
  raises?(key: string, cells: Cells | undefined, asks: Entrant, isIn: boolean): number;
  /** Whether sums stay exact, where `excess` does not say it. */
  staysExact?(key: string, buckets: readonly Bucket[], asked: number): boolean;
};
