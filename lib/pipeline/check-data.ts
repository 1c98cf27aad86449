/** One order of a check, as the general lane is told of it. 64-bit integers are bigint. */
export type OrderData = {
  /** What its hold says of it, and its outcome where it is captured. */
  readonly own: {
    readonly id: string;
    readonly nonce: string;
    readonly digest: string;
    readonly amount: bigint;
    readonly count: bigint;
    readonly others?: readonly string[];
    readonly home?: string;
  };
  readonly amount: bigint;
  readonly count: bigint;
  /** When its time is over; of an order of one document worked out from `holdMs`. */
  readonly until: Date | null;
  /** Milliseconds. */
  readonly holdMs: bigint;
  readonly capture: boolean;
  /** A rule for single transactions has said no. */
  readonly barred: boolean;
};

/** One counter that all orders of the update enter. */
export type CounterData = {
  readonly counter: string;
  readonly sumsAmounts: boolean;
  readonly maxAmount: bigint;
  readonly maxCount: bigint;
  readonly shadow: boolean;
  /** The bucket's name and end, unless it begins with a step of the server's instant. */
  readonly name: string | null;
  readonly until: Date | null;
  /** Milliseconds. */
  readonly stepMs: bigint;
  readonly keepMs: bigint;
};

/** The data of a check of one document, of one order or of many with the same plans. */
export type CheckData = {
  /** Decided in this order; no id twice. */
  readonly orders: readonly OrderData[];
  /** The orders' ids, so that they are looked for all at once. */
  readonly ids: readonly string[];
  /** Whether none of them is barred. */
  readonly noneBarred: boolean;
  /** What all of them ask together. */
  readonly amount: bigint;
  readonly count: bigint;
  /** How many of them leave an open hold. */
  readonly opens: number;
  /** The first instant at which the time of one of them is over; null where it begins now. */
  readonly endsFirst: Date | null;
  /** Shares of orders whose home is another document: that one knows whether they are new. */
  readonly beside: boolean;
  /** With more outcomes than that, home may have forgotten what was read of it; null to not ask. */
  readonly rememberedMax: bigint | null;
  /** The version of the terms that the plans were made under; null for none. */
  readonly terms: string | null;
  readonly openHoldsMax: number;
  readonly outcomesMax: number;
  readonly plans: readonly {
    readonly from: Date;
    readonly until: Date;
    /** Whether no rule for single transactions says no to all. */
    readonly open: boolean;
    readonly counters: readonly CounterData[];
  }[];
};
