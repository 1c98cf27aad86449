import type { Subjects, UnknownKind } from './requests.ts';

/** Minor units and a count; what a rule does not limit is absent. */
export type Quantity = { readonly amount?: number; readonly count?: number };

/** Over what a rule sums. Instants are RFC 3339 in UTC, spans ISO 8601 durations. */
export type RuleWindow =
  | {
      readonly kind: 'calendar';
      readonly unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';
      /** Where it is above 1. */
      readonly every?: number;
      readonly timeZone: string;
      readonly start: string;
      readonly end: string;
    }
  | {
      readonly kind: 'rolling';
      readonly span: string;
      /** `exact`, or a duration. */
      readonly step: string;
      readonly start: string;
      readonly end: string;
      /** By how much it may refuse too early; `PT0S` where the step is `exact`. */
      readonly maxEarlyRefusal: string;
    }
  | { readonly kind: 'lifetime' | 'transaction' };

/**
 * How a rule stands: room is left; nothing is left; it refuses; on trial (`-shadow`), it would have.
 */
export type RuleOutcome =
  | 'within'
  | 'reached'
  | 'exceeded'
  | 'below-minimum'
  | 'exceeded-shadow'
  | 'below-minimum-shadow';

/** How a rule stands, as an answer tells it that is not about all rules. */
export type RuleViolation = {
  /** Its id. */
  readonly rule: string;
  readonly mode: 'enforce' | 'shadow';
  readonly window: RuleWindow;
  readonly min?: Quantity;
  readonly max: Quantity;
  /** Where `max` is the subject's own, and not the rule's: why, until when (null: not said), and the rule's. */
  readonly override?: {
    readonly reason: string;
    readonly until: string | null;
    readonly own: Quantity;
  };
  /** In this window; absent for single transactions, as are `held` and `remaining`. */
  readonly used?: Quantity;
  readonly held?: Quantity;
  /** Never below zero. */
  readonly remaining?: Quantity;
  readonly outcome: RuleOutcome;
  /** Of a rule that says no: the first instant at which it alone would say yes; null for never. */
  readonly retryAt?: string | null;
};

/** How a rule stands that applies to an order. */
export type RuleReport = RuleViolation & {
  /** By language. */
  readonly title?: Readonly<Record<string, string>>;
  /** Those that it counts for. */
  readonly subjects: Subjects;
};

/** A maximum that depends on `type`, a subject or an attribute; `else` is that of all other values. */
export type MaximumBy = {
  readonly by: string;
  readonly values: Readonly<Record<string, number>>;
  readonly else?: number;
};

/** A subject of which every new check is refused. */
export type Frozen = {
  readonly subjects: Subjects;
  /** In the words of whoever froze it. */
  readonly reason: string;
  /** Null where nobody has said until when. */
  readonly until: string | null;
};

/** How a rule stands for a subject. */
export type RuleUsage = Omit<RuleReport, 'outcome'> & {
  /** `depends`: there is room in every maximum that is known; others depend on what nobody said. */
  readonly outcome: RuleOutcome | 'depends';
  readonly currency?: string;
  /** Maxima that depend on what nobody said; they are not in `max`. */
  readonly maxBy?: { readonly amount?: MaximumBy; readonly count?: MaximumBy };
  /** Of the maximum, 0 to 1 and above; null where a maximum is not known. */
  readonly share: number | null;
  /** When all that counts now has ended; null where the window is no calendar's. */
  readonly resetsAt: string | null;
};

/** What `usage` answers. */
export type UsageAnswer = {
  readonly subjects: Subjects;
  /** Those of kinds that no rule knows; absent where there are none. */
  readonly unknownKinds?: readonly UnknownKind[];
  /** Those of them that are frozen. */
  readonly frozen: readonly Frozen[];
  /** Every rule that counts for these subjects. */
  readonly rules: readonly RuleUsage[];
  readonly now: string;
  /** Where `stale` was said: everything that was written before is counted. */
  readonly asOf?: string;
};
