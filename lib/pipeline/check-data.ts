/** The data of a check for one document. 64-bit integers are bigint; absent amounts are null. */
export type CheckData = {
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amount: bigint;
  readonly count: bigint;
  /** Milliseconds. */
  readonly holdMs: bigint;
  readonly capture: boolean;
  /** One of several documents: the hold is not complete until home says so. */
  readonly pending: boolean;
  /** Whether a pending hold of this order that another call made is made this call's. */
  readonly takesOver: boolean;
  readonly openHoldsMax: number;
  readonly plans: readonly {
    readonly from: Date;
    readonly until: Date;
    readonly barred: boolean;
    readonly counters: readonly CounterData[];
  }[];
};

/** One counter of a plan: its bucket fixed (`start`, `until`) or stepped (`stepMs`, `keepMs`). */
export type CounterData = {
  readonly counter: string;
  /** What enters the sums of amounts; null where amounts are not summed. */
  readonly amount: bigint | null;
  readonly maxAmount: bigint;
  readonly maxCount: bigint;
  readonly shadow: boolean;
} & (
  | { readonly start: Date; readonly until: Date }
  | { readonly stepMs: bigint; readonly keepMs: bigint }
);
