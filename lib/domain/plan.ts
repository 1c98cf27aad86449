import { CLOCK_TOLERANCE_MS, COUNTER_SUM_MAX, NEVER, PLANS_MAX } from './bounds.ts';
import type { Period } from './calendar.ts';
import { counterKey } from './counter.ts';
import type { CheckRequest } from './request.ts';
import type { Rule } from './rule.ts';
import { EXACT_STEP_MS, counts, inEffect, isAsked, ruleFor } from './rule.ts';
import { outsideSingle } from './single.ts';
import { documentId, homeKind, visitOrder } from './subject.ts';
import { bucketPeriod, rollingKeepMs } from './window.ts';

/** Where the bucket of a counter lies: fixed by the plan, or found by the database's clock. */
export type BucketPlan =
  | { readonly kind: 'fixed'; readonly start: Date; readonly until: Date }
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

/** What a check does while the database's clock lies in `[from, until)`. */
export type Plan = {
  readonly from: Date;
  readonly until: Date;
  readonly rules: readonly AppliedRule[];
  /** Rules whose sum it enters, those among them whose maximum is not asked for it. */
  readonly entered: readonly AppliedRule[];
  /** Whether an order is refused where no rule applies to it. */
  readonly needsRule: boolean;
  /**
   * A rule for single transactions says no, or no rule applies where one has to: nothing may be held,
   * whatever the counters say.
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
};

/**
 * Works out what a check does for every instant near the estimated one.
 *
 * The database's clock decides; this only proposes. A plan holds between two boundaries (the ends of
 * windows, and of rules), so one is enough unless a boundary is within CLOCK_TOLERANCE_MS.
 *
 * @param estimate the caller's best idea of the database's clock
 * @param needsRule whether an order is refused where no rule applies to it, in force or on trial
 */
export function planCheck(
  rules: readonly Rule[],
  request: CheckRequest,
  homeKinds: readonly string[],
  estimate: Date,
  needsRule: boolean,
): CheckPlan {
  const matching = rules.flatMap((rule) =>
    counts(rule, request)
      ? [{ rule: ruleFor(rule, request), isAsked: isAsked(rule, request) }]
      : [],
  );
  const at = (instant: Date): Plan => planAt(matching, request, instant, needsRule);
  const plans = [at(estimate)];
  const earliest = estimate.getTime() - CLOCK_TOLERANCE_MS;
  const latest = estimate.getTime() + CLOCK_TOLERANCE_MS;
  for (let first = plans[0]; first && plans.length < PLANS_MAX / 2; first = plans[0]) {
    if (first.from.getTime() <= earliest) break;
    plans.unshift(at(new Date(first.from.getTime() - 1)));
  }
  for (let last = plans.at(-1); last && plans.length < PLANS_MAX; last = plans.at(-1)) {
    if (last.until.getTime() > latest) break;
    plans.push(at(last.until));
  }
  const kinds = kindsOf(plans, request, homeKinds);
  const idOf = (kind: string): string => documentId(kind, request.subjects[kind] ?? '');
  const [home, ...others] = kinds;
  return { kinds, documents: [idOf(home), ...others.map(idOf)], plans };
}

/** The plan in which an instant lies. */
export function planFor(check: CheckPlan, at: Date): Plan | undefined {
  return check.plans.find((plan) => plan.from <= at && at < plan.until);
}

/** Rules that apply or are entered, over all plans. */
export function rulesIn(check: CheckPlan): number {
  return Math.max(...check.plans.map(({ rules, entered }) => new Set([...rules, ...entered]).size));
}

function kindsOf(
  plans: readonly Plan[],
  request: CheckRequest,
  homeKinds: readonly string[],
): readonly [string, ...string[]] {
  const owners = plans.flatMap((plan) => plan.entered.map(({ rule }) => rule.per[0]));
  return visitOrder(request.subjects, owners, homeKind(request.subjects, homeKinds));
}

/**
 * Says whether an order is refused at an instant because no rule applies to it then. One whose sum it
 * would only enter limits nothing.
 */
export function isUnruled({ needsRule, rules }: Pick<Plan, 'needsRule' | 'rules'>): boolean {
  return needsRule && rules.length === 0;
}

/** A rule whose sum a transaction enters, and whether its maximum is asked for it. */
type Concerned = { readonly rule: Rule; readonly isAsked: boolean };

function planAt(
  matching: readonly Concerned[],
  request: CheckRequest,
  at: Date,
  needsRule: boolean,
): Plan {
  const applying = matching.filter(({ rule }) => inEffect(rule, at));
  const bounds = [
    ...matching.map(({ rule }) => effectPeriod(rule, at)),
    ...applying.flatMap(({ rule }) => fixedPeriod(rule, at)),
  ];
  const all = applying.map((one) => ({ ...one, applied: applied(one.rule, request) }));
  const rules = all.flatMap((one) => (one.isAsked ? [one.applied] : []));
  const entered = all.flatMap((one) => (one.applied.kind === 'counted' ? [one.applied] : []));
  const asks = { amountMinor: request.amountMinor, count: request.count };
  return {
    from: new Date(Math.max(0, ...bounds.map((period) => period.start.getTime()))),
    until: new Date(Math.min(NEVER.getTime(), ...bounds.map((period) => period.until.getTime()))),
    rules,
    needsRule,
    barred:
      isUnruled({ needsRule, rules }) ||
      rules.some(
        ({ kind, rule }) =>
          kind === 'single' && rule.mode === 'enforce' && outsideSingle(rule, asks),
      ),
    entered,
    counters: countersOf(all, at),
  };
}

/** The stretch around an instant in which a rule is in effect throughout, or not at all. */
function effectPeriod(rule: Rule, at: Date): Period {
  const from = rule.from ?? new Date(0);
  const to = rule.to ?? NEVER;
  if (at < from) return { start: new Date(0), until: from };
  return at < to ? { start: from, until: to } : { start: to, until: NEVER };
}

function fixedPeriod({ window }: Rule, at: Date): readonly Period[] {
  return window.kind === 'calendar' ? [bucketPeriod(window, at)] : [];
}

function applied(rule: Rule, request: CheckRequest): AppliedRule {
  if (rule.window.kind === 'transaction') return { kind: 'single', rule };
  const [owner] = rule.per;
  return {
    kind: 'counted',
    rule,
    documentId: documentId(owner, request.subjects[owner] ?? ''),
    counter: counterKey(rule, request.subjects),
  };
}

function countersOf(
  rules: readonly (Concerned & { readonly applied: AppliedRule })[],
  at: Date,
): ReadonlyMap<string, readonly CounterPlan[]> {
  const byDocument = new Map<string, Map<string, Concerned[]>>();
  for (const { rule, isAsked, applied: each } of rules) {
    if (each.kind === 'single') continue;
    const counters = byDocument.get(each.documentId) ?? new Map<string, Concerned[]>();
    counters.set(each.counter, [...(counters.get(each.counter) ?? []), { rule, isAsked }]);
    byDocument.set(each.documentId, counters);
  }
  return new Map(
    [...byDocument].map(([id, counters]) => [
      id,
      [...counters].map(([key, sharing]) => counterPlan(key, sharing, at)),
    ]),
  );
}

function counterPlan(key: string, concerned: readonly Concerned[], at: Date): CounterPlan {
  const sharing = concerned.map(({ rule }) => rule);
  const shadow = sharing.every(({ mode }) => mode === 'shadow');
  const enforced = concerned.flatMap(({ rule, isAsked }) =>
    isAsked && rule.mode === 'enforce' ? [rule] : [],
  );
  const [first] = sharing;
  if (first === undefined || first.window.kind === 'transaction')
    throw new RangeError('a counter has a rule with a window over which it counts');
  const { window } = first;
  const exact = window.kind === 'rolling' && window.stepMs === EXACT_STEP_MS;
  const counts = sharing.map((rule) => rule.max.count ?? COUNTER_SUM_MAX);
  return {
    key,
    bucket:
      window.kind === 'rolling'
        ? { kind: 'stepped', stepMs: window.stepMs, keepMs: rollingKeepMs(window) }
        : { kind: 'fixed', ...bucketPeriod(window, at) },
    sumsAmounts: first.currency !== undefined,
    maxAmountMinor: Math.min(
      COUNTER_SUM_MAX,
      ...enforced.map((rule) => rule.max.amountMinor ?? COUNTER_SUM_MAX),
    ),
    maxCount: Math.min(
      COUNTER_SUM_MAX,
      ...enforced.map((rule) => rule.max.count ?? COUNTER_SUM_MAX),
      // An exact counter in shadow alone must not fill the document: it stops at its largest maximum.
      ...(shadow && exact ? [Math.max(...counts)] : []),
    ),
    shadow,
  };
}
