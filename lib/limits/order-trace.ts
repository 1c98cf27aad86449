import type { Entry } from '../document/document.ts';
import type { BucketReference } from '../counter/sums.ts';
import type { Values } from '../rule/counter-key.ts';
import { valuesIn } from '../counter/kinds.ts';

/** The buckets of one document that an order's share entered. */
export type RecordedShare = {
  readonly document: string;
  readonly buckets: readonly BucketReference[];
  /** Those that these count. */
  readonly values?: Values;
};

/** Makes a share of an order. @param values of the order, others than these buckets count among them */
export function recordedShare(
  document: string,
  buckets: readonly BucketReference[],
  values: Values | undefined,
): RecordedShare {
  const counted = valuesIn(buckets, values);
  return counted === undefined ? { document, buckets } : { document, buckets, values: counted };
}

/** One order, as documents told it while a call ran. */
export type OrderTrace = {
  /** The instant of the last one that answered; undefined where none is there. */
  readonly now?: Date | undefined;
  /** The order as home knew it: after a check, before a settlement. */
  readonly entry?: Entry | undefined;
  /** Home first: those that were asked, and knew of the order or were to hold it. */
  readonly documents: readonly string[];
  /** In the same order: how many writes each had seen, that of the call among them. */
  readonly writes?: readonly number[];
  /** Whether the call changed home, or only found what an earlier one had done. */
  readonly changed: boolean;
  /** The `revision` of the plan, of a check or a record. */
  readonly rules?: number | undefined;
  /** Entered or settled by the call. */
  readonly shares: readonly RecordedShare[];
};
