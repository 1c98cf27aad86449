import { COUNTER_SUM_MAX, DISTINCT_VALUES_MAX } from '../shared/bounds.ts';
import type { Period } from '../rule/zoned.ts';
import type { BucketReference } from './document.ts';
import type { BucketFields } from './bucket-name.ts';
import { loweringOf } from '../rule/counter.ts';
import { bucketFields, bucketName } from './bucket-name.ts';
import { isOver } from './effect.ts';

/** Where the bucket of a counter lies: fixed by the plan, or found by the database's clock. */
export type BucketPlan =
  | FixedBucket
  | { readonly kind: 'stepped'; readonly stepMs: number; readonly keepMs: number };

type FixedBucket = {
  readonly kind: 'fixed';
  readonly reference: Required<BucketReference>;
  readonly fields: BucketFields;
  /** Of the counter that lowers this one, if there is one. */
  readonly lowering?: { readonly counter: string; readonly fields: BucketFields };
  /** One step of a rolling window of which others count, too: the window's sum is that of all. */
  readonly isStep?: true;
};

/** What a check does to one counter: the tightest maxima of all rules that share it. */
export type CounterPlan = {
  readonly key: string;
  /** The outcome of an order says whether it counts there; absent where a confirm alone does. */
  readonly isByOutcome?: true;
  readonly bucket: BucketPlan;
  /** Whether the counter has a currency, without which a sum of amounts means nothing. */
  readonly sumsAmounts: boolean;
  readonly maxAmountMinor: number;
  readonly maxCount: number;
  /** Only shadow rules use it: it is entered while there is room, and never refuses. */
  readonly shadow: boolean;
  /** The `nameDigest` of the name whose different values are its count, where it does not count orders. */
  readonly distinct?: string;
};

/** The most that a counter may ever count: orders, or different values. */
export function mostCounted({ distinct }: { readonly distinct?: string | undefined }): number {
  return distinct === undefined ? COUNTER_SUM_MAX : DISTINCT_VALUES_MAX;
}

/** What a plan asks of one document, while the database's clock lies in `[from, until)`. */
export type DocumentPlan = {
  readonly from: Date;
  readonly until: Date;
  readonly counters: readonly CounterPlan[];
  readonly isBarred?: true;
  /** Of a recorded payment, whose windows may end before the plan does. */
  readonly outlasts?: true;
  /** The amounts between which rules for single transactions let an order pass that takes what fits. */
  readonly single?: { readonly leastMinor: number; readonly mostMinor: number };
};

/** Places the bucket of a counter. */
export function fixedBucket(counter: string, start: Date, until: Date): FixedBucket {
  const fields = bucketFields(bucketName({ counter, until }));
  const fixed = { kind: 'fixed' as const, reference: { counter, start, until }, fields };
  const lowering = loweringOf(counter);
  if (lowering === undefined) return fixed;
  const lowers = bucketFields(bucketName({ counter: lowering, until }));
  return { ...fixed, lowering: { counter: lowering, fields: lowers } };
}

/** Whether no instant decides which buckets the counters of a plan have. */
export function isFixed({ counters }: Pick<DocumentPlan, 'counters'>): boolean {
  for (const { bucket } of counters)
    if (bucket.kind !== 'fixed' || bucket.isStep === true) return false;
  return true;
}

/** The window or step of a counter that an order enters at an instant. */
export function bucketAt(bucket: BucketPlan, at: Date): Period {
  if (bucket.kind === 'fixed') return bucket.reference;
  const startMs = Math.floor(at.getTime() / bucket.stepMs) * bucket.stepMs;
  return { start: new Date(startMs), until: new Date(startMs + bucket.keepMs) };
}

/** The plan in which an instant lies. */
export function planFor<One extends Pick<DocumentPlan, 'from' | 'until'>>(
  plans: readonly One[],
  at: Date,
): One | undefined {
  return plans.find(({ from, until }) => from <= at && at < until);
}

/**
 * The plan in which an instant lies, as it is then. A recorded payment enters no window that is over: a share beside
 * home would take off there what it never added.
 */
export function planAt(plans: readonly DocumentPlan[], at: Date): DocumentPlan | undefined {
  const plan = planFor(plans, at);
  if (plan?.outlasts !== true) return plan;
  const isPast = ({ bucket }: CounterPlan): boolean =>
    bucket.kind === 'fixed' && isOver(bucket.reference, at);
  const past = plan.counters.filter(isPast);
  if (past.length === 0) return plan;
  const ends = past.map(({ bucket }) => bucketAt(bucket, at).until.getTime());
  const counters = plan.counters.filter((counter) => !past.includes(counter));
  return { ...plan, from: new Date(Math.max(...ends)), counters };
}

/** The bucket of a counter that an order enters at an instant. */
export function bucketOf({ key, bucket }: CounterPlan, at: Date): BucketReference {
  return bucket.kind === 'fixed' ? bucket.reference : { counter: key, ...bucketAt(bucket, at) };
}

/** That bucket as it is stored. */
export function fieldsAt(counter: CounterPlan, at: Date): BucketFields {
  if (counter.bucket.kind === 'fixed') return counter.bucket.fields;
  return bucketFields(bucketName(bucketOf(counter, at)));
}
