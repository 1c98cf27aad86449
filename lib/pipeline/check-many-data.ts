import type { SharesElsewhere } from '../domain/document.ts';

/** One order of a check of many: what differs between them. 64-bit integers are bigint. */
export type OrderData = {
  readonly id: string;
  readonly nonce: string;
  readonly digest: string;
  readonly amount: bigint;
  readonly count: bigint;
  /** Milliseconds. */
  readonly holdMs: bigint;
  readonly capture: boolean;
  /** It only looks: a rule for single transactions, or another document, has said no. */
  readonly barred: boolean;
} & SharesElsewhere;

/** One counter that all orders of the update enter. */
export type ManyCounterData = {
  readonly counter: string;
  readonly sumsAmounts: boolean;
  readonly maxAmount: bigint;
  readonly maxCount: bigint;
  readonly shadow: boolean;
} & (
  | { readonly start: Date; readonly until: Date }
  | { readonly stepMs: bigint; readonly keepMs: bigint }
);

/** The data of a check of many orders for one document, all with the same plans. */
export type CheckManyData = {
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
  /** The holds are not complete until home says so. */
  readonly pending: boolean;
  readonly openHoldsMax: number;
  readonly plans: readonly {
    readonly from: Date;
    readonly until: Date;
    /** Whether no rule for single transactions says no. */
    readonly open: boolean;
    readonly counters: readonly ManyCounterData[];
  }[];
};
