import type { Lacking } from '../rule/require.ts';
import type { CounterKind } from '../counter/kind.ts';
import type { Rule } from '../rule/rule.ts';
import { limitsAmount } from '../rule/rule.ts';
import type { Freeze, Terms } from '../rule/own-terms.ts';
import type { DocumentPlan } from '../document/document-plan.ts';
import type { CheckRequest } from '../shared/request.ts';

/** A rule that applies, and the counter in which it counts. */
export type AppliedRule =
  | {
      readonly kind: 'single';
      readonly rule: Rule;
      readonly isStrict: boolean;
      readonly counting: CounterKind;
      /** None. */
      readonly counter: '';
      readonly stands: '';
    }
  | {
      readonly kind: 'counted';
      readonly rule: Rule;
      /** It refuses an order that does not fit. */
      readonly isStrict: boolean;
      readonly counting: CounterKind;
      readonly counter: string;
      /** The kind of the documents that have it. */
      readonly stands: string;
      /** Absent of a rolling window, which ends at the instant that is asked. */
      readonly window?: { readonly start: Date; readonly end: Date };
    };

/** A subject of a check that is frozen. */
export type Frozen = { readonly kind: string; readonly id: string; readonly freeze: Freeze };

/**
 * What checks do that meet the same rules, while the database's clock lies in `[from, until)`. It is made once
 * for all of them, so it says nothing of an order or of the subjects that have the documents.
 */
export type Plan = {
  readonly from: Date;
  readonly until: Date;
  /** The newest revision of a set that made a rule what it is; undefined of rules that are not stored. */
  readonly revision: number | undefined;
  readonly rules: readonly AppliedRule[];
  readonly singles: readonly Rule[];
  readonly concerned: number;
  readonly needsRule: NeededRule;
  readonly frozen: readonly Frozen[];
  /** Rules that require what the order does not have: it is not decided. */
  readonly lacking: readonly Lacking[];
  readonly outlook: Outlook;
  readonly byKind: ReadonlyMap<string, DocumentPlan>;
};

/** Rules that are in effect now, or may be later, as far as they apply to the order. */
export type Outlook = {
  /** In the order of the rules; those of the plan are among them. */
  readonly rules: readonly AppliedRule[];
  /** Rules that require what the order does not have. */
  readonly lacking: readonly Rule[];
};

/** A check, worked out as far as it can be without the database. */
export type CheckPlan = {
  /** The kinds of the documents that are visited, in that order; home is the first. */
  readonly kinds: readonly [string, ...string[]];
  readonly documents: readonly [string, ...string[]];
  /** Neighbouring, without overlap; more than one only near a boundary. */
  readonly plans: readonly Plan[];
  /** A name is missing, a subject is frozen, a rule for single transactions says no, or no rule applies where one has to. */
  readonly barred: readonly Plan[];
  /** The terms that the plans were made under, by document: each must still have them. */
  readonly terms: ReadonlyMap<string, Terms>;
};

/** What a deployment says of all checks. */
export type PlanSettings = {
  readonly homeKinds: readonly string[];
  readonly askedKinds: readonly string[];
  readonly needsRule: NeededRule;
};

/** In force or on trial. `amount` limits amounts in the order's currency; an order of no amount needs any. */
export type NeededRule = 'none' | 'any' | 'amount';

/** By what becomes of an order without the rule that it needs: which one that is. */
export const NEEDED_RULES = {
  refuse: 'any',
  'refuse-unlimited': 'amount',
  allow: 'none',
} as const satisfies Readonly<Record<string, NeededRule>>;
/** What becomes of an order without the rule that it needs. */
export type OnNoRule = keyof typeof NEEDED_RULES;

/** What a document is asked in a plan; one without counters is asked whether it knows the order. */
export function documentPlanIn({ from, until, byKind }: Plan, kind: string): DocumentPlan {
  return byKind.get(kind) ?? { from, until, counters: [] };
}

/** Between which amounts rules for single transactions let an order pass. */
export function singleRoom({ singles }: Pick<Plan, 'singles'>) {
  let [leastMinor, mostMinor] = [0, Infinity];
  for (const { min, max } of singles) {
    leastMinor = Math.max(leastMinor, min.amountMinor ?? 0);
    mostMinor = Math.min(mostMinor, max.amountMinor ?? Infinity);
  }
  return { leastMinor, mostMinor };
}

/** The most of an order that may pass in a plan: all of it, unless it takes less, and single transactions may have less. */
export function mostIn(
  plan: Pick<Plan, 'singles'>,
  { amountMinor, leastMinor }: Pick<CheckRequest, 'amountMinor' | 'leastMinor'>,
): number {
  if (leastMinor === undefined) return amountMinor;
  const { mostMinor } = singleRoom(plan);
  return mostMinor < leastMinor ? amountMinor : Math.min(amountMinor, mostMinor);
}

/** The least of an order that passes in a plan if it has room: all of it, unless it takes less. */
export function leastIn(
  plan: Pick<Plan, 'singles'>,
  { amountMinor, leastMinor = amountMinor }: Pick<CheckRequest, 'amountMinor' | 'leastMinor'>,
): number {
  return Math.min(amountMinor, Math.max(leastMinor, singleRoom(plan).leastMinor));
}

/** Says whether the needed rule is missing. A rule whose sum the order would only enter limits nothing. */
export function isUnruled(
  {
    needsRule,
    rules,
  }: Pick<Plan, 'needsRule'> & {
    readonly rules: readonly { readonly rule: Parameters<typeof limitsAmount>[0] }[];
  },
  { amountMinor }: { readonly amountMinor: number },
): boolean {
  if (needsRule === 'none') return false;
  if (needsRule === 'any' || amountMinor === 0) return rules.length === 0;
  return !rules.some(({ rule }) => limitsAmount(rule));
}
