import type { BucketReference, DocumentView } from '../document/document.ts';
import { calendarPeriod } from '../rule/calendar.ts';
import { countingBuckets, sumsOf } from '../document/decision.ts';
import { present } from '../shared/present.ts';
import type { Subjects } from '../shared/request.ts';
import type { Quantity, Rule } from '../rule/rule.ts';
import { documentId } from '../shared/subject.ts';

/** The parts of a maximum that are reported, in whole percent, smallest first. */
export const NEAR_PERCENTS = [50, 80, 95, 100] as const;

/** One of them. */
export type NearPercent = (typeof NEAR_PERCENTS)[number];

/** NEAR_PERCENTS as shares. */
export const NEAR_SHARES = [0.5, 0.8, 0.95, 1] as const;

/** The parts of a maximum that an increment crossed, smallest first. */
export function percentsCrossed(
  max: Quantity,
  { amountMinor = 0, count = 0 }: Quantity,
  by: Quantity,
): readonly NearPercent[] {
  const after = partsTaken(max, amountMinor, count);
  if (after === 0) return [];
  const before = partsTaken(max, amountMinor - (by.amountMinor ?? 0), count - (by.count ?? 0));
  return NEAR_PERCENTS.slice(before, after);
}

function partsTaken(max: Quantity, amountMinor: number, count: number): number {
  return Math.max(partsOf(max.amountMinor, amountMinor), partsOf(max.count, count));
}

/** A hundred times the largest maximum is beyond the numbers that are exact. */
function partsOf(max: number | undefined, taken: number): number {
  if (max === undefined || taken <= 0) return 0;
  const [whole, part] = [BigInt(max), 100n * BigInt(taken)];
  return NEAR_PERCENTS.filter((percent) => part >= whole * BigInt(percent)).length;
}

/** Some subjects that are near the maximum of one rule, in one window. */
export type NearRow = {
  /** One for each rule, counter and window. */
  readonly id: string;
  readonly rule: string;
  readonly mode: Rule['mode'];
  readonly subjects: Subjects;
  /** The kind whose document has the counter. */
  readonly kind: string;
  readonly document: string;
  readonly counter: string;
  readonly currency?: string;
  /** Only of calendar windows: a rolling one begins with every instant. */
  readonly start?: Date;
  /** The end of the window; of a rolling one, when the payment that crossed has left it; NEVER of a lifetime. */
  readonly until: Date;
  /** The maximum in force at `at`, the subject's own one where `isOverride`. */
  readonly max: Quantity;
  readonly isOverride: boolean;
  /** Used and held at `at`. */
  readonly taken: Quantity;
  /** When a call reached its share, by the database's clock; of a scan, the instant of the counters. */
  readonly at: Date;
};

/** An increment that crossed parts of a maximum. */
export type Crossing = NearRow & { readonly percents: readonly NearPercent[] };

/** A row as it is listed: with the largest part that was reached in its window. */
export type ListedNear = NearRow & { readonly percent: NearPercent };

/** The parts of a rule's maximum that are reported for the first time in its window. */
export type NearTold = { readonly row: NearRow; readonly percents: readonly NearPercent[] };

/** Writes the row of a rule's counter, as it stands. */
export function nearRow(
  rule: Rule,
  subjects: Subjects,
  bucket: BucketReference,
  taken: Quantity,
  at: Date,
): NearRow {
  const { counter, until } = bucket;
  const [kind] = rule.per;
  const document = documentId(kind, subjects[kind] ?? '');
  const start =
    rule.window.kind === 'calendar'
      ? (bucket.start ?? calendarPeriod(rule.window, new Date(until.getTime() - 1)).start)
      : undefined;
  return {
    id: [rule.id, counter, start?.getTime() ?? '', document].join(' '),
    ...{ rule: rule.id, mode: rule.mode, subjects, kind, document, counter },
    ...present({ currency: rule.currency, start }),
    ...{ until, max: rule.max, isOverride: rule.override !== undefined, taken, at },
  };
}

/** A rule's maximum but for the count of a cooldown (one in a rolling window): each payment takes it whole. */
export function toldMax({ window, max }: Rule): Quantity {
  if (window.kind !== 'rolling' || max.count !== 1) return max;
  return max.amountMinor === undefined ? {} : { amountMinor: max.amountMinor };
}

/** What is used and held together in a counter; of a rule without currency the count alone. */
export function takenOf(view: DocumentView, rule: Rule, counter: string): Quantity {
  const { usedAmount, usedCount, heldAmount, heldCount } = sumsOf(countingBuckets(view), counter);
  const count = usedCount + heldCount;
  return rule.currency === undefined ? { count } : { amountMinor: usedAmount + heldAmount, count };
}

/** Rows of a page of the list, by default. */
export const NEAR_ROWS_DEFAULT = 20;
/** The most of them. */
export const NEAR_ROWS_MAX = 100;

/** Which rows are asked for. */
export type NearQuery = {
  readonly rule?: string | undefined;
  readonly kind?: string | undefined;
  /** At least so much of the maximum. */
  readonly percent: NearPercent;
  /** 1 to NEAR_ROWS_MAX. */
  readonly limit: number;
  /** The row after which the page begins. */
  readonly after?: NearPlace | undefined;
};

/** Where a page of rows ends: they are in the order of `percent`, largest first, then of `id`. */
type NearPlace = { readonly percent: number; readonly id: string };

type NearPage = {
  readonly rows: readonly ListedNear[];
  readonly next: NearPlace | undefined;
  /** When the list was made from the counters last. */
  readonly scannedAt: Date | undefined;
};

/** How a listed maximum stands this moment. */
export type NearNow = {
  readonly used: Quantity;
  readonly held: Quantity;
  /** In force now, the subject's own one where `isOverride`. */
  readonly max: Quantity;
  readonly isOverride: boolean;
  /** Of amount or count the larger: 1 is all of it. A late confirm may make it more. */
  readonly share: number;
};

/** A page of rows, each with how it stands now, and how complete the list is. */
export type NearAnswer = Omit<NearPage, 'rows'> & {
  readonly rows: readonly (ListedNear & { readonly now: NearNow })[];
  /** Whether calls write what they cross. */
  readonly isKept: boolean;
  readonly now: Date;
};

/** Where rows are. */
export type NearStore = {
  /** Notes what an increment crossed. @returns the parts told for the first time in this window, smallest first */
  readonly note: (crossing: Crossing) => Promise<readonly NearPercent[]>;
  /** Reads rows that are not over at an instant. */
  readonly page: (query: NearQuery, now: Date) => Promise<NearPage>;
};
