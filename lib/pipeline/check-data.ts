import type { BucketReference, SharesElsewhere } from '../domain/document.ts';

/** The data of a check for one document. 64-bit integers are bigint; amounts that do not count are null. */
export type CheckData = {
  readonly own: {
    readonly id: string;
    readonly nonce: string;
    readonly digest: string;
    readonly amount: bigint;
    readonly count: bigint;
  } & SharesElsewhere;
  /** What a bucket of a counter with currency holds that the order is the first to enter. */
  readonly share: ShareData;
  /** Milliseconds. */
  readonly holdMs: bigint;
  readonly openHoldsMax: number;
  readonly plans: readonly {
    readonly from: Date;
    readonly until: Date;
    /** Whether no rule for single transactions says no. */
    readonly open: boolean;
    readonly counters: readonly CounterData[];
  }[];
};

/** The sums of a new bucket. */
export type ShareData = {
  readonly usedAmount: bigint | null;
  readonly usedCount: bigint;
  readonly heldAmount: bigint | null;
  readonly heldCount: bigint;
};

/**
 * One counter of a plan. Its bucket is named, or begins with a step: then the name is its counter
 * alone, and the server works out the rest.
 */
export type CounterData = {
  /** The most that used and held may be for the order still to fit. */
  readonly roomAmount: bigint;
  readonly roomCount: bigint;
  /** Only rules on trial use it. */
  readonly shadow?: true;
  /** Of a counter without currency. */
  readonly share?: ShareData;
} & (
  | { readonly name: BucketReference }
  | {
      readonly name: Pick<BucketReference, 'counter'>;
      readonly stepMs: bigint;
      readonly keepMs: bigint;
    }
);

/**
 * What a check needs beyond the ordinary. A server reads every expression anew with every call, so a
 * pipeline has only those that the request can need.
 */
export type CheckKind = {
  /** Counts at once, without a hold. */
  readonly captures: boolean;
  /** One of several documents: the hold is not complete until home says so. */
  readonly pending: boolean;
  /** A pending hold of this order that another call made becomes this call's. */
  readonly takesOver: boolean;
  /** This call's hold, which it took over, is in the windows of an older call: it is decided anew. */
  readonly renews: boolean;
  /** The order may be known here, its hold expired: then it is decided anew. */
  readonly again: boolean;
  /** Some bucket begins with a step. */
  readonly stepped: boolean;
  /** Some counter is of rules on trial alone. */
  readonly shadowed: boolean;
};
