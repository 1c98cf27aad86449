import type { BucketReference } from '../../counter/sums.ts';
import { bucketName } from '../../counter/name.ts';

/** The sums of a bucket that are compared. */
export const SUMS = ['usedAmount', 'usedCount', 'heldAmount', 'heldCount'] as const;
/** One of them. */
export type SumName = (typeof SUMS)[number];

/** Where a document is not what it should be. Amounts are minor units. */
export type Difference =
  | {
      readonly kind: 'sum';
      readonly bucket: BucketReference;
      readonly sum: SumName;
      /** One of its further sums alone: the count of orders with a value, by its digest, say. */
      readonly value?: string;
      readonly stored: number;
      /** Used by the rows; held by the document's own holds. */
      readonly expected: number;
    }
  /** The document counts its open holds otherwise than they are there. */
  | {
      readonly kind: 'open';
      /** `open`, `shares`, or of holds that entered the same buckets `p.<digest>.n`. */
      readonly field: string;
      readonly stored: number;
      readonly expected: number;
    }
  /** Beyond COUNTER_SUM_MAX, so that no number says it exactly: it is neither compared nor mended. */
  | {
      readonly kind: 'beyond';
      readonly bucket: BucketReference;
      readonly sum: SumName;
      readonly value?: string;
    }
  /** Rows say that an order is held, and the document has no hold of it. */
  | { readonly kind: 'hold'; readonly orderId: string; readonly until: Date };

/**
 * The differences that all looks have, each as most have it: one look may have seen a call half written.
 *
 * @param looks one or more, oldest first
 */
export function lasting(looks: readonly (readonly Difference[])[]): readonly Difference[] {
  const [last = [], ...earlier] = looks.toReversed();
  return last.flatMap((difference) => {
    const same = earlier.flatMap(
      (look) => look.find((other) => isSameDifference(difference, other)) ?? [],
    );
    if (same.length < earlier.length) return [];
    const found = [difference, ...same];
    const often = (one: Difference): number =>
      found.filter((each) => excess(each) === excess(one)).length;
    return [found.reduce((most, each) => (often(each) > often(most) ? each : most))];
  });
}

function isSameDifference(one: Difference, other: Difference): boolean {
  if (one.kind === 'hold') return other.kind === 'hold' && other.orderId === one.orderId;
  if (one.kind === 'open') return other.kind === 'open' && other.field === one.field;
  if (one.kind !== other.kind) return false;
  if (one.value !== other.value) return false;
  return one.sum === other.sum && bucketName(one.bucket) === bucketName(other.bucket);
}

function excess(difference: Difference): number {
  return isMendable(difference) ? difference.stored - difference.expected : 0;
}

/** Whether a repair adds what is missing, or takes off what is too much. */
export function isMendable(
  difference: Difference,
): difference is Extract<Difference, { readonly kind: 'sum' | 'open' }> {
  return difference.kind === 'sum' || difference.kind === 'open';
}

/** Whether missing rows may explain it: more is used, in a window that began before rows are complete. */
export function isDoubtful(difference: Difference, completeSince: Date): boolean {
  if (difference.kind !== 'sum' || !difference.sum.startsWith('used')) return false;
  const { start = new Date(0) } = difference.bucket;
  return excess(difference) > 0 && start < completeSince;
}
