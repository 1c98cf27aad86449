import type { Ending, SettledState } from './states.ts';

/** Kind to id of somebody or something that limits count for, such as `{ user: 'u-1' }`. */
export type Subjects = Readonly<Record<string, string>>;

/** A value that rules may match: equal in value and kind. */
export type AttributeValue = string | number | boolean;

/** An order's name: unique within the application that made it. */
export type OrderName = { readonly appId: string; readonly orderId: string };

/** An order, and the document that is its home: each home may have one of that id. */
export type OrderAtHome = OrderName & { readonly home: string };

/** An order of this home; of any, where none is asked for. */
export type OrderAsked = OrderName & { readonly home?: string | undefined };

/** What a maximum by attribute is asked with. */
export type Described = {
  readonly type?: string | undefined;
  /** 1 to SUBJECTS_MAX entries. */
  readonly subjects: Subjects;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  /** What the payer has proven just now; up to PROOFS_MAX. Not part of an order's content: a repeat may have others. */
  readonly proofs?: readonly string[] | undefined;
};

/** What `usage` is asked, parsed. `type` and `attributes` only choose maxima by attribute. */
export type UsageRequest = Pick<Described, 'type' | 'subjects'> & {
  readonly appId: string;
  readonly attributes?: Described['attributes'] | undefined;
  /** How far behind the answer may be: 1,000 to STALE_MS_MAX. Default: it is current. */
  readonly staleMs?: number | undefined;
};

/** What a payment says of itself, parsed. */
export type Payment = OrderName &
  Described & {
    /** Minor units, 0 to AMOUNT_MINOR_MAX. */
    readonly amountMinor: number;
    readonly currency: string;
    /** 1 to COUNT_MAX; how much the transaction adds to every count. */
    readonly count: number;
  };

/** Sums up to which an order may pass under a rule, because a second person approved it. */
export type Passing = {
  readonly rule: string;
  /** The rule's, as it was approved: the approval is of no later one. */
  readonly version?: number | undefined;
  readonly upTo: { readonly amountMinor?: number; readonly count?: number };
};

/** What `check` is asked, parsed. */
export type CheckRequest = Payment & {
  /** HOLD_SECONDS_MIN to HOLD_SECONDS_MAX, in milliseconds. */
  readonly holdMs: number;
  /** Where the whole amount does not fit: take what fits, if it is so much, in minor units. Never below 1. */
  readonly leastMinor?: number | undefined;
  /** Count at once, without a hold. */
  readonly capture: boolean;
  /** Only say what would happen. */
  readonly dryRun: boolean;
  /** Of the holds that may be open in one document, the percentage that may be the application's. Default: 100. */
  readonly openPercent?: number | undefined;
  /** Not part of an order's content. */
  readonly passings?: readonly Passing[] | undefined;
  /** How an order ends that is captured: it is confirmed, but for a record of one that failed. */
  readonly ending?: Ending | undefined;
};

/** What `record` is asked of one order, parsed: a payment that happened, or failed, and was never checked. */
export type RecordRequest = Payment & {
  /** When it happened; not after the database's instant. */
  readonly happenedAt: Date;
  /** Absent: it was confirmed. */
  readonly ending?: Ending | undefined;
};

/** Where an order's holds are: told by the reservation, or worked out from the subjects. */
export type Whereabouts =
  | { readonly kind: 'reservation'; readonly token: string }
  | { readonly kind: 'subjects'; readonly subjects: Subjects }
  /** The audit knows it. */
  | { readonly kind: 'recorded' };

/** What `confirm` is asked, parsed. */
export type ConfirmRequest = OrderName & {
  readonly whereabouts: Whereabouts;
  /** The final amount in minor units; what was held when absent. */
  readonly amountMinor?: number | undefined;
};

/** What `rollback` is asked, parsed. The reason is for the records alone. */
export type RollbackRequest = OrderName & {
  readonly whereabouts: Whereabouts;
  readonly reason?: string | undefined;
  /** By it rules count rollbacks. */
  readonly reasonCode?: string | undefined;
};

/** What `refund` is asked, parsed. */
export type RefundRequest = Omit<RollbackRequest, 'reasonCode'> & {
  /** Unique within the order. */
  readonly refundId: string;
  /** Minor units, at least 1; all that is left when absent. */
  readonly amountMinor?: number | undefined;
};

/** One of many settlements, parsed: a confirm, or a rollback with its reason. */
export type SettlementRequest = ConfirmRequest & RollbackRequest & { readonly to: SettledState };
