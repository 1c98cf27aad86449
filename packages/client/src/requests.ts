/** Subject kinds to ids, 1 to 10: `{ user: 'u-1', card: 'c-9' }`. Name a card by a token of yours. */
export type Subjects = Readonly<Record<string, string>>;

/** A subject kind that no rule knows, and the names nearest to it: most likely it is mistyped. */
export type UnknownKind = { readonly kind: string; readonly nearest: readonly string[] };

/** What rules may match; text "1", number 1 and true are three values. Numbers are whole. */
export type AttributeValue = string | number | boolean;

/** What an answer tells of rules: nothing; of those that refused, or would have; of all that apply. */
export type ReportScope = 'none' | 'violations' | 'all';

/** What `check` takes. */
export type CheckRequest = {
  /** Yours, 1 to 256 characters: names the payment for ever. */
  readonly orderId: string;
  /** What rules may match: 1 to 64 letters, digits, dots, hyphens or underscores. */
  readonly type?: string | undefined;
  readonly subjects: Subjects;
  /** Minor units, a whole number from 0 to 10^15: 3000000 fen are 30,000.00 yuan. */
  readonly amount: number;
  /** ISO 4217, or a private code: 3 to 12 capital letters and digits. */
  readonly currency: string;
  /** How much it adds to every count, 1 to 1,000,000; 1 where nothing is said. */
  readonly count?: number | undefined;
  /** Up to 50, for rules to match. No name that is a subject kind, too. */
  readonly attributes?: Readonly<Record<string, AttributeValue>> | undefined;
  /** How long the share is held: ISO 8601, `PT1S` to `P7D`; `PT15M` where nothing is said. */
  readonly hold?: string | undefined;
  /** Counts at once, with nothing to confirm. */
  readonly capture?: boolean | undefined;
  /** Only says what would happen. */
  readonly dryRun?: boolean | undefined;
};

/** A check that says how much of rules it is told. */
export interface ReportedCheckRequest<
  Report extends ReportScope = ReportScope,
> extends CheckRequest {
  /** `all` where nothing is said. */
  readonly report?: Report | undefined;
}

/** Where an order's shares are: by `reservation` or by `subjects`, at most one of the two. */
export type Whereabouts = {
  readonly orderId: string;
  /** As the check answered it. Prefer it: what has no share costs no round trip. */
  readonly reservation?: string | undefined;
  readonly subjects?: Subjects | undefined;
};

/** What `confirm` takes. */
export type ConfirmRequest = Whereabouts & {
  /** The final amount in minor units; what was held where nothing is said. */
  readonly amount?: number | undefined;
};

/** What `rollback` takes. */
export type RollbackRequest = Whereabouts & {
  /** For the records, 1 to 256 characters. */
  readonly reason?: string | undefined;
};

/** What `refund` takes. */
export type RefundRequest = Whereabouts & {
  /** Yours, 1 to 256 characters: names the refund within the order for ever. */
  readonly refundId: string;
  /** Minor units, at least 1; all that is left where nothing is said. */
  readonly amount?: number | undefined;
  /** For the records, 1 to 256 characters. */
  readonly reason?: string | undefined;
};

/** What `status` takes. */
export type StatusRequest = {
  readonly orderId: string;
  /** Of sentences, as `Accept-Language` says it: `zh`. */
  readonly language?: string | undefined;
};

/** What `usage` takes. `type` and `attributes` choose among maxima by attribute, and nothing else. */
export type UsageRequest = {
  readonly subjects: Subjects;
  readonly type?: string | undefined;
  readonly attributes?: Readonly<Record<string, AttributeValue>> | undefined;
  /** How far behind the answer may be, `PT1S` to `PT1H`; not at all where nothing is said. */
  readonly stale?: string | undefined;
};

/** What `checks` takes. */
export type ChecksRequest = {
  /** 1 to 100, no order id twice. */
  readonly orders: readonly Omit<CheckRequest, 'dryRun'>[];
  /** Every order is held, or nothing new is. */
  readonly atomic?: boolean | undefined;
  /** `violations` where nothing is said. */
  readonly report?: ReportScope | undefined;
};

/** A payment that happened and was never checked. */
export type Payment = Omit<CheckRequest, 'hold' | 'capture' | 'dryRun'> & {
  /** When it happened: RFC 3339 with its zone, not after now. */
  readonly at: string;
};

/** What `record` takes. */
export type RecordRequest = {
  /** 1 to 100, no order id twice. */
  readonly orders: readonly Payment[];
};

/** How one payment ended: `SUCCESS` confirms, `FAIL` rolls back. */
export type Settlement =
  | (ConfirmRequest & { readonly status: 'SUCCESS' })
  | (RollbackRequest & { readonly status: 'FAIL' });

/** What `settlements` takes. */
export type SettlementsRequest = {
  /** 1 to 100, no order id twice. */
  readonly settlements: readonly Settlement[];
};
