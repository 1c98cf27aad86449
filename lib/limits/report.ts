import type * as orders from '../../contract/orders.ts';
import type { Told } from '../../contract/words.ts';
import type { AppliedRule, Plan } from '../plan/plan.ts';
import { isUnruled } from '../plan/plan.ts';
import { isOfFailures } from '../rule/counting.ts';
import type { Rule } from '../rule/rule.ts';
import type { Quantity } from '../rule/own-terms.ts';
import { aboveSingle, mayRefuse, outsideSingle } from '../rule/rule.ts';
import { stepsOf } from '../rule/windows/windows.ts';
import type { Subjects } from '../shared/request.ts';
import type { Writable } from '../shared/writable.ts';
import type { FitSteps } from './earliest.ts';
import { earliestPass, fitSteps, fitsAt } from './earliest.ts';
import type { Asked, Excess, Reported, Standing } from './standing.ts';
import { amountLeftFor, excessBy, idsIn, raisedBy, standingOf } from './standing.ts';

/*
 * How rules stand, for an answer. Each rule is judged once (`judge`), from what counts after the call. Its report,
 * the room that all rules leave, and what the order took the last of are read from that.
 */

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
  /** By how much an order has raised the count, or would, where that is not its own. */
  readonly added?: number;
  /** With a rule that refused: the first instant at which it alone would allow the ask; null for never. */
  readonly retryAt?: Date | null;
};

/** The largest order that would pass now, in minor units, and when the same ask would. */
export type Headroom = Told<typeof orders.headroom>;

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
  readonly now: Date;
};

/** Reports how the rules of a plan stand. */
export function reportOn(plan: Plan, about: Reported): Report {
  const rules: RuleReport[] = [];
  const exceeded: Excess[] = [];
  const reached: Judged[] = [];
  // Those that refuse what does not fit.
  const strict: Judged[] = [];
  let isRefused = false;
  for (const applied of plan.rules) {
    const one = judge(applied, about);
    rules.push(one.report);
    if (one.excess !== undefined) exceeded.push(one.excess);
    if (one.takesLast) reached.push(one);
    if (!applied.isStrict) continue;
    strict.push(one);
    isRefused ||= one.isMisfit;
  }
  const { amount, amountBy } = amountNow(strict, plan, about);
  const next = isFree(strict, plan, about)
    ? { earliestAt: about.now, earliestBy: [] }
    : earliestPass(strict, plan, about.least ? { ...about, request: about.least } : about);
  const { earliestAt, earliestBy } = next;
  const headroom = { amount, amountBy, earliestAt, earliestBy };
  const limitReachedBy = isRefused ? [] : idsIn(reached);
  if (about.least === undefined)
    return { rules, limitReachedBy, exceeded, headroom, now: about.now };
  const left = ({ asked: { amountLeft }, isIn }: Judged): number =>
    isIn ? amountLeft + about.request.amountMinor : amountLeft;
  const least = Math.min(...strict.map(left));
  const leftLeast = idsIn(strict.filter((one) => left(one) === least));
  return { rules, limitReachedBy, exceeded, headroom, amountBy: leftLeast, now: about.now };
}

/** Reports how some rules stand. */
export function ruleReports(rules: readonly AppliedRule[], about: Reported): readonly RuleReport[] {
  return rules.map((applied) => judge(applied, about).report);
}

/** A rule's standing, and what that means for the ask. */
type Judged = {
  readonly rule: Rule;
  /** By the maximum that is asked: an approval may have raised it. */
  readonly asked: Standing;
  /** By the rule's own. */
  readonly own: Standing;
  /** The ask is in what counts. */
  readonly isIn: boolean;
  readonly isMisfit: boolean;
  readonly takesLast: boolean;
  readonly report: RuleReport;
  readonly excess: Excess | undefined;
  /** Where it refused: when the ask fits. */
  readonly steps: FitSteps | undefined;
};

function judge(applied: AppliedRule, about: Reported): Judged {
  const { rule, isStrict, counting } = applied;
  const { request, leftOut, now } = about;
  const buckets = about.buckets.get(applied.stands) ?? [];
  const asked = standingOf(applied, buckets, request);
  const { raisedFrom } = rule;
  const own = raisedFrom === undefined ? asked : standingOf(applied, buckets, request, raisedFrom);
  const { amountLeft, countLeft, used, held, next } = own;
  const isAllowed = leftOut !== undefined;
  const isCounted = applied.kind === 'counted';
  // Among failures a capture asks for a place and takes none.
  const isIn = isAllowed && isCounted && !(request.capture && isOfFailures(rule));
  // What is allowed fits each rule that refuses. Others can be exceeded, by what counts now.
  const isPassed = isCounted && asked.countLeft < 0 && !wouldFit(asked, request, isIn);
  const isMisfit = isIn
    ? !isStrict &&
      (amountLeftFor(asked, request) < 0 ||
        isPassed ||
        (rule.mode === 'shadow' && leftOut.includes(applied.counter)))
    : !(isAllowed && isStrict) && (!asked.fits || (!isStrict && isPassed));
  const isSpent = isCounted && (amountLeft <= 0 || countLeft <= 0);
  const outcome = isMisfit ? misfitOf(own, request) : isSpent ? 'reached' : 'within';
  const isRefusal = outcome === 'exceeded' || outcome === 'below-minimum';
  const subjects: Record<string, string> = {};
  for (const kind of rule.per) subjects[kind] = request.subjects[kind] ?? '';
  const report: Writable<RuleReport> =
    applied.kind === 'single'
      ? { rule: own.rule, subjects, outcome }
      : {
          rule: own.rule,
          subjects,
          window: applied.window ?? rollingWindow(rule, now),
          used,
          held,
          remaining: remainingOf(own),
          outcome,
        };
  if (counting.raises !== undefined) report.added = raisedBy(own, request, isAllowed);
  const steps = isRefusal ? fitSteps(own, about) : undefined;
  if (steps !== undefined) report.retryAt = fitsAt(own.rule, steps, now);
  const takes = isAllowed
    ? isSpent && (amountLeftFor(own, request) <= 0 || countLeft <= 0)
    : request.dryRun && isCounted && (next.amount >= 0 || next.count >= 0);
  const takesLast = takes && !isMisfit && mayRefuse(rule) && !isOfFailures(rule);
  return {
    rule,
    asked,
    own,
    isIn,
    isMisfit,
    takesLast: takesLast && raisedBy(own, request, isAllowed) > 0,
    report,
    excess:
      outcome === 'exceeded-notify'
        ? excessBy(
            rule.id,
            isIn
              ? { amount: -amountLeftFor(own, request), count: -countLeft }
              : { amount: next.amount, count: Math.max(next.count, -countLeft) },
          )
        : undefined,
    steps,
  };
}

/** Whether a rule on trial, in force, would take an ask however much counts. One that notifies tells of all. */
function wouldFit({ rule, applied, sums }: Standing, request: Asked, isIn: boolean): boolean {
  const { counting, counter } = applied;
  return (
    rule.mode === 'shadow' && counting.fitsAlways?.(counter, sums.cells, request, isIn) === true
  );
}

/** Whether the same ask would pass now. */
function isFree(strict: readonly Judged[], plan: Plan, about: Reported): boolean {
  const { buckets, least, request } = about;
  if (plan.frozen.length > 0 || plan.lacking.length > 0) return false;
  for (const { asked } of strict) {
    const { applied } = asked;
    const next =
      least === undefined ? asked : standingOf(applied, buckets.get(applied.stands) ?? [], least);
    if (!next.fits) return false;
  }
  return !isUnruled(plan, least ?? request);
}

/** What does not fit refuses only if the rule is in force, and nothing lets it pass. */
function misfitOf({ applied: { kind }, rule }: Standing, request: Asked): RuleOutcome {
  // Only a rule for single transactions has a minimum.
  const misfit = kind === 'counted' || aboveSingle(rule, request) ? 'exceeded' : 'below-minimum';
  if (rule.isProven === true) return 'exceeded-proven';
  if (rule.mode === 'shadow') return `${misfit}-shadow`;
  return rule.onExceed === 'notify' ? 'exceeded-notify' : misfit;
}

function rollingWindow({ window }: Rule, now: Date): { start: Date; end: Date } {
  const steps = stepsOf(window);
  if (steps === undefined) throw new RangeError('every other window has a rule in the report');
  return { start: new Date(now.getTime() - steps.spanMs), end: now };
}

function remainingOf({ rule: { max }, amountLeft, countLeft }: Standing): Quantity {
  const count = Math.max(0, countLeft);
  if (max.amountMinor === undefined) return max.count === undefined ? {} : { count };
  const amountMinor = Math.max(0, amountLeft);
  return max.count === undefined ? { amountMinor } : { amountMinor, count };
}

/** Says what would pass now: no amount, where a freeze or a rule lets none pass; or else what the rules leave. */
function amountNow(strict: readonly Judged[], plan: Plan, { request }: Reported) {
  const isShut = plan.frozen.length > 0 || isUnruled(plan, ANY_AMOUNT) || isUnruled(plan, request);
  if (isShut) return { amount: 0, amountBy: [] };
  const closed: Judged[] = [];
  let [largest, smallest] = [Infinity, 0];
  for (const one of strict) {
    const amountMinor = Math.max(0, one.own.amountLeft);
    // Some amount passes with this count: no amount, if no other does.
    const isOpen =
      one.own.applied.kind === 'single'
        ? !outsideSingle(one.own.rule, { amountMinor, count: request.count })
        : one.own.next.count <= 0;
    if (!isOpen) closed.push(one);
    largest = Math.min(largest, amountMinor);
    smallest = Math.max(smallest, one.rule.min.amountMinor ?? 0);
  }
  if (closed.length > 0) return { amount: 0, amountBy: idsIn(closed) };
  if (largest === Infinity) return { amount: null, amountBy: [] };
  // Those that leave least, and minima above that.
  const least: Judged[] = [];
  for (const one of strict) {
    const isLeast = Math.max(0, one.own.amountLeft) === largest;
    if (isLeast || (one.rule.min.amountMinor ?? 0) > largest) least.push(one);
  }
  return { amount: largest < smallest ? 0 : largest, amountBy: idsIn(least) };
}

const ANY_AMOUNT = { amountMinor: 1 };

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
