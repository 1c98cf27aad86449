import { CLOCK_TOLERANCE_MS, PLANS_MAX } from '../shared/bounds.ts';
import type { CompiledRules } from './compile.ts';
import type { CheckPlan, Plan, PlanSettings } from './plan.ts';
import { isUnruled, mostIn } from './plan.ts';
import type { CheckRequest } from '../shared/request.ts';
import { documentId, documentOf, homeKind, visitOrder } from '../shared/subject.ts';
import { outsideSingle } from '../rule/rule.ts';
import type { SubjectTerms } from './matching-rules.ts';
import type { Terms } from '../rule/own-terms.ts';

/**
 * Proposes; the database decides. A plan holds between two boundaries (the ends of windows, and of rules),
 * so one is enough unless a boundary is within CLOCK_TOLERANCE_MS.
 */
export function planCheck(
  rules: CompiledRules,
  request: CheckRequest,
  settings: PlanSettings,
  estimate: Date,
  termsOf: (documentId: string) => Terms | undefined,
): CheckPlan {
  const { subjects } = request;
  const { homeKinds, askedKinds } = settings;
  const matching = rules.matching(request, settings);
  const asked = askedKinds.filter((kind) => Object.hasOwn(subjects, kind));
  const counted = matching.kindsNear(estimate, CLOCK_TOLERANCE_MS);
  const kinds = visitOrder(subjects, [...counted, ...asked], homeKind(subjects, homeKinds));
  const [home, ...others] = kinds;
  const documents: [string, ...string[]] = [documentId(home, subjects[home] ?? '')];
  for (const kind of others) documents.push(documentOf(kind, subjects));
  const withTerms: SubjectTerms[] = [];
  for (const [place, document] of documents.entries()) {
    const terms = termsOf(document);
    const kind = kinds[place] ?? home;
    if (terms !== undefined) withTerms.push({ kind, id: subjects[kind] ?? '', document, terms });
  }
  const known = withTerms.length === 0 ? matching : rules.under(matching, withTerms);
  const plans = plansNear((at) => known.planAt(at, subjects), estimate);
  return {
    kinds,
    documents,
    plans,
    barred: plans.filter(
      (plan) =>
        plan.lacking.length > 0 ||
        plan.frozen.length > 0 ||
        isUnruled(plan, request) ||
        isOutside(plan, request),
    ),
    terms:
      withTerms.length === 0
        ? NO_TERMS
        : new Map(withTerms.map(({ document, terms }) => [document, terms])),
  };
}

const NO_TERMS: ReadonlyMap<string, Terms> = new Map();

function isOutside(plan: Plan, request: CheckRequest): boolean {
  if (plan.singles.length === 0) return false;
  const asks = { amountMinor: mostIn(plan, request), count: request.count };
  return plan.singles.some((rule) => outsideSingle(rule, asks));
}

function plansNear(planAt: (at: Date) => Plan, estimate: Date): readonly Plan[] {
  const earliest = estimate.getTime() - CLOCK_TOLERANCE_MS;
  const latest = estimate.getTime() + CLOCK_TOLERANCE_MS;
  const plans = [planAt(estimate)];
  for (let first = plans[0]; first && plans.length < PLANS_MAX / 2; first = plans[0]) {
    if (first.from.getTime() <= earliest) break;
    plans.unshift(planAt(new Date(first.from.getTime() - 1)));
  }
  for (let last = plans.at(-1); last && plans.length < PLANS_MAX; last = plans.at(-1)) {
    if (last.until.getTime() > latest) break;
    plans.push(planAt(last.until));
  }
  return plans;
}
