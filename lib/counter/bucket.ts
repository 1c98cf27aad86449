import type { Period } from '../rule/zoned.ts';
import type { BucketPlan, Counter, FixedBucket } from './kind.ts';
import type { BucketFields } from './name.ts';
import { bucketFields, bucketName } from './name.ts';
import { kindOf } from './kinds.ts';
import type { BucketReference } from './sums.ts';

/** Places the bucket of a counter. */
export function fixedBucket(counter: string, start: Date, until: Date): FixedBucket {
  const fields = bucketFields(bucketName({ counter, until }));
  const fixed = { kind: 'fixed' as const, reference: { counter, start, until }, fields };
  const beside = kindOf(counter).beside?.(counter);
  if (beside === undefined) return fixed;
  return {
    ...fixed,
    beside: { counter: beside, fields: bucketFields(bucketName({ counter: beside, until })) },
  };
}

/** The window or step of a counter that an order enters at an instant. */
export function bucketAt(bucket: BucketPlan, at: Date): Period {
  if (bucket.kind === 'fixed') return bucket.reference;
  const startMs = Math.floor(at.getTime() / bucket.stepMs) * bucket.stepMs;
  return { start: new Date(startMs), until: new Date(startMs + bucket.keepMs) };
}

/** The bucket of a counter that an order enters at an instant. */
export function bucketOf({ key, bucket }: Counter, at: Date): BucketReference {
  return bucket.kind === 'fixed' ? bucket.reference : { counter: key, ...bucketAt(bucket, at) };
}

/** That bucket as it is stored. */
export function fieldsAt(counter: Counter, at: Date): BucketFields {
  if (counter.bucket.kind === 'fixed') return counter.bucket.fields;
  return bucketFields(bucketName(bucketOf(counter, at)));
}
