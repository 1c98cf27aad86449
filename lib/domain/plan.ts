import type { Period } from './calendar.ts';
import type { Rule } from './rule.ts';
import type { Freeze, Terms } from './terms.ts';

/** Where the bucket of a counter lies: fixed by the plan, or found by the database's clock. */
export type BucketPlan =
  | {
      readonly kind: 'fixed';
      readonly start: Date;
      readonly until: Date;
      /** One step of a rolling window of which others count, too: the window's sum is that of all. */
      readonly isStep?: true;
    }
  | { readonly kind: 'stepped'; readonly stepMs: number; readonly keepMs: number };

/** What a check does to one counter: the tightest maxima of all rules that share it. */
export type CounterPlan = {
  readonly key: string;
  readonly bucket: BucketPlan;
  /** Whether the counter has a currency, without which a sum of amounts means nothing. */
  readonly sumsAmounts: boolean;
  readonly maxAmountMinor: number;
  readonly maxCount: number;
  /** Only shadow rules use it: it is entered while there is room, and never refuses. */
  readonly shadow: boolean;
};

/** A rule that applies, and the counter in which it counts. */
export type AppliedRule =
  | { readonly kind: 'single'; readonly rule: Rule }
  | {
      readonly kind: 'counted';
      readonly rule: Rule;
      readonly documentId: string;
      readonly counter: string;
    };

/** A subject of a check that is frozen. */
export type Frozen = { readonly kind: string; readonly id: string; readonly freeze: Freeze };

/** What a check does while the database's clock lies in `[from, until)`. */
export type Plan = {
  readonly from: Date;
  readonly until: Date;
  readonly rules: readonly AppliedRule[];
  /** Rules whose sum it enters, those among them whose maximum is not asked for it. */
  readonly entered: readonly AppliedRule[];
  /** Which rule must apply to an order, or it is refused. */
  readonly needsRule: NeededRule;
  /** Subjects that are frozen. */
  readonly frozen: readonly Frozen[];
  /**
   * A subject is frozen, a rule for single transactions says no, or no rule applies where one has to:
   * nothing may be held, whatever the counters say.
   */
  readonly barred: boolean;
  /** By document `_id`. */
  readonly counters: ReadonlyMap<string, readonly CounterPlan[]>;
};

/** A check, worked out as far as it can be without the database. */
export type CheckPlan = {
  /** Subject kinds whose documents are visited, in that order; home is the first. */
  readonly kinds: readonly [string, ...string[]];
  /** The documents of these kinds. */
  readonly documents: readonly [string, ...string[]];
  /** Neighbouring, without overlap; more than one only near a boundary. */
  readonly plans: readonly Plan[];
  /** The terms that the plans were made under, by document: each must still have them. */
  readonly terms: TermsByDocument;
};

/** Terms of subjects, by document `_id`; of most there are none. */
export type TermsByDocument = ReadonlyMap<string, Terms>;

/** What a deployment says of all checks. */
export type PlanSettings = {
  /** Kinds that are preferred as home, in order. */
  readonly homeKinds: readonly string[];
  /** Kinds whose document every check asks that names one, whatever rules there are. */
  readonly askedKinds: readonly string[];
  /** Which rule must apply to an order, or it is refused. */
  readonly needsRule: NeededRule;
};

/**
 * Which rule must apply to an order, in force or on trial: none, any, or one that limits amounts in its
 * currency. An order of no amount needs any.
 */
export type NeededRule = 'none' | 'any' | 'amount';

/** By what becomes of an order without the rule that it needs: which one that is. */
export const NEEDED_RULES = {
  refuse: 'any',
  'refuse-unlimited': 'amount',
  allow: 'none',
} as const satisfies Readonly<Record<string, NeededRule>>;
/** What becomes of an order without the rule that it needs. */
export type OnNoRule = keyof typeof NEEDED_RULES;

/** The window or step of a counter that an order enters at an instant. */
export function bucketAt(bucket: BucketPlan, at: Date): Period {
  if (bucket.kind === 'fixed') return { start: bucket.start, until: bucket.until };
  const startMs = Math.floor(at.getTime() / bucket.stepMs) * bucket.stepMs;
  return { start: new Date(startMs), until: new Date(startMs + bucket.keepMs) };
}

/** The plan in which an instant lies. */
export function planFor(check: CheckPlan, at: Date): Plan | undefined {
  return check.plans.find((plan) => plan.from <= at && at < plan.until);
}

/** Rules that apply or are entered, over all plans. */
export function rulesIn(check: CheckPlan): number {
  return Math.max(...check.plans.map(({ rules, entered }) => new Set([...rules, ...entered]).size));
}

/**
 * Says whether an order is refused at an instant because the rule that it needs does not apply to it
 * then. One whose sum it would only enter limits nothing.
 */
export function isUnruled(
  { needsRule, rules }: Pick<Plan, 'needsRule' | 'rules'>,
  { amountMinor }: { readonly amountMinor: number },
): boolean {
  if (needsRule === 'none') return false;
  if (needsRule === 'any' || amountMinor === 0) return rules.length === 0;
  return !rules.some(({ rule }) => limitsAmount(rule));
}

/** A subject's own maximum that is none was given by somebody who looked at the amount. */
function limitsAmount({ max, override }: Rule): boolean {
  return (override?.own.amountMinor ?? max.amountMinor) !== undefined;
}
