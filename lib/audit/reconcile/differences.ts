import type { BucketReference } from '../../limits/document/document.ts';
import { bucketName } from '../../limits/document/document.ts';
import type { Difference, SumName } from './reconcile.ts';

/**
 * What is wrong in every one of several looks at a document, as most of them have it: a call that was
 * just being written may be in one of them.
 *
 * @param looks one or more, oldest first
 */
export function lasting(looks: readonly (readonly Difference[])[]): readonly Difference[] {
  const [last = [], ...earlier] = looks.toReversed();
  return last.flatMap((difference) => {
    const same = earlier.map((look) => look.find((other) => isSame(difference, other)));
    const all = [difference, ...same];
    const found = all.filter((each) => each !== undefined);
    if (found.length < all.length) return [];
    const often = (one: Difference): number =>
      found.filter((each) => excess(each) === excess(one)).length;
    return [found.reduce((most, each) => (often(each) > often(most) ? each : most))];
  });
}

function isSame(one: Difference, other: Difference): boolean {
  if (one.kind === 'hold') return other.kind === 'hold' && other.orderId === one.orderId;
  if (other.kind === 'hold') return false;
  return one.sum === other.sum && bucketName(one.bucket) === bucketName(other.bucket);
}

function excess(difference: Difference): number {
  return difference.kind === 'sum' ? difference.stored - difference.expected : 0;
}

/**
 * Says whether rows may be missing that would explain a difference: more is used than they say, in a
 * window that began before they are complete, or of which no row tells when it began.
 *
 * @param completeSince the instant from which every row is there
 */
export function isDoubtful(difference: Difference, completeSince: Date): boolean {
  if (difference.kind === 'hold' || !difference.sum.startsWith('used')) return false;
  const { start = new Date(0) } = difference.bucket;
  return excess(difference) > 0 && start < completeSince;
}

/** What is to be added to one bucket, which is made where it is missing. */
export type Mend = { readonly bucket: BucketReference } & Readonly<Record<SumName, number>>;

const NO_SUMS = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };

/** What mends the sums that differ, one entry a bucket. */
export function mendsOf(differences: readonly Difference[]): readonly Mend[] {
  const mends = new Map<string, Mend>();
  for (const difference of differences) {
    if (difference.kind === 'hold') continue;
    const { bucket, sum, stored, expected } = difference;
    const mend = mends.get(bucketName(bucket)) ?? { bucket, ...NO_SUMS };
    mends.set(bucketName(bucket), { ...mend, [sum]: expected - stored });
  }
  return [...mends.values()];
}
