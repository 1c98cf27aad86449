import type { DocumentView } from '../document/document.ts';
import type { BucketReference } from '../counter/sums.ts';
import { countingBuckets, sumsOf } from '../document/decision.ts';
import { present } from '../shared/present.ts';
import type { Subjects } from '../shared/request.ts';
import type { Rule } from '../rule/rule.ts';
import { documentKind, overrideName } from '../rule/rule.ts';
import type { Quantity } from '../rule/own-terms.ts';
import { isOfFailures } from '../rule/counting.ts';
import { begins, bucketPeriod, sinceOf, stepsOf } from '../rule/windows/windows.ts';
import { documentOf } from '../shared/subject.ts';

/** The parts of a maximum that are reported, in whole percent, smallest first. */
export const NEAR_PERCENTS = [50, 80, 95, 100] as const;

/** One of them. */
export type NearPercent = (typeof NEAR_PERCENTS)[number];

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
  /** `overrideName`: it stays when the rule's id changes. */
  readonly rule: string;
  readonly mode: Rule['mode'];
  readonly subjects: Subjects;
  /** The kind of the subject that has the terms. */
  readonly kind: string;
  readonly document: string;
  readonly counter: string;
  readonly currency?: string;
  /** Only of windows that begin: a rolling one begins with every instant. */
  readonly start?: Date;
  /** The instant that orders say, if the window begins with one. */
  readonly since?: Date;
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
export type Crossing = NearRow & {
  /** The rule's id, for the event. */
  readonly ruleId: string;
  readonly percents: readonly NearPercent[];
};

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
  const document = documentOf(documentKind(rule), subjects);
  const start = begins(rule.window)
    ? (bucket.start ?? bucketPeriod(rule.window, new Date(until.getTime() - 1)).start)
    : undefined;
  const name = overrideName(rule);
  return {
    id: [name, counter, start?.getTime() ?? '', document].join(' '),
    rule: name,
    mode: rule.mode,
    subjects,
    kind,
    document,
    counter,
    ...present({ currency: rule.currency, start, since: sinceOf(rule.window)?.at }),
    until,
    max: rule.max,
    isOverride: rule.override !== undefined,
    taken,
    at,
  };
}

/** A rule's maximum but for the count of a cooldown (one in a rolling window): each payment takes it whole. */
export function toldMax({ window, max }: Rule): Quantity {
  if (stepsOf(window) === undefined || max.count !== 1) return max;
  return max.amountMinor === undefined ? {} : { amountMinor: max.amountMinor };
}

/** What is taken of the maximum of a rule. */
export function takenOf(view: DocumentView, rule: Rule, counter: string): Quantity {
  const { usedAmount, usedCount, heldAmount, heldCount } = sumsOf(countingBuckets(view), counter);
  const used = { amountMinor: usedAmount, count: usedCount };
  return takenIn(rule, used, { amountMinor: heldAmount, count: heldCount });
}

/**
 * Adds what is used and held; without a currency, the count alone. A rule of failures holds places that most
 * payments free again, so these are left out.
 */
export function takenIn(rule: Rule, used: Quantity, held: Quantity): Quantity {
  const { amountMinor = 0, count = 0 } = isOfFailures(rule) ? {} : held;
  const all = {
    amountMinor: amountMinor + (used.amountMinor ?? 0),
    count: count + (used.count ?? 0),
  };
  return rule.currency === undefined ? { count: all.count } : all;
}
