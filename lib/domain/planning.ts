import { CLOCK_TOLERANCE_MS, COUNTER_SUM_MAX, NEVER, PLANS_MAX } from './bounds.ts';
import type { Period } from './calendar.ts';
import { counterKey } from './counter.ts';
import type { AppliedRule, CheckPlan, CounterPlan, Frozen } from './plan.ts';
import type { NeededRule, Plan, PlanSettings } from './plan.ts';
import { isUnruled } from './plan.ts';
import type { CheckRequest } from './request.ts';
import type { Rule } from './rule.ts';
import { counts, inEffect, isAsked, isExact, ruleFor } from './rule.ts';
import { outsideSingle } from './single.ts';
import { documentId, homeKind, visitOrder } from './subject.ts';
import type { Terms } from './terms.ts';
import { freezeAt, overridesOf, periodAround, underTerms } from './terms.ts';
import { bucketPeriod, rollingKeepMs } from './window.ts';

/**
 * Works out what a check does for every instant near the estimated one.
 *
 * The database's clock decides; this only proposes. A plan holds between two boundaries (the ends of
 * windows, and of rules), so one is enough unless a boundary is within CLOCK_TOLERANCE_MS.
 *
 * @param estimate the caller's best idea of the database's clock
 * @param termsOf what is known of a document's terms; the database says whether they are still the same
 */
export function planCheck(
  rules: readonly Rule[],
  request: CheckRequest,
  { homeKinds, askedKinds, needsRule }: PlanSettings,
  estimate: Date,
  termsOf: (documentId: string) => Terms | undefined,
): CheckPlan {
  const matching = rules.flatMap((rule) =>
    counts(rule, request)
      ? [{ rule: ruleFor(rule, request), isAsked: isAsked(rule, request) }]
      : [],
  );
  const earliest = estimate.getTime() - CLOCK_TOLERANCE_MS;
  const latest = estimate.getTime() + CLOCK_TOLERANCE_MS;
  const owners = matching.flatMap(({ rule }) =>
    rule.window.kind !== 'transaction' && inEffectBetween(rule, earliest, latest)
      ? [rule.per[0]]
      : [],
  );
  const asked = askedKinds.filter((kind) => Object.hasOwn(request.subjects, kind));
  const home = homeKind(request.subjects, homeKinds);
  const kinds = visitOrder(request.subjects, [...owners, ...asked], home);
  const idOf = (kind: string): string => documentId(kind, request.subjects[kind] ?? '');
  const [, ...others] = kinds;
  const documents = [idOf(home), ...others.map(idOf)] as const;
  const subjects = kinds.flatMap((kind): readonly SubjectTerms[] => {
    const document = idOf(kind);
    const terms = termsOf(document);
    return terms === undefined ? [] : [{ kind, id: request.subjects[kind] ?? '', document, terms }];
  });
  const at = (instant: Date): Plan => planAt(matching, request, subjects, instant, needsRule);
  const plans = [at(estimate)];
  for (let first = plans[0]; first && plans.length < PLANS_MAX / 2; first = plans[0]) {
    if (first.from.getTime() <= earliest) break;
    plans.unshift(at(new Date(first.from.getTime() - 1)));
  }
  for (let last = plans.at(-1); last && plans.length < PLANS_MAX; last = plans.at(-1)) {
    if (last.until.getTime() > latest) break;
    plans.push(at(last.until));
  }
  return {
    kinds,
    documents,
    plans,
    terms: new Map(subjects.map(({ document, terms }) => [document, terms])),
  };
}

function inEffectBetween({ from, to }: Rule, earliest: number, latest: number): boolean {
  return (from?.getTime() ?? 0) <= latest && (to?.getTime() ?? Infinity) > earliest;
}

/** A subject of a check, and what is known of its terms. */
type SubjectTerms = {
  readonly kind: string;
  readonly id: string;
  readonly document: string;
  readonly terms: Terms;
};

/** A rule whose sum a transaction enters, and whether its maximum is asked for it. */
type Concerned = { readonly rule: Rule; readonly isAsked: boolean };

function planAt(
  matching: readonly Concerned[],
  request: CheckRequest,
  subjects: readonly SubjectTerms[],
  at: Date,
  needsRule: NeededRule,
): Plan {
  const termsFor = ({ per: [owner] }: Rule): Terms | undefined =>
    subjects.find(({ kind }) => kind === owner)?.terms;
  const applying = matching
    .filter(({ rule }) => inEffect(rule, at))
    .map((one) => ({ ...one, rule: underTerms(one.rule, termsFor(one.rule), at) }));
  const bounds = [
    ...matching.map(({ rule }) => effectPeriod(rule, at)),
    ...applying.flatMap(({ rule }) => fixedPeriod(rule, at)),
    ...(subjects.length === 0 ? [] : termsPeriods(matching, subjects, termsFor, at)),
  ];
  const all = applying.map((one) => ({ ...one, applied: applied(one.rule, request) }));
  const rules = all.flatMap((one) => (one.isAsked ? [one.applied] : []));
  const entered = all.flatMap((one) => (one.applied.kind === 'counted' ? [one.applied] : []));
  const asks = { amountMinor: request.amountMinor, count: request.count };
  const frozen = subjects.flatMap(({ kind, id, terms }): readonly Frozen[] => {
    const freeze = freezeAt(terms, at);
    return freeze === undefined ? [] : [{ kind, id, freeze }];
  });
  return {
    from: new Date(Math.max(0, ...bounds.map((period) => period.start.getTime()))),
    until: new Date(Math.min(NEVER.getTime(), ...bounds.map((period) => period.until.getTime()))),
    rules,
    needsRule,
    frozen,
    barred:
      frozen.length > 0 ||
      isUnruled({ needsRule, rules }, request) ||
      rules.some(
        ({ kind, rule }) =>
          kind === 'single' && rule.mode === 'enforce' && outsideSingle(rule, asks),
      ),
    entered,
    counters: countersOf(all, at),
  };
}

/** The stretches around an instant in which what terms say of a check stays the same. */
function termsPeriods(
  matching: readonly Concerned[],
  subjects: readonly SubjectTerms[],
  termsFor: (rule: Rule) => Terms | undefined,
  at: Date,
): readonly Period[] {
  const freezes = subjects.flatMap(({ terms }) => terms.freeze ?? []);
  const overrides = matching.flatMap(({ rule }) => overridesOf(termsFor(rule), rule));
  return [...freezes, ...overrides].map((stretch) => periodAround(stretch, at));
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
  const exact = isExact(window);
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
