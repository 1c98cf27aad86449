import { RULES_PER_CHECK_MAX, CLOCK_TOLERANCE_MS, PLANS_MAX } from '../shared/bounds.ts';
import { digestOf, requestDigest } from '../shared/digest.ts';
import type { DocumentView } from '../document/document.ts';
import { SubjectFullError } from '../shared/errors.ts';
import type { Ruling } from '../document/decision.ts';
import type { CompiledRules, MatchingRules } from '../plan/compile.ts';
import type { CheckPlan, CounterPlan, DocumentPlan, Plan, PlanSettings } from '../plan/plan.ts';
import { documentPlanIn, isUnruled, planFor } from '../plan/plan.ts';
import type { CheckRequest } from '../shared/request.ts';
import { holdId, documentId, homeKind, visitOrder } from '../shared/subject.ts';
import type { HoldAsk } from '../document/counter-store.ts';
import type { Context } from './context.ts';
import { outsideSingle } from '../rule/rule.ts';
import type { SubjectTerms } from '../plan/stretch.ts';
import type { Terms } from '../rule/terms.ts';

/** One attempt at a check: what is asked, and what is proposed to the database. */
export type Attempt = {
  readonly request: CheckRequest;
  readonly id: string;
  readonly digestOfId: string;
  readonly nonce: string;
  readonly digest: string;
  readonly plan: CheckPlan;
  readonly planAt: (at: Date) => CheckPlan;
  /** Whether an earlier attempt of the call was overtaken: documents are read before they are asked. */
  readonly isAgain: boolean;
};

/** Documents as an attempt saw them, by `_id`; home's among them. */
export type Views = ReadonlyMap<string, DocumentView>;

/** What is known of an order that is counted at once: documents beside home that may not count it. */
export type Counted = { readonly uncounted?: readonly string[] };

/** What became of an attempt. */
export type AttemptResult =
  | ({ readonly kind: 'held' } & Seen)
  | ({ readonly kind: 'wouldHold' } & Seen)
  | (Exclude<Ruling, { readonly kind: 'allowed' }> & Seen)
  | Again
  | Failed;

type Seen = { readonly views: Views } & Counted;

/** Nothing is decided or held; the attempt begins again, by itself. */
export type Again = {
  readonly kind: 'again';
  /**
   * `skewed`: no plan was for the database's instant. `late`: its time was over, or home may have forgotten
   * since. `givenBack`: another order of the call gave back what refused it. `inTheWay`: a share of another
   * attempt stands there, which one commit takes out. `terms`: a subject has other terms than were known.
   */
  readonly because: 'skewed' | 'late' | 'givenBack' | 'inTheWay' | 'terms';
  readonly now: Date;
};

/** Nobody knows what is held. */
export type Failed = { readonly kind: 'failed'; readonly error: unknown };

/** An attempt, and what became of it. */
export type Ended = { readonly attempt: Attempt; readonly outcome: AttemptResult };

/** Begins an attempt. */
export function attemptAt(
  context: Pick<Context, 'nonce' | 'homeKinds' | 'askedKinds' | 'needsRule' | 'terms'>,
  rules: CompiledRules,
  request: CheckRequest,
  estimate: Date,
  isAgain: boolean,
): Attempt {
  const planAt = (at: Date): CheckPlan =>
    planCheck(rules, request, context, at, (document) => context.terms.of(document));
  const id = holdId(request);
  return {
    request,
    id,
    digestOfId: digestOf(id),
    nonce: context.nonce(),
    digest: requestDigest(request),
    plan: planAt(estimate),
    planAt,
    isAgain,
  };
}

/** What an attempt is refused with to which more rules apply than may. */
export function tooManyRules({ plan }: Attempt): SubjectFullError | undefined {
  for (const { concerned } of plan.plans)
    if (concerned > RULES_PER_CHECK_MAX)
      return new SubjectFullError(
        'TOO_MANY_RULES',
        `${concerned} rules apply to this transaction, at most ${RULES_PER_CHECK_MAX} may: make their match narrower`,
      );
  return undefined;
}

/** Says whether a rule for single transactions, or that no rule applies, says no, whenever it is decided. */
export function isBarred({ plan }: Attempt): boolean {
  return plan.barred.length === plan.plans.length;
}

/** The plans of an attempt for one document. A rule that refuses every order is reported with the order. */
export function plansFor(attempt: Attempt, document: string): HoldAsk['plans'] {
  const { plans, barred, kinds, documents } = attempt.plan;
  const kind = kinds[documents.indexOf(document)] ?? '';
  const always = isBarred(attempt);
  return plans.map((plan): DocumentPlan => {
    const asked = documentPlanIn(plan, kind);
    return barred.includes(plan) && !always ? { ...asked, isBarred: true } : asked;
  });
}

/** Says whether a document has the terms that an attempt was planned under. */
export function hasTermsOf({ plan }: Attempt, document: string, { terms }: DocumentView): boolean {
  return terms?.version === plan.terms.get(document)?.version;
}

/** The counters that an attempt enters in a document at an instant. */
export function countersAt(attempt: Attempt, document: string, at: Date): readonly CounterPlan[] {
  return planFor(plansFor(attempt, document), at)?.counters ?? [];
}

/**
 * Proposes; the database decides. A plan holds between two boundaries (the ends of windows, and of rules),
 * so one is enough unless a boundary is within CLOCK_TOLERANCE_MS.
 */
export function planCheck(
  rules: CompiledRules,
  request: CheckRequest,
  { homeKinds, askedKinds, needsRule }: PlanSettings,
  estimate: Date,
  termsOf: (documentId: string) => Terms | undefined,
): CheckPlan {
  const { subjects } = request;
  const matching = rules.matching(request, needsRule);
  const asked = askedKinds.filter((kind) => Object.hasOwn(subjects, kind));
  const owners = matching.ownersNear(estimate, CLOCK_TOLERANCE_MS);
  const kinds = visitOrder(subjects, [...owners, ...asked], homeKind(subjects, homeKinds));
  const [home, ...others] = kinds;
  const documents: [string, ...string[]] = [documentId(home, subjects[home] ?? '')];
  for (const kind of others) documents.push(documentId(kind, subjects[kind] ?? ''));
  const withTerms: SubjectTerms[] = [];
  for (const [place, document] of documents.entries()) {
    const terms = termsOf(document);
    const kind = kinds[place] ?? home;
    if (terms !== undefined) withTerms.push({ kind, id: subjects[kind] ?? '', document, terms });
  }
  const known = withTerms.length === 0 ? matching : rules.under(matching, withTerms);
  const plans = plansNear(known, estimate);
  return {
    kinds,
    documents,
    plans,
    barred: plans.filter(
      (plan) =>
        plan.lacking.length > 0 ||
        plan.frozen.length > 0 ||
        isUnruled(plan, request) ||
        plan.singles.some((rule) => outsideSingle(rule, request)),
    ),
    terms: new Map(withTerms.map(({ document, terms }) => [document, terms])),
  };
}

function plansNear(rules: MatchingRules, estimate: Date): readonly Plan[] {
  const earliest = estimate.getTime() - CLOCK_TOLERANCE_MS;
  const latest = estimate.getTime() + CLOCK_TOLERANCE_MS;
  const plans = [rules.planAt(estimate)];
  for (let first = plans[0]; first && plans.length < PLANS_MAX / 2; first = plans[0]) {
    if (first.from.getTime() <= earliest) break;
    plans.unshift(rules.planAt(new Date(first.from.getTime() - 1)));
  }
  for (let last = plans.at(-1); last && plans.length < PLANS_MAX; last = plans.at(-1)) {
    if (last.until.getTime() > latest) break;
    plans.push(rules.planAt(last.until));
  }
  return plans;
}
