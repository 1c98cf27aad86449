import type { BucketReference, DocumentView } from '../limits/document/document.ts';
import type { RecordedShare } from '../audit/audit.ts';
import { calendarPeriod } from '../windows/calendar.ts';
import { counterKey } from '../windows/counter.ts';
import { countingBuckets, sumsOf } from '../limits/decision.ts';
import type { RuleReport } from '../limits/report.ts';
import type { Subjects } from '../shared/request.ts';
import type { Quantity, Rule, RuleMode } from '../rules/rule.ts';
import { documentId } from '../shared/subject.ts';

/** The parts of a maximum that are reported when they are taken, in whole percent, smallest first. */
export const NEAR_PERCENTS = [50, 80, 95, 100] as const;

/** One of them. */
export type NearPercent = (typeof NEAR_PERCENTS)[number];

/** Shares of a maximum that rows may be asked for by: a hundredth of NEAR_PERCENTS each. */
export const NEAR_SHARES = [0.5, 0.8, 0.95, 1] as const;

/**
 * The largest part of a maximum that is taken, of amount or count the larger; undefined below all.
 *
 * Taken is what is used and held: what is no longer free. Of a maximum of nothing, anything is all.
 */
export function percentTaken(
  max: Quantity,
  { amountMinor = 0, count = 0 }: Quantity,
): NearPercent | undefined {
  return NEAR_PERCENTS[partsTaken(max, amountMinor, count) - 1];
}

/** The parts of a maximum that an increment crossed, smallest first: taken after it, and not before. */
export function percentsCrossed(
  max: Quantity,
  { amountMinor = 0, count = 0 }: Quantity,
  by: Quantity,
): readonly NearPercent[] {
  const after = partsTaken(max, amountMinor, count);
  if (after === 0) return NONE;
  const before = partsTaken(max, amountMinor - (by.amountMinor ?? 0), count - (by.count ?? 0));
  return before === after ? NONE : NEAR_PERCENTS.slice(before, after);
}

const NONE: readonly NearPercent[] = [];

/** The number of parts that are taken. A subject that has taken one has taken all smaller ones. */
function partsTaken(max: Quantity, amountMinor: number, count: number): number {
  return Math.max(partsOf(max.amountMinor, amountMinor), partsOf(max.count, count));
}

/** A hundred times the largest maximum is beyond the numbers that are exact. */
function partsOf(max: number | undefined, taken: number): number {
  if (max === undefined || taken <= 0) return 0;
  const [whole, part] = [BigInt(max), 100n * BigInt(taken)];
  return NEAR_PERCENTS.filter((percent) => part >= whole * BigInt(percent)).length;
}

/** A row of those who are near a maximum: of one rule, for some subjects, in one window. */
export type NearRow = {
  /** One for each rule, counter and window. */
  readonly id: string;
  readonly rule: string;
  readonly mode: RuleMode;
  readonly subjects: Subjects;
  /** The kind whose document has the counter: the first of the rule's. */
  readonly kind: string;
  /** That document's `_id`. */
  readonly document: string;
  readonly counter: string;
  readonly currency?: string;
  /** Of a calendar window alone: a rolling one begins with every instant. */
  readonly start?: Date;
  /**
   * When the row is over: the end of the window; of a rolling one, when the payment that crossed has
   * left it; NEVER of a lifetime.
   */
  readonly until: Date;
  /** The maximum in force when the row was written, a subject's own one where it had one. */
  readonly max: Quantity;
  readonly isOverride: boolean;
  /** Used and held when the row was written. */
  readonly taken: Quantity;
  /** The instant of the counters that it tells of, by the database's clock. */
  readonly at: Date;
};

/** An increment that crossed parts of a maximum. */
export type Crossing = NearRow & { readonly percents: readonly NearPercent[] };

/** A row as it is listed: with the largest part that was reached in its window. */
export type ListedNear = NearRow & { readonly percent: NearPercent };

/** The parts of a rule's maximum that are reported for the first time in its window. */
export type NearTold = { readonly row: NearRow; readonly percents: readonly NearPercent[] };

/** When the calendar window of a bucket began; undefined of other windows. */
function startOf({ window }: Rule, { start, until }: BucketReference): Date | undefined {
  if (window.kind !== 'calendar') return undefined;
  return start ?? calendarPeriod(window, new Date(until.getTime() - 1)).start;
}

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
  const start = startOf(rule, bucket);
  return {
    id: [rule.id, counter, start?.getTime() ?? '', document].join(' '),
    ...{ rule: rule.id, mode: rule.mode, subjects, kind, document, counter },
    ...(rule.currency === undefined ? {} : { currency: rule.currency }),
    ...(start === undefined ? {} : { start }),
    ...{ until, max: rule.max, isOverride: rule.override !== undefined, taken, at },
  };
}

/**
 * The part of a rule's maximum that near rows tell of. They leave out the count of a cooldown (one payment
 * in a rolling window): each payment takes it whole, which says nothing.
 */
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

/**
 * What an order crossed, from the reports of its rules after it.
 *
 * Of most orders that is nothing, which takes a few comparisons.
 *
 * @param entered the buckets that the order entered; of a rule whose counter is not among them it
 *   crossed nothing
 * @param views the documents as they were after it: each row has the instant of its own
 */
export function crossingsIn(
  reports: readonly RuleReport[],
  entered: readonly RecordedShare[],
  by: Quantity,
  views: ReadonlyMap<string, Pick<DocumentView, 'now'>>,
): readonly Crossing[] {
  return reports.flatMap(({ rule, subjects, used = {}, held = {} }) => {
    const count = (used.count ?? 0) + (held.count ?? 0);
    const amountMinor = (used.amountMinor ?? 0) + (held.amountMinor ?? 0);
    const after = used.amountMinor === undefined ? { count } : { amountMinor, count };
    const percents = percentsCrossed(toldMax(rule), after, by);
    if (percents.length === 0) return [];
    const [kind] = rule.per;
    const document = documentId(kind, subjects[kind] ?? '');
    const counter = counterKey(rule, subjects);
    const at = views.get(document)?.now;
    const bucket = entered
      .find((share) => share.document === document)
      ?.buckets.find((one) => one.counter === counter && at !== undefined && one.until > at);
    if (at === undefined || bucket === undefined) return [];
    return [{ ...nearRow(rule, subjects, bucket, after, at), percents }];
  });
}
