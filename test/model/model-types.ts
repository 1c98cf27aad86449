/**
 * The words in which cases, walks and the model speak: rules, requests and answers as plain
 * values, already parsed. They are written from the specification and owe nothing to `lib/`, so
 * that an adapter between the two has to say what it believes both sides mean.
 */

/** The parts of a sum: whole minor units, and a number of transactions. */
export type ModelSum = { readonly amount: number; readonly count: number };

/** A maximum or minimum. Zero is a value, absence means no bound. */
export type ModelBound = { readonly amount?: number; readonly count?: number };

/** A natural period of an IANA zone. `dayStart` is "HH:mm" local time. */
export type ModelCalendarWindow = {
  readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
  readonly every?: number;
  readonly timeZone: string;
  readonly dayStart?: string;
  readonly weekStart?: ModelWeekday;
  readonly monthDay?: number;
  /** Days, one by one, that belong to the next open one. */
  readonly closed?: { readonly days?: readonly ModelWeekday[]; readonly dates?: readonly string[] };
  /** Its periods begin on the date of this instant. Then it has no week start or month day. */
  readonly since?: ModelSince;
};

/** An instant that orders say in an attribute. `at` is there once a rule is looked at for one order; milliseconds. */
export type ModelSince = { readonly attribute: string; readonly at?: number };

/** The one time that begins with an instant. */
export type ModelSinceWindow = { readonly since: ModelSince; readonly forMs: number };

export type ModelWeekday =
  | 'monday'
  | 'tuesday'
  | 'wednesday'
  | 'thursday'
  | 'friday'
  | 'saturday'
  | 'sunday';

/** A span that slides; kept in steps of `stepMs`, or exactly (a step of one millisecond). */
export type ModelRollingWindow = { readonly rollingMs: number; readonly stepMs: number | 'exact' };

export type ModelWindow =
  | 'transaction'
  | 'lifetime'
  | ModelCalendarWindow
  | ModelRollingWindow
  | ModelSinceWindow;

/** What a `match` compares with: exactly, so that the string "1" is not the number 1. */
export type ModelMatchValue = string | number | boolean;

/** Names to the values that match. */
export type ModelMatch = Readonly<Record<string, ModelMatchValue | readonly ModelMatchValue[]>>;
/** All of `is`, and none of `not`. */
export type ModelScope = { readonly is?: ModelMatch; readonly not?: ModelMatch };
/** What becomes of an order that no rule applies to; or, beside that, whose amount none limits. */
export type ModelNoRule = 'refuse' | 'refuse-unlimited' | 'allow';

/** A maximum for each value of what is named. */
export type ModelMaxBy = {
  readonly name: string;
  readonly of: 'amount' | 'count';
  readonly values: Readonly<Record<string, number>>;
};

/** The times at which a rule is in effect, as in a rule file. The zone only where the window has none. */
export type ModelTimes = {
  readonly hours?: readonly string[];
  readonly days?: readonly ModelWeekday[];
  readonly dates?: readonly string[];
  readonly timeZone?: string;
};

/** It passes and is told of; or it is refused, unless a second person approves it, or it has a proof. */
export type ModelOnExceed = 'notify' | 'review' | { readonly challenge: string };

/** What may become of an order. */
export type ModelEnd = 'confirmed' | 'rolledBack' | 'expired';

/** One configured limit. `from` and `to` are half-open; `min` only with a transaction window. */
export type ModelRule = {
  readonly id: string;
  readonly per: readonly [string, ...string[]];
  /** `many`: its subjects have a document together. Default: the first one's document has the counter. */
  readonly counterparts?: 'few' | 'many';
  readonly currency?: string;
  /** Short for `counts`: what enters the sum is all that the maximum is asked for. */
  readonly match?: ModelMatch;
  readonly counts?: ModelScope;
  /** Of what is counted, what the maximum is asked for. */
  readonly appliesTo?: ModelScope;
  /** Orders that do not count, and lower the sum once they are confirmed. */
  readonly minus?: ModelScope;
  /**
   * What must become of an order for it to count. Default: it is confirmed. `ended`: it is confirmed or rolled back. A
   * hold that nobody settled in time `expired`, until its order is settled late.
   */
  readonly outcome?: 'rolledBack' | 'ended' | readonly ModelEnd[];
  /** Of those that are rolled back, only the ones with such a code count. */
  readonly reasonCodes?: readonly string[];
  readonly window: ModelWindow;
  readonly when?: ModelTimes;
  readonly min?: ModelBound;
  readonly max: ModelBound;
  /** In place of the maximum, where the transaction has one of the values. */
  readonly maxBy?: ModelMaxBy;
  /** The maximum count is one of different values that orders have under this name. */
  readonly distinct?: string;
  /** Names of subject kinds, attributes or `type` that an order must have which it counts, or would count with them. */
  readonly require?: readonly string[];
  readonly mode: 'draft' | 'shadow' | 'enforce' | 'retired';
  /** What becomes of an order above the maximum. Default: it is refused. With a challenge, unless it has the proof. */
  readonly onExceed?: ModelOnExceed;
  /** The sums that a refund gives back here. Default: both. */
  readonly refunds?: { readonly amount?: boolean; readonly count?: boolean };
  readonly from?: Date;
  readonly to?: Date;
  /** Rules that count the same share a counter where this is the same, too. */
  readonly generation?: number;
};

/** A subject's own maximum of a rule, in place of the rule's; null is none. Half-open. */
export type ModelOverride = {
  readonly rule: string;
  readonly max: { readonly amount?: number | null; readonly count?: number | null };
  readonly from?: Date;
  readonly until?: Date;
};

export type ModelTerms = {
  readonly frozen?: { readonly from?: Date; readonly until?: Date };
  /** Each lies above those before it, with the sums that it says. */
  readonly overrides?: readonly ModelOverride[];
};

/** A rule with the maximum that it has now, and those that it has from later instants on, in their order. */
export type RuleInForce = ModelRule & {
  readonly later?: readonly { readonly at: Date; readonly max: ModelBound }[];
};

/** The application whose order it is, before a slash of its id: `wallet/o-1`. */
export function appOf(orderId: string): string {
  const [app = '', ...id] = orderId.split('/');
  return id.length > 0 ? app : 'default';
}

/** A request of check. All but the proofs and the percentage is the content that a repeat must carry again. */
export type ModelCheck = {
  readonly orderId: string;
  readonly type?: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly amount: number;
  readonly currency: string;
  readonly count: number;
  readonly attributes: Readonly<Record<string, ModelMatchValue>>;
  readonly holdMs: number;
  readonly capture: boolean;
  /** Where the whole amount does not fit: take what fits, if it is so much. */
  readonly partial?: { readonly min: number };
  /** What the payer has proven. */
  readonly proofs?: readonly string[];
  /** Of the holds that may be open in one document, the percentage that its application may have. Default: 100. */
  readonly openPercent?: number;
  /** By rule: the sum that a second person has approved. The model's own; no request says it. */
  readonly passes?: Readonly<Record<string, ModelBound>>;
};

/** A request of confirm. `subjects` are those of the check; `amount` is the final one, if it differs. */
export type ModelConfirm = {
  readonly orderId: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly amount?: number;
};

export type ModelRollback = {
  readonly orderId: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly reasonCode?: string;
};

/**
 * One applying rule as it stands after the call. `remaining` has a field for each maximum of the
 * rule, never below zero. `used.amount` and `held.amount` are 0 for a rule without currency, and
 * everything used and held is 0 for a transaction window, which keeps no counter.
 * `retryAt` is there only where the outcome is `exceeded` or `below-minimum`; `null` means never.
 */
export type ModelRuleAnswer = {
  readonly rule: string;
  readonly used: ModelSum;
  readonly held: ModelSum;
  readonly remaining: ModelBound;
  readonly outcome:
    | 'within'
    | 'reached'
    | 'exceeded'
    | 'below-minimum'
    | 'exceeded-shadow'
    | 'exceeded-notify'
    | 'exceeded-proven'
    | 'below-minimum-shadow';
  readonly retryAt?: Date | null;
};

/** The largest amount that would pass now (`null`: unlimited), when this ask would pass, and the rules that say so. */
export type ModelHeadroom = {
  readonly amount: number | null;
  readonly amountBy: readonly string[];
  readonly earliestAt: Date | null;
  readonly earliestBy: readonly string[];
};

export type ModelCheckAnswer =
  | {
      readonly kind: 'allowed';
      readonly repeated: boolean;
      readonly state: 'held' | 'confirmed';
      /** Only where the state is `held`. */
      readonly holdExpiresAt?: Date;
      /** The review by which it passes. */
      readonly approval?: number;
      /** Only of an order that takes what fits. */
      readonly part?: ModelPart;
      /** The ids of the enforced rules of which nothing is left, in the order of the rules. */
      readonly limitReachedBy: readonly string[];
      /** Maxima above which rules only tell, by how much they are exceeded. */
      readonly notified: readonly ModelExcess[];
      readonly rules: readonly ModelRuleAnswer[];
      readonly headroom: ModelHeadroom;
    }
  | {
      readonly kind: 'refused';
      /** A subject is frozen; a rule says no, or says no without a proof; or no rule applies, and the deployment refuses such orders. */
      readonly reason: 'frozen' | 'rule' | 'no-rule' | 'challenge' | 'review' | 'rejected';
      /** With the last two: which review of the order it is, counted from 1. */
      readonly review?: number;
      /** With the reason `challenge`: the proofs that are missing, in the order of the rules; each once. */
      readonly challenges: readonly string[];
      /** The ids of the enforced rules that this ask does not fit, in the order of the rules. */
      readonly exceeded: readonly string[];
      readonly rules: readonly ModelRuleAnswer[];
      readonly headroom: ModelHeadroom;
    }
  | { readonly kind: 'orderReused' }
  | { readonly kind: 'alreadyRolledBack' }
  /** Names that rules in force require, in the order of the rules; each once. */
  | { readonly kind: 'incompleteOrder'; readonly missing: readonly string[] }
  | { readonly kind: 'tooManyOpenHolds' };

/** The part that an order has got, and the rules that left no more; those not in a repeat. */
export type ModelPart = {
  readonly amount: number;
  readonly asked: number;
  readonly amountBy?: readonly string[];
};

/** By how much an enforced maximum is exceeded after a confirm. */
export type ModelExcess = {
  readonly rule: string;
  readonly amount?: number;
  readonly count?: number;
};

export type ModelConfirmAnswer =
  | {
      readonly kind: 'confirmed';
      readonly repeated: boolean;
      readonly late: boolean;
      readonly amount: number;
      readonly exceeded: readonly ModelExcess[];
    }
  | { readonly kind: 'alreadyConfirmed' }
  | { readonly kind: 'alreadyRolledBack' }
  | { readonly kind: 'notFound' };

/** What a second person says of the newest review of an order. */
export type ModelDecision = {
  readonly orderId: string;
  readonly decision: 'approved' | 'rejected' | 'withdrawn';
  /** How long an approval holds. */
  readonly forMs: number;
};

export type ModelDecisionAnswer = { readonly kind: 'decided' | 'closed' | 'noReview' };

export type ModelRecord = Omit<ModelCheck, 'holdMs' | 'capture'> & {
  readonly at: Date;
  /** It did not succeed, for what reason. */
  readonly failed?: { readonly reasonCode?: string };
};

export type ModelRecordAnswer =
  | {
      readonly kind: 'recorded';
      readonly repeated: boolean;
      /** Rules in whose windows it counts, and those whose windows are over. */
      readonly counted: readonly string[];
      readonly over: readonly string[];
      readonly exceeded: readonly ModelExcess[];
    }
  | { readonly kind: 'orderReused' };

export type ModelRollbackAnswer =
  | { readonly kind: 'rolledBack'; readonly repeated: boolean }
  | { readonly kind: 'alreadyConfirmed' }
  | { readonly kind: 'notFound' };

/** A refund; of all that is left where it has no amount. */
export type ModelRefund = ModelConfirm & { readonly refundId: string };

export type ModelRefundAnswer =
  | {
      readonly kind: 'refunded';
      readonly repeated: boolean;
      readonly amount: number;
      /** Of the order, this refund included and later ones not. */
      readonly refunded: number;
    }
  | { readonly kind: 'notFound' }
  | { readonly kind: 'notConfirmed' }
  | { readonly kind: 'alreadyRolledBack' }
  | { readonly kind: 'refundReused' }
  | { readonly kind: 'refundTooLarge' };

export type ModelStatus = {
  readonly state:
    | 'held'
    | 'expired'
    | 'confirmed'
    | 'late'
    | 'partlyRefunded'
    | 'refunded'
    | 'rolledBack';
  readonly amount: number;
  readonly refunded: number;
};

export type ModelUsage = {
  readonly rule: string;
  /** Maxima that are known by what was asked. */
  readonly max: ModelBound;
  readonly used: ModelSum;
  readonly held: ModelSum;
};

export type ModelAnswer =
  | ModelCheckAnswer
  | ModelConfirmAnswer
  | ModelRollbackAnswer
  | ModelRecordAnswer
  | ModelDecisionAnswer;

/**
 * Anything that a case or a walk can be played against: the model, the planner, the service on a
 * database. `now` stands in for the database's clock and never goes back. `useRules` replaces the
 * whole rule set, as an operator would; counters stay. `useTerms` replaces all terms of a subject.
 */
export interface LimitsUnderTest {
  useRules(rules: readonly ModelRule[]): Promise<void>;
  useTerms(kind: string, id: string, terms: ModelTerms, now: Date): Promise<void>;
  check(request: ModelCheck, now: Date): Promise<ModelCheckAnswer>;
  confirm(request: ModelConfirm, now: Date): Promise<ModelConfirmAnswer>;
  rollback(request: ModelRollback, now: Date): Promise<ModelRollbackAnswer>;
  record(request: ModelRecord, now: Date): Promise<ModelRecordAnswer>;
  decide(request: ModelDecision, now: Date): Promise<ModelDecisionAnswer>;
}
