import type { Subjects } from './requests.ts';
import type { Frozen, RuleViolation } from './rules.ts';

/** How an order stands. `late` is confirmed after its hold had expired. */
export type OrderState =
  | 'held'
  | 'expired'
  | 'confirmed'
  | 'late'
  | 'partlyRefunded'
  | 'refunded'
  | 'rolledBack'
  | 'refused'
  | 'unknown';

/**
 * How a rule stood when it refused a check. `sentence` says why: in English, or in Chinese where a header
 * `Accept-Language` of the client prefers that.
 */
export type Refusal = Pick<
  RuleViolation,
  'rule' | 'window' | 'min' | 'max' | 'used' | 'held' | 'override'
> & {
  readonly sentence: string;
  readonly outcome: 'exceeded' | 'below-minimum';
  readonly currency?: string;
  /** Of the rule, as it was then: `rules.versions` has it. */
  readonly version?: number;
};

/** One thing that happened to an order. */
export type HistoryRow = {
  readonly at: string;
  readonly operation: 'check' | 'record' | 'confirm' | 'rollback' | 'refund';
  /** `held`, `confirmed`, `rolledBack`, `refunded`, `refused`, or the code of a problem. */
  readonly outcome: string;
  readonly refundId?: string;
  /** Minor units. */
  readonly amount?: number;
  readonly count?: number;
  readonly currency?: string;
  /** The hold had expired. */
  readonly late?: boolean;
  readonly reason?: string;
  readonly requestId?: string;
  /** Of a record: when the payment happened. */
  readonly happenedAt?: string;
  /** Ids of the rules that refused. */
  readonly violations?: readonly string[];
  /** How each of them stood: of the newest 10 refused checks. */
  readonly refusals?: readonly Refusal[];
  /** Of those, the subjects that were frozen. */
  readonly frozen?: readonly (Frozen & { readonly sentence: string })[];
};

/** What `status` answers. */
export type StatusAnswer = {
  readonly orderId: string;
  readonly state: OrderState;
  /** Held, counted, given back or refused, in minor units. */
  readonly amount?: number;
  /** Of what was counted, in minor units. */
  readonly refunded?: number;
  readonly currency?: string;
  readonly subjects?: Subjects;
  /** Of an order that is held. */
  readonly reservation?: string;
  readonly holdExpiresAt?: string;
  readonly now: string;
  /** The 100 newest, oldest first. */
  readonly history: readonly HistoryRow[];
};
