import type { Problem } from './problems.ts';
import type { ReportScope, UnknownKind } from './requests.ts';
import type { Frozen, RuleReport, RuleViolation } from './rules.ts';

/** What would pass. */
export type Headroom = {
  /** The largest amount that would pass now, in minor units; null where no rule limits it. */
  readonly amount: number | null;
  /** When the amount that was asked would pass; null for never. */
  readonly earliestAt: string | null;
};

/** Which rules said no. Lists in every answer to a check, empty ones too. */
export type Refusals = {
  /** Ids of the rules that refused. */
  readonly refusedBy: readonly string[];
  /** Ids of the rules on trial that would have. */
  readonly shadowRefusedBy: readonly string[];
};

/** A check that is allowed. */
export type AllowedCheck = Refusals & {
  readonly decision: 'allowed';
  readonly undecided?: never;
  /** The same order was allowed before, perhaps by a call whose answer got lost. Nothing changed. */
  readonly repeated: boolean;
  /** `confirmed` with `capture`, or where the order was confirmed since; `none` for a dry run. */
  readonly state: 'held' | 'confirmed' | 'partlyRefunded' | 'refunded' | 'none';
  /** In the repeat of what was refunded since, in minor units; null where the audit could not be read. */
  readonly refunded?: number | null;
  /** What may still be refunded. */
  readonly remaining?: number;
  /** For confirm and rollback. Opaque; keep it as it is. Absent for a dry run. */
  readonly reservation?: string;
  /** The first instant at which the hold does not count. Absent where nothing is held. */
  readonly holdExpiresAt?: string;
  /** Documents beside home in which a repeated, counted order may not count: `merchant:m-1`. */
  readonly uncounted?: readonly string[];
  /** This order took the last of some rule. */
  readonly limitReached: boolean;
  /** Every rule that applies. */
  readonly rules: readonly RuleReport[];
  readonly headroom: Headroom;
  /** The instant of the decision, by the database's clock. */
  readonly now: string;
};

/** A check that is refused. Nothing is held. */
export type RefusedCheck = Refusals & {
  readonly decision: 'refused';
  /**
   * A rule said no; none applies, or none limits the amount, and the deployment refuses such orders
   * (`ON_NO_RULE`); or one of the
   * subjects is frozen.
   */
  readonly reason: 'rule' | 'no-rule' | 'frozen';
  /** Those that are frozen, with the reason `frozen`. */
  readonly frozen?: readonly Frozen[];
  /** With the reason `no-rule`: subject kinds that no rule knows. */
  readonly unknownKinds?: readonly UnknownKind[];
  readonly undecided?: never;
  readonly repeated: false;
  readonly limitReached: false;
  /** Every rule that applies. */
  readonly rules: readonly RuleReport[];
  readonly headroom: Headroom;
  readonly now: string;
};

/**
 * The store did not decide, and the deployment lets such orders pass (`ON_UNDECIDED=allow`). There is no
 * reservation; whether anything is held is unknown.
 */
export type UndecidedCheck = Refusals & {
  readonly decision: 'allowed';
  readonly undecided: true;
  readonly repeated: false;
  readonly state: 'none';
  readonly reservation?: never;
  readonly holdExpiresAt?: never;
  readonly limitReached: false;
  /** None: whether they apply was not asked. */
  readonly rules: readonly RuleReport[];
  readonly now: string;
};

/** What `check` answers. A refusal is an answer, not an error. */
export type CheckAnswer = AllowedCheck | RefusedCheck | UndecidedCheck;

/** By how much a rule's maximum is exceeded once a payment is counted. */
export type Excess = { readonly rule: string; readonly amount?: number; readonly count?: number };

/** What `confirm` answers. */
export type ConfirmAnswer = {
  readonly state: 'confirmed' | 'partlyRefunded' | 'refunded';
  /** In the repeat of what was refunded since, in minor units; null where the audit could not be read. */
  readonly refunded?: number | null;
  /** What may still be refunded. */
  readonly remaining?: number;
  readonly repeated: boolean;
  /** The hold had expired. The payment is counted all the same. */
  readonly late: boolean;
  /** Minor units. */
  readonly amount: number;
  /** What a late or larger payment exceeds; null where the rules could not be read. */
  readonly exceeded?: readonly Excess[] | null;
  /** Documents beside home in which a late payment may not be counted: `merchant:m-1`. */
  readonly uncounted?: readonly string[];
};

/** What `rollback` answers. */
export type RollbackAnswer = { readonly state: 'rolledBack'; readonly repeated: boolean };

/** What `refund` answers. Amounts are minor units. */
export type RefundAnswer = {
  readonly state: 'partlyRefunded' | 'refunded';
  readonly repeated: boolean;
  /** Of this refund. */
  readonly amount: number;
  /** Of the order, this refund included. */
  readonly refunded: number;
  /** What may still be refunded. */
  readonly remaining: number;
  /** Windows in which the payment counted: those that count still, and those that are over. */
  readonly windows: { readonly open: number; readonly over: number };
};

/** Rules as `report` asks: absent with `none`, without `title` and `subjects` unless it is `all`. */
type Shortened<Answer> = Answer extends unknown
  ? Omit<Answer, 'rules'> & {
      readonly rules?: readonly (RuleViolation & Partial<Pick<RuleReport, 'title' | 'subjects'>>)[];
    }
  : never;

/** What `check` answers with a `report`, and what `checks` answers of an order. */
export type ShortCheckAnswer = Shortened<CheckAnswer>;

/** What `check` answers with a `report`; everything, where nothing is said. */
export type CheckAnswerWith<Report extends ReportScope = 'all'> = [Report] extends ['all']
  ? CheckAnswer
  : ShortCheckAnswer;

/** One order of many whose call failed for it alone. */
export type OrderProblem = { readonly orderId: string; readonly problem: Problem };

/** What became of one order of many: its answer, or its problem. */
export type OrderResult<Answer> =
  | (Answer extends unknown
      ? { readonly orderId: string; readonly problem?: never } & Answer
      : never)
  | OrderProblem;

/** What `checks` answers. */
export type ChecksAnswer = {
  /** Every order was allowed. */
  readonly allAllowed: boolean;
  /** In the order given. */
  readonly results: readonly OrderResult<ShortCheckAnswer>[];
};

/** What `record` answers of one payment. */
export type RecordedPayment = {
  readonly state: 'confirmed';
  /** The same was recorded before; nothing changed. */
  readonly repeated: boolean;
  /** Minor units. */
  readonly amount: number;
  /** Ids of the rules in whose windows it counts. */
  readonly counted: readonly string[];
  /** Ids of the rules whose windows were over. */
  readonly over: readonly string[];
  /** What is exceeded now; empty in a repeat. */
  readonly exceeded: readonly Excess[];
};

/** What `record` answers. */
export type RecordAnswer = {
  /** In the order given. */
  readonly results: readonly OrderResult<RecordedPayment>[];
};

/** What `settlements` answers. */
export type SettlementsAnswer = {
  /** In the order given. */
  readonly results: readonly OrderResult<ConfirmAnswer | RollbackAnswer>[];
};
