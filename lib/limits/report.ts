import type { AppliedRule, Plan } from './plan.ts';
import { isUnruled } from './plan.ts';
import type { Subjects } from '../shared/request.ts';
import type { Quantity, Rule } from '../rules/rule.ts';
import { aboveSingle, inEffect } from '../rules/rule.ts';
import type { Asked, Reported, Standing } from './standing.ts';
import { fits, fitsAt, isSpent, standingOf } from './standing.ts';

type Misfit = 'exceeded' | 'below-minimum';

/** How a rule stands: room left; none left of something; this ask did not fit, in force or not. */
export type RuleOutcome = 'within' | 'reached' | Misfit | `${Misfit}-shadow`;

/** How one rule that applies stands after the call. */
export type RuleReport = {
  readonly rule: Rule;
  readonly subjects: Subjects;
  readonly window?: { readonly start: Date; readonly end: Date };
  readonly used?: Quantity;
  readonly held?: Quantity;
  /** Never below zero. What the rule does not limit is absent. */
  readonly remaining?: Quantity;
  readonly outcome: RuleOutcome;
  /** With a rule that refused: the first instant at which it alone would allow the ask; null for never. */
  readonly retryAt?: Date | null;
};

/** What a check would meet next. */
export type Headroom = {
  /** Largest amount that would pass now, in minor units; null where no rule limits amounts. */
  readonly amountMinor: number | null;
  /** First instant at which the same ask would pass; null for never. */
  readonly earliestAt: Date | null;
};

/** Everything that a check's answer says of rules. */
export type Report = {
  readonly rules: readonly RuleReport[];
  readonly limitReached: boolean;
  readonly headroom: Headroom;
};

/** Ids of the rules that refused, each once, in the order of the rules. */
export function refusedBy(reports: readonly RuleReport[]): readonly string[] {
  return idsOf(reports, ['exceeded', 'below-minimum']);
}

/** Ids of the rules on trial that would have refused, each once, in the order of the rules. */
export function shadowRefusedBy(reports: readonly RuleReport[]): readonly string[] {
  return idsOf(reports, ['exceeded-shadow', 'below-minimum-shadow']);
}

function idsOf(reports: readonly RuleReport[], outcomes: readonly RuleOutcome[]) {
  const found = reports.filter(({ outcome }) => outcomes.includes(outcome));
  return [...new Set(found.map(({ rule }) => rule.id))];
}

/** Reports how some rules stand. */
export function ruleReports(rules: readonly AppliedRule[], about: Reported): readonly RuleReport[] {
  return rules.map((applied) => ruleReport(standingIn(applied, about), about));
}

function standingIn(applied: AppliedRule, { buckets }: Reported): Standing {
  return standingOf(applied, buckets.get(applied.rule.per[0]) ?? []);
}

/** Reports how the rules of a plan stand. */
export function reportOn(plan: Plan, about: Reported): Report {
  const standings = plan.rules.map((applied) => standingIn(applied, about));
  const enforced = standings.filter(({ rule }) => rule.mode === 'enforce');
  return {
    rules: standings.map((standing) => ruleReport(standing, about)),
    limitReached: isLimitReached(enforced, about),
    headroom: headroomOf(enforced, plan, about),
  };
}

function headroomOf(enforced: readonly Standing[], plan: Plan, about: Reported): Headroom {
  const { request } = about;
  if (isUnruled(plan, request)) return { amountMinor: 0, earliestAt: null };
  const fitting = allFitAt(enforced, plan, about);
  return {
    amountMinor:
      plan.frozen.length > 0 || isUnruled(plan, ANY_AMOUNT) ? 0 : amountHeadroom(enforced, request),
    earliestAt: fitting !== null && isRuledAt(plan, about, fitting) ? fitting : null,
  };
}

function allFitAt(enforced: readonly Standing[], plan: Plan, about: Reported): Date | null {
  let latest = about.now;
  for (const standing of enforced) {
    const at = fitsAt(standing, about);
    if (at === null) return null;
    if (at > latest) latest = at;
  }
  for (const { freeze } of plan.frozen) {
    if (freeze.until === undefined) return null;
    if (freeze.until > latest) latest = freeze.until;
  }
  return latest;
}

/** Rules that will begin later are not looked at: nothing says yet that they will be there. */
function isRuledAt(plan: Plan, { request, now }: Reported, at: Date): boolean {
  if (at === now) return true; // as the plan says
  const rules = plan.rules.filter(({ rule }) => inEffect(rule, at));
  return !isUnruled({ ...plan, rules }, request);
}

const ANY_AMOUNT = { amountMinor: 1 };

/** The last of some maximum was taken; in a dry run, would be. */
function isLimitReached(enforced: readonly Standing[], { request, leftOut }: Reported): boolean {
  if (leftOut !== undefined) return enforced.some((standing) => isSpent(standing));
  return (
    request.dryRun &&
    enforced.every((standing) => fits(standing, request)) &&
    enforced.some((standing) => isSpent(standing, request))
  );
}

function outcomeOf(standing: Standing, about: Reported): RuleOutcome {
  const { rule, applied } = standing;
  if (!isMisfit(standing, about)) return isSpent(standing) ? 'reached' : 'within';
  // Only a rule for single transactions has a minimum.
  const isAbove = applied.kind === 'counted' || aboveSingle(rule, about.request);
  const misfit = isAbove ? 'exceeded' : 'below-minimum';
  return rule.mode === 'enforce' ? misfit : `${misfit}-shadow`;
}

/** Refused: the ask does not fit. Allowed: only shadow rules can say no, where they are exceeded now. */
function isMisfit(standing: Standing, { request, leftOut }: Reported): boolean {
  const { rule, applied, amountLeft, countLeft } = standing;
  if (leftOut !== undefined && rule.mode === 'enforce') return false;
  if (leftOut === undefined || applied.kind === 'single') return !fits(standing, request);
  return amountLeft < 0 || countLeft < 0 || leftOut.includes(applied.counter);
}

function ruleReport(standing: Standing, about: Reported): RuleReport {
  const { rule, applied, used, held } = standing;
  const outcome = outcomeOf(standing, about);
  const subjects: Record<string, string> = {};
  for (const kind of rule.per) subjects[kind] = about.request.subjects[kind] ?? '';
  const report =
    applied.kind === 'single'
      ? { rule, subjects, outcome }
      : {
          rule,
          subjects,
          window: applied.window ?? rollingWindow(rule, about.now),
          used,
          held,
          remaining: limitedOnly(rule, standing),
          outcome,
        };
  const isRefusing = outcome === 'exceeded' || outcome === 'below-minimum';
  return isRefusing ? { retryAt: fitsAt(standing, about), ...report } : report;
}

function rollingWindow({ window }: Rule, now: Date): { start: Date; end: Date } {
  if (window.kind !== 'rolling')
    throw new RangeError('every other window has a rule in the report');
  return { start: new Date(now.getTime() - window.spanMs), end: now };
}

function limitedOnly({ max }: Rule, { amountLeft, countLeft }: Standing): Quantity {
  const count = Math.max(0, countLeft);
  if (max.amountMinor === undefined) return max.count === undefined ? {} : { count };
  const amountMinor = Math.max(0, amountLeft);
  return max.count === undefined ? { amountMinor } : { amountMinor, count };
}

function amountHeadroom(enforced: readonly Standing[], asks: Asked): number | null {
  let largest = Infinity;
  let smallest = 0;
  for (const standing of enforced) {
    const { rule, applied, amountLeft, countLeft } = standing;
    if (asks.count > countLeft) return 0;
    if (applied.kind === 'single' && asks.count < (rule.min.count ?? 0)) return 0;
    largest = Math.min(largest, amountLeft);
    smallest = Math.max(smallest, rule.min.amountMinor ?? 0);
  }
  if (largest < smallest) return 0;
  return largest === Infinity ? null : largest;
}

/** How much of a maximum is taken, of amount or count the larger: 0 of nothing, 1 of all of it. */
export function shareTaken({
  rule,
  used = {},
  held = {},
}: Pick<RuleReport, 'used' | 'held'> & { readonly rule: Pick<Rule, 'max'> }): number {
  const share = (taken: number, max: number | undefined): number => {
    if (max === undefined) return 0;
    return max === 0 ? 1 : taken / max;
  };
  return Math.max(
    share((used.amountMinor ?? 0) + (held.amountMinor ?? 0), rule.max.amountMinor),
    share((used.count ?? 0) + (held.count ?? 0), rule.max.count),
  );
}
