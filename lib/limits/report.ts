import type { AppliedRule, Plan } from '../plan/plan.ts';
import type { Subjects } from '../shared/request.ts';
import type { Quantity, Rule } from '../rule/rule.ts';
import { stepsOf } from '../rule/windows/windows.ts';
import { isOfFailures } from '../rule/counting.ts';
import { aboveSingle, isStrict, limits } from '../rule/rule.ts';
import type { Excess } from './excess.ts';
import { excessBy } from './excess.ts';
import type { Headroom } from './headroom.ts';
import { earliestPass } from './earliest.ts';
import { headroomNow, leastBy } from './headroom.ts';
import type { Reported, Standing } from './standing.ts';
import {
  countAdded,
  countTaken,
  fits,
  fitsAt,
  idsIn,
  isSpent,
  standingOf,
  takesPlace,
} from './standing.ts';

type Misfit = 'exceeded' | 'below-minimum';

/** How a rule stands: room left; none left of something; this ask did not fit, whether that refuses it or not. */
export type RuleOutcome =
  | 'within'
  | 'reached'
  | Misfit
  | `${Misfit}-shadow`
  | 'exceeded-notify'
  | 'exceeded-proven';

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
  /** By how much an order that counts has raised the count of different values. */
  readonly added?: number;
  /** With a rule that refused: the first instant at which it alone would allow the ask; null for never. */
  readonly retryAt?: Date | null;
};

/** Everything that a check's answer says of rules. */
export type Report = {
  readonly rules: readonly RuleReport[];
  /** Ids of the rules in force of which this order took the last; in a dry run, would take. */
  readonly limitReachedBy: readonly string[];
  /** Maxima above which rules only tell, and by how much they are exceeded; with the ask, if it is not counted. */
  readonly exceeded: readonly Excess[];
  readonly headroom: Headroom;
  /** Ids of the rules that leave least; where the request is for a part of what was asked. */
  readonly amountBy?: readonly string[];
};

/** Says whether a rule refused. */
export function isRefusing({ outcome }: Pick<RuleReport, 'outcome'>): boolean {
  return outcome === 'exceeded' || outcome === 'below-minimum';
}

/** Ids of the rules that refused, each once, in the order of the rules. */
export function refusedBy(reports: readonly RuleReport[]): readonly string[] {
  return idsIn(reports.filter(isRefusing));
}

/** Ids of the rules on trial that would have refused, each once, in the order of the rules. */
export function shadowRefusedBy(reports: readonly RuleReport[]): readonly string[] {
  return idsIn(reports.filter(({ outcome }) => outcome.endsWith('-shadow')));
}

/** A rule's standing, and what that means for the ask. */
type Judged = {
  /** By the maximum that is asked: an approval may have raised it. */
  readonly asked: Standing;
  /** By the rule's own. */
  readonly standing: Standing;
  /** It refuses what does not fit. */
  readonly isStrict: boolean;
  readonly isMisfit: boolean;
};

function judged(applied: AppliedRule, about: Reported): Judged {
  const { rule } = applied;
  const buckets = about.buckets.get(rule.per[0]) ?? [];
  const asked = standingOf(applied, buckets);
  const standing =
    rule.raisedFrom === undefined
      ? asked
      : standingOf(applied, buckets, { ...rule, max: rule.raisedFrom });
  const strict = isStrict(rule);
  return { asked, standing, isStrict: strict, isMisfit: isMisfit(asked, strict, about) };
}

/** Reports how some rules stand. */
export function ruleReports(rules: readonly AppliedRule[], about: Reported): readonly RuleReport[] {
  return rules.map((applied) => ruleReport(judged(applied, about), about));
}

/** Reports how the rules of a plan stand. */
export function reportOn(plan: Plan, about: Reported): Report {
  const rules: RuleReport[] = [];
  const exceeded: Excess[] = [];
  const reached: Standing[] = [];
  // These two lists are of rules that refuse what does not fit.
  const strict: Standing[] = [];
  const asked: Standing[] = [];
  let isRefused = false;
  for (const applied of plan.rules) {
    const one = judged(applied, about);
    const report = ruleReport(one, about);
    rules.push(report);
    if (one.isStrict) {
      strict.push(one.standing);
      asked.push(one.asked);
      isRefused ||= one.isMisfit;
    }
    if (takesLast(one, about)) reached.push(one.standing);
    if (report.outcome === 'exceeded-notify') exceeded.push(excessOf(one.standing, about));
  }
  const limitReachedBy = isRefused ? [] : idsIn(reached);
  const headroom = {
    ...headroomNow(strict, plan, about),
    ...earliestPass(asked, plan, about.least ? { ...about, request: about.least } : about),
  };
  const report = { rules, limitReachedBy, exceeded, headroom };
  return about.least === undefined ? report : { ...report, amountBy: leastBy(asked, about) };
}

const NOTHING = { amountMinor: 0, count: 0 };

/** Whether an order has taken the last of a maximum in force; in a dry run, whether it would. */
function takesLast({ standing, isMisfit: isAbove }: Judged, { request, leftOut }: Reported) {
  const { rule, applied, amountLeft, countLeft } = standing;
  if (isAbove || applied.kind === 'single' || !limits(rule) || isOfFailures(rule)) return false;
  if (leftOut !== undefined) return isSpent(standing) && countTaken(standing, request) > 0;
  const count = request.dryRun ? countAdded(standing, request) : 0;
  return count > 0 && (amountLeft <= request.amountMinor || countLeft <= count);
}

function outcomeOf({ standing, isMisfit: isAbove }: Judged, about: Reported): RuleOutcome {
  const { rule, applied } = standing;
  if (!isAbove) return isSpent(standing) ? 'reached' : 'within';
  // Only a rule for single transactions has a minimum.
  const isOver = applied.kind === 'counted' || aboveSingle(rule, about.request);
  const misfit = isOver ? 'exceeded' : 'below-minimum';
  if (rule.isProven === true) return 'exceeded-proven';
  if (rule.mode === 'shadow') return `${misfit}-shadow`;
  return rule.onExceed === 'notify' ? 'exceeded-notify' : misfit;
}

/** Refused: the ask does not fit. Allowed: only rules that refuse nothing can be exceeded, by what counts now. */
function isMisfit(standing: Standing, strict: boolean, about: Reported): boolean {
  if (about.leftOut !== undefined && strict) return false;
  const { rule, applied, amountLeft, countLeft } = standing;
  const { request, leftOut = [] } = about;
  if (applied.kind === 'single' || !isCounting(rule, about)) return !fits(standing, request);
  return amountLeft < 0 || countLeft < 0 || leftOut.includes(applied.counter);
}

/** Whether the ask is in what counts. */
function isCounting(rule: Rule, { request, leftOut }: Reported): boolean {
  return leftOut !== undefined && takesPlace(rule, request);
}

/** By how much an ask exceeds a maximum, or what counts by now. */
function excessOf(standing: Standing, about: Reported): Excess {
  const { rule, applied, amountLeft, countLeft } = standing;
  const isAdded = applied.kind === 'single' || !isCounting(rule, about);
  const { amountMinor } = isAdded ? about.request : NOTHING;
  const count = isAdded ? countAdded(standing, about.request) : 0;
  return excessBy(rule.id, { amountMinor: amountMinor - amountLeft, count: count - countLeft });
}

function ruleReport(one: Judged, about: Reported): RuleReport {
  const { standing } = one;
  const { rule, applied, used, held } = standing;
  const outcome = outcomeOf(one, about);
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
          ...(rule.distinct === undefined ? {} : { added: countTaken(standing, about.request) }),
        };
  return isRefusing({ outcome }) ? { retryAt: fitsAt(standing, about), ...report } : report;
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
