import { COUNTER_SUM_MAX, DISTINCT_VALUES_MAX } from '../shared/bounds.ts';
import type { Period } from '../rule/zoned.ts';
import type { BucketReference } from './document.ts';
import type { BucketFields } from './bucket-name.ts';
import { loweringOf } from '../rule/counter.ts';
import { namesDigest } from './document.ts';
import { bucketFields, bucketName } from './bucket-name.ts';

/** Where the bucket of a counter lies: fixed by the plan, or found by the database's clock. */
export type BucketPlan =
  | {
      readonly kind: 'fixed';
      readonly start: Date;
      readonly until: Date;
      readonly fields: BucketFields;
      /** Of the counter that lowers this one, if there is one. */
      readonly lowering?: { readonly counter: string; readonly fields: BucketFields };
      /** One step of a rolling window of which others count, too: the window's sum is that of all. */
      readonly isStep?: true;
    }
  | { readonly kind: 'stepped'; readonly stepMs: number; readonly keepMs: number };

/** What a check does to one counter: the tightest maxima of all rules that share it. */
export type CounterPlan = {
  readonly key: string;
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
  /** The buckets of its counters, in their order, where no instant decides which they are. */
  readonly fixed?: {
    /** Of the names. */
    readonly digest: string;
    readonly names: readonly string[];
    /** And of what lowers them: what a decision is about. */
    readonly paths: readonly string[];
    readonly references: readonly BucketReference[];
  };
  /** The end of the latest of those buckets that are fixed, in milliseconds. */
  readonly lastEnd: number;
  readonly signature: string;
  readonly isBarred?: true;
  /** The amounts between which rules for single transactions let an order pass that takes what fits. */
  readonly single?: { readonly leastMinor: number; readonly mostMinor: number };
};

/** Places the bucket of a counter. */
export function fixedBucket(counter: string, start: Date, until: Date) {
  const fields = bucketFields(bucketName({ counter, until }));
  const fixed = { kind: 'fixed' as const, start, until, fields };
  const lowering = loweringOf(counter);
  if (lowering === undefined) return fixed;
  const lowers = bucketFields(bucketName({ counter: lowering, until }));
  return { ...fixed, lowering: { counter: lowering, fields: lowers } };
}

/** Makes what a plan asks of one document. */
export function documentPlan({
  from,
  until,
  counters,
}: Pick<DocumentPlan, 'from' | 'until' | 'counters'>): DocumentPlan {
  const buckets = counters.flatMap(({ key, bucket }) =>
    bucket.kind === 'fixed' ? [{ counter: key, ...bucket }] : [],
  );
  const all = [from.getTime(), until.getTime(), ...counters.map(signatureOf)];
  const isFixed = buckets.length === counters.length && !buckets.some(({ isStep }) => isStep);
  const names = buckets.map(({ fields }) => fields.name);
  const fixed = {
    digest: namesDigest({ names }),
    names,
    paths: buckets.flatMap(({ fields, lowering }) =>
      lowering === undefined ? [fields.path] : [fields.path, lowering.fields.path],
    ),
    references: buckets.map(({ counter, start, until: end }) => ({ counter, start, until: end })),
  };
  return {
    from,
    until,
    counters,
    signature: all.join(';'),
    ...(isFixed ? { fixed } : {}),
    lastEnd: Math.max(0, ...buckets.map((bucket) => bucket.until.getTime())),
  };
}

function signatureOf(counter: CounterPlan): string {
  const { key, bucket, sumsAmounts, maxAmountMinor, maxCount, shadow } = counter;
  const place =
    bucket.kind === 'fixed'
      ? [bucket.start.getTime(), bucket.until.getTime()]
      : [bucket.stepMs, bucket.keepMs];
  return [key, bucket.kind, ...place, sumsAmounts, maxAmountMinor, maxCount, shadow].join();
}

/** The window or step of a counter that an order enters at an instant. */
export function bucketAt(bucket: BucketPlan, at: Date): Period {
  if (bucket.kind === 'fixed') return bucket;
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

/** The bucket of a counter that an order enters at an instant, as it is stored. */
export function fieldsAt({ key, bucket }: CounterPlan, at: Date): BucketFields {
  if (bucket.kind === 'fixed') return bucket.fields;
  return bucketFields(bucketName({ counter: key, until: bucketAt(bucket, at).until }));
}
