import type { AppliedRule, Plan } from '../plan/plan.ts';
import { isUnruled } from '../plan/plan.ts';
import type { Subjects } from '../shared/request.ts';
import type { Quantity, Rule } from '../rule/rule.ts';
import { stepsOf } from '../rule/windows/windows.ts';
import { aboveSingle } from '../rule/rule.ts';
import { inEffect } from '../rule/in-effect.ts';
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
  /** Ids of the rules that allow no more; empty where a freeze, or no rule at all, says so. */
  readonly amountBy: readonly string[];
  /** First instant at which the same ask would pass; null for never. */
  readonly earliestAt: Date | null;
  /** Ids of the rules that wait so long; empty where none does. */
  readonly earliestBy: readonly string[];
};

/** Everything that a check's answer says of rules. */
export type Report = {
  readonly rules: readonly RuleReport[];
  /** Ids of the rules in force of which this order took the last; in a dry run, would take. */
  readonly limitReachedBy: readonly string[];
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
  return idsIn(reports.filter(({ outcome }) => outcomes.includes(outcome)));
}

/** Each once, in the order of the rules. */
function idsIn(found: readonly { readonly rule: Rule }[]): readonly string[] {
  return found.length === 0 ? [] : [...new Set(found.map(({ rule }) => rule.id))];
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
  const rules: RuleReport[] = [];
  const enforced: Standing[] = [];
  for (const applied of plan.rules) {
    const standing = standingIn(applied, about);
    rules.push(ruleReport(standing, about));
    if (applied.rule.mode === 'enforce') enforced.push(standing);
  }
  const limitReachedBy = idsIn(reachedIn(enforced, about));
  return { rules, limitReachedBy, headroom: headroomOf(enforced, plan, about) };
}

function headroomOf(enforced: readonly Standing[], plan: Plan, about: Reported): Headroom {
  const { request } = about;
  if (isUnruled(plan, request)) return { ...NO_ROOM, ...NEVER_RULED };
  const isShut = plan.frozen.length > 0 || isUnruled(plan, ANY_AMOUNT);
  const { amountMinor, amountBy } = isShut ? NO_ROOM : amountHeadroom(enforced, request);
  const { earliestAt, earliestBy } = earliestFit(enforced, plan, about);
  return { amountMinor, amountBy, earliestAt, earliestBy };
}

function earliestFit(enforced: readonly Standing[], plan: Plan, about: Reported) {
  const waiting: [standing: Standing, at: Date | null][] = [];
  let earliestAt: Date | null = about.now;
  for (const standing of enforced) {
    if (fits(standing, about.request)) continue;
    const at = fitsAt(standing, about);
    waiting.push([standing, at]);
    earliestAt = laterOf(earliestAt, at);
  }
  for (const { freeze } of plan.frozen) earliestAt = laterOf(earliestAt, freeze.until ?? null);
  if (earliestAt === about.now) return { earliestAt, earliestBy: [] };
  if (earliestAt !== null && !isRuledAt(plan, about, earliestAt)) return NEVER_RULED;
  const last = waiting.filter(([, at]) => at?.getTime() === earliestAt?.getTime());
  return { earliestAt, earliestBy: idsIn(last.map(([standing]) => standing)) };
}

/** Null is never. */
function laterOf(one: Date | null, other: Date | null): Date | null {
  if (one === other || other === null) return other;
  return one !== null && other > one ? other : one;
}

/** Rules that will begin later are not looked at: nothing says yet that they will be there. */
function isRuledAt(plan: Plan, { request }: Reported, at: Date): boolean {
  const rules = plan.rules.filter(({ rule }) => inEffect(rule, at));
  return !isUnruled({ ...plan, rules }, request);
}

const ANY_AMOUNT = { amountMinor: 1 };

/** No rule says so. */
const NO_ROOM = { amountMinor: 0, amountBy: [] };
const NEVER_RULED = { earliestAt: null, earliestBy: [] };

const NOTHING = { amountMinor: 0, count: 0 };

/** The last of these maxima was taken; in a dry run, would be. */
function reachedIn(
  enforced: readonly Standing[],
  { request, leftOut }: Reported,
): readonly Standing[] {
  const reached: Standing[] = [];
  if (leftOut === undefined && !request.dryRun) return reached;
  for (const standing of enforced) {
    if (leftOut === undefined && !fits(standing, request)) return [];
    if (isSpent(standing, leftOut === undefined ? request : NOTHING)) reached.push(standing);
  }
  return reached;
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
  const steps = stepsOf(window);
  if (steps === undefined) throw new RangeError('every other window has a rule in the report');
  return { start: new Date(now.getTime() - steps.spanMs), end: now };
}

function limitedOnly({ max }: Rule, { amountLeft, countLeft }: Standing): Quantity {
  const count = Math.max(0, countLeft);
  if (max.amountMinor === undefined) return max.count === undefined ? {} : { count };
  const amountMinor = Math.max(0, amountLeft);
  return max.count === undefined ? { amountMinor } : { amountMinor, count };
}

/** The rules that let no amount pass; or else those that leave least, and minima above that. */
function amountHeadroom(enforced: readonly Standing[], asks: Asked) {
  const closed: Standing[] = [];
  let largest = Infinity;
  let smallest = 0;
  for (const standing of enforced) {
    const { rule, amountLeft } = standing;
    if (!isOpen(standing, asks)) closed.push(standing);
    largest = Math.min(largest, amountLeft);
    smallest = Math.max(smallest, rule.min.amountMinor ?? 0);
  }
  if (closed.length > 0) return { amountMinor: 0, amountBy: idsIn(closed) };
  if (largest === Infinity) return { amountMinor: null, amountBy: [] };
  const least: Standing[] = [];
  for (const standing of enforced) {
    const { rule, amountLeft } = standing;
    if (amountLeft === largest || (rule.min.amountMinor ?? 0) > largest) least.push(standing);
  }
  return { amountMinor: largest < smallest ? 0 : largest, amountBy: idsIn(least) };
}

/** Whether an amount of some size passes with this count. */
function isOpen(standing: Standing, { count }: Asked): boolean {
  const { amountLeft: amountMinor } = standing;
  return fits(standing, { amountMinor, count }) && amountMinor >= 0;
}
