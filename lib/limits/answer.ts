import type * as orders from '../../contract/orders.ts';
import type { review } from '../../contract/reviews.ts';
import type { Told } from '../../contract/words.ts';
import type { Actor } from '../shared/actor.ts';
import type { UndecidedError } from '../shared/errors.ts';
import type { UnknownKinds } from '../rule/known-kinds.ts';
import type { Frozen } from '../plan/plan.ts';
import type { Excess } from './standing.ts';
import type { Headroom, RuleReport } from './report.ts';
import type { Quantity } from '../rule/own-terms.ts';
import type { Subjects } from '../shared/request.ts';
import type { Untold } from '../rule/untold.ts';

/**
 * Why a check is refused; `refusedBy` of its report names the rule. `challenge`: it lacks proofs. `review`: it would
 * pass if a second person approved it; `rejected`: somebody has refused that.
 */
export type RefusalReason = 'rule' | 'challenge' | 'review' | 'rejected' | 'no-rule' | 'frozen';

/** Where a second person decides about an order. */
export type Review = Told<typeof review>;

/** The approval under which an order passes. */
export type Approved = { readonly proposal: string; readonly by: Actor };

/** A repeat has these if the order was refunded since. `refunded` is null if the audit could not be read. */
export type Refunds = Pick<ConfirmAnswer, 'refunded' | 'remaining'>;

/** An order that takes the part that fits has these. */
export type Part = {
  /** Held, or counted by now. */
  readonly amount: number;
  readonly asked: number;
  /** Ids of the rules that left least. Empty if nothing was missing; absent in a repeat, for nobody keeps them. */
  readonly amountBy?: readonly string[] | undefined;
};

/** What `check` answers. A refusal is an answer, not an error. */
export type CheckAnswer =
  | (Refunds & {
      readonly kind: 'allowed';
      readonly repeated: boolean;
      /** `confirmed` where the amount was captured, or the order settled since. */
      readonly state: 'held' | ConfirmAnswer['state'] | 'none';
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
    })
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

/** The answer of `confirm`. `exceeded` is null if the rules could not be read or do not say; the payment counts. */
export type ConfirmAnswer = Told<typeof orders.confirmAnswer>;

/** The answer of `record` about one order. The payment is counted, whatever the maxima. */
export type RecordAnswer = Omit<Told<typeof orders.recorded>, 'orderId'>;

/** The answer of `rollback`. */
export type RollbackAnswer = Told<typeof orders.rollbackAnswer>;

/** The answer of `refund`; a repeat is answered as the first was. */
export type RefundAnswer = Told<typeof orders.refundAnswer>;

/** The answer to one of many settlements. */
export type SettlementAnswer = ConfirmAnswer | RollbackAnswer;

/** How a rule stands, as far as its maximum is known; the rest depends on what nobody said. */
export type RuleUsage = RuleReport & {
  /** Outside the times of the rule: when it is in effect next; null for never. */
  readonly beginsAt?: Date | null | undefined;
  readonly untold?: Untold;
  /** In place of the subject's own maximum: what the rule has, known and untold. */
  readonly own?: { readonly max: Quantity; readonly untold?: Untold } | undefined;
  /** What the subject's own terms make of the maximum later, in the order of time. */
  readonly later?:
    | readonly {
        readonly from: Date;
        readonly max: Quantity;
        readonly untold?: Untold;
      }[]
    | undefined;
};

/** What `usage` answers: every rule that counts for these subjects, as it stands. */
export type UsageAnswer = {
  readonly subjects: Subjects;
  readonly rules: readonly RuleUsage[];
  /** Rules whose window begins with an instant that nobody said, and the attribute that says it. Absent if there is none. */
  readonly withoutInstant?:
    | readonly { readonly rule: string; readonly attribute: string }[]
    | undefined;
  readonly unknownKinds?: UnknownKinds | undefined;
  /** Kinds whose subject has no document. Absent if there is none. */
  readonly unseen?: readonly string[] | undefined;
  readonly frozen: readonly Frozen[];
  readonly now: Date;
  /** Where it may be behind: everything that was written before this instant is counted. */
  readonly asOf?: Date | undefined;
};
