import type { Actor } from '../shared/actor.ts';
import type { SettledState } from '../shared/states.ts';
import type { UndecidedError } from '../shared/errors.ts';
import type { UnknownKinds } from '../rule/known-kinds.ts';
import type { Frozen } from '../plan/plan.ts';
import type { Excess } from './standing.ts';
import type { Headroom } from './report.ts';
import type { RuleReport } from './report.ts';
import type { Quantity } from '../rule/own-terms.ts';
import type { Subjects } from '../shared/request.ts';
import type { Untold } from '../rule/untold.ts';

/**
 * Why a check is refused; `refusedBy` of its report names the rule. `challenge`: it lacks proofs. `review`: it would
 * pass if a second person approved it; `rejected`: somebody has refused that.
 */
export type RefusalReason = 'rule' | 'challenge' | 'review' | 'rejected' | 'no-rule' | 'frozen';

/** Where a second person decides about an order. */
export type Review = {
  /** Its id. */
  readonly proposal: string;
  readonly state: 'open' | 'rejected';
  /** From then on nobody can approve it any more. */
  readonly until: Date;
};

/** The approval under which an order passes. */
export type Approved = { readonly proposal: string; readonly by: Actor };

/** What was refunded of a payment that is counted, and what is left of it; in minor units. */
export type Refunds = { readonly refundedMinor: number; readonly remainingMinor: number };

/** The part that fits of an order that takes it. */
export type Part = {
  /** Held, or counted by now. */
  readonly amountMinor: number;
  readonly askedMinor: number;
  /** Ids of the rules that left least. Empty if nothing was missing; absent in a repeat, for nobody keeps them. */
  readonly amountBy?: readonly string[] | undefined;
};

/** What `check` answers. A refusal is an answer, not an error. */
export type CheckAnswer =
  | {
      readonly kind: 'allowed';
      readonly repeated: boolean;
      /** `confirmed` where the amount was captured, or the order settled since. */
      readonly state: 'held' | 'confirmed' | 'none';
      readonly refunds?: Refunds | null;
      readonly reservation?: string;
      readonly holdExpiresAt?: Date | undefined;
      readonly part?: Part;
      readonly approval?: Approved;
      /** Of an order that is counted at once; see `ConfirmAnswer`. */
      readonly uncounted?: readonly string[] | undefined;
      /** Ids of the rules in force of which this order took the last. */
      readonly limitReachedBy: readonly string[];
      readonly exceeded: readonly Excess[];
      readonly rules: readonly RuleReport[];
      readonly headroom: Headroom;
      readonly now: Date;
    }
  | {
      readonly kind: 'refused';
      readonly reason: RefusalReason;
      /** The least that an order takes which takes what fits: its report is about that. */
      readonly leastMinor?: number;
      /** With the reason `challenge`: the proofs that the order lacks. */
      readonly challenges?: readonly string[];
      /** With the reasons `review` and `rejected`. Absent where it could not be stored, or is approved and others of the call are in the way. */
      readonly review?: Review;
      readonly frozen?: readonly Frozen[];
      /** With the reason `no-rule`, where it names subject kinds that no rule knows. */
      readonly unknownKinds?: UnknownKinds;
      readonly rules: readonly RuleReport[];
      readonly headroom: Headroom;
      readonly now: Date;
    }
  /** The store did not decide, and this deployment lets such transactions pass. Nothing is held. */
  | { readonly kind: 'undecided'; readonly now: Date; readonly cause: UndecidedError };

/** What `confirm` answers. */
export type ConfirmAnswer = {
  readonly repeated: boolean;
  readonly late: boolean;
  readonly amountMinor: number;
  /** With a repeat only. Absent if there are none, null if the audit could not be read; the payment counts. */
  readonly refunds?: Refunds | null;
  /** Only by a late or larger confirm. Absent if the rules could not be read or do not say; the payment counts. */
  readonly exceeded?: readonly Excess[];
  /** Documents beside home that may not count it: its share expired there, and had to go before. */
  readonly uncounted?: readonly string[];
};

/** What `record` answers of one order. The payment is counted, whatever the maxima. */
export type RecordAnswer = {
  readonly kind: 'recorded';
  readonly state: SettledState;
  readonly repeated: boolean;
  readonly amountMinor: number;
  readonly counted: readonly string[];
  /** Ids of the rules whose windows were over: nothing is counted there any more. */
  readonly over: readonly string[];
  /** Maxima that are exceeded now; empty in a repeat. */
  readonly exceeded: readonly Excess[];
};

/** What `rollback` answers. */
export type RollbackAnswer = { readonly repeated: boolean };

/** How a rule stands, as far as its maximum is known; the rest depends on what nobody said. */
export type RuleUsage = RuleReport & {
  /** Outside the times of the rule: when it is in effect next; null for never. */
  readonly beginsAt?: Date | null;
  readonly untold?: Untold;
  /** In place of the subject's own maximum: what the rule has, known and untold. */
  readonly own?: { readonly max: Quantity; readonly untold?: Untold };
  /** What the subject's own terms make of the maximum later, in the order of time. */
  readonly later?: readonly {
    readonly from: Date;
    readonly max: Quantity;
    readonly untold?: Untold;
  }[];
};

/** What `usage` answers: every rule that counts for these subjects, as it stands. */
export type UsageAnswer = {
  readonly subjects: Subjects;
  readonly rules: readonly RuleUsage[];
  /** Rules whose window begins with an instant that nobody said, and the attribute that says it. Absent if there is none. */
  readonly withoutInstant?: readonly { readonly rule: string; readonly attribute: string }[];
  readonly unknownKinds?: UnknownKinds;
  /** Kinds whose subject has no document. Absent if there is none. */
  readonly unseen?: readonly string[];
  readonly frozen: readonly Frozen[];
  readonly now: Date;
  /** Where it may be behind: everything that was written before this instant is counted. */
  readonly asOf?: Date;
};

/** What `refund` answers; a repeat is answered as the first was. */
export type RefundAnswer = {
  readonly repeated: boolean;
  readonly amountMinor: number;
  readonly refundedMinor: number;
  readonly remainingMinor: number;
  /** Of the windows in which the payment was counted: those that count still, and those that are over. */
  readonly windows: { readonly open: number; readonly over: number };
};

/** What one of many settlements is answered. */
export type SettlementAnswer =
  | ({ readonly kind: 'confirmed' } & ConfirmAnswer)
  | ({ readonly kind: 'rolledBack' } & RollbackAnswer);
