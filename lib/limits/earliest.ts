import type { Bucket } from '../counter/sums.ts';
import { isOver } from '../counter/effect.ts';
import type { AppliedRule, Plan } from '../plan/plan.ts';
import { isUnruled } from '../plan/plan.ts';
import { byStretch } from '../rule/by-stretch.ts';
import { countersOf } from '../counter/kinds.ts';
import type { TimesAt } from '../rule/in-effect.ts';
import { effectEnd, effectPeriod, hasTimes, inEffect, timesAt } from '../rule/in-effect.ts';
import type { Rule } from '../rule/rule.ts';
import type { Quantity } from '../rule/own-terms.ts';
import type { TimesAround } from '../rule/times.ts';
import { TIMES_REPEAT_MS } from '../rule/times.ts';
import { NEVER } from '../shared/bounds.ts';
import { inOrder, isBefore } from '../shared/instants.ts';
import type { Reported, Standing } from './standing.ts';
import { idsIn, standingOf } from './standing.ts';

/* When an ask would pass, if nothing new happens and what is held stays counted. */

/** Looks into the future for one answer, at most. Two rules that take turns each day need 30 before each other change. */
const LOOKS_MAX = 200;

type Earliest = { readonly earliestAt: Date | null; readonly earliestBy: readonly string[] };

/** Says when a rule alone allows the ask. Null for never. */
export function fitsAt(rule: Rule, steps: FitSteps, now: Date): Date | null {
  const at = steps.find((step) => step.fits)?.from ?? NEVER;
  if (at === now) return at;
  const end = effectEnd(rule, now); // a rule that is not in effect refuses nothing
  const first = isBefore(at, end) ? at : end;
  return isBefore(first, NEVER) ? first : null;
}

/** What is known of a rule by now: how it stands, and when the ask fits it, if that was worked out. */
type Known = {
  readonly asked: Standing;
  readonly own: Standing;
  readonly steps: FitSteps | undefined;
};

/**
 * Says when the same ask would pass all rules, where it does not pass now. It looks at each instant at which something
 * changes. A rule that begins later is looked at, too: nothing counts towards it where its document was not read.
 *
 * @param strict the rules in effect that refuse what does not fit
 */
export function earliestPass(strict: readonly Known[], plan: Plan, about: Reported): Earliest {
  const { now } = about;
  const outlook = outlookOf(strict, plan, about);
  const forEver = outlook.strict.filter(
    ({ rule, steps }) => steps.at(-1)?.fits !== true && !isBefore(effectEnd(rule, now), NEVER),
  );
  const lastAt = Math.min(
    (isBefore(outlook.frozenUntil, NEVER) ? NEVER : now).getTime(),
    ...forEver.map(({ rule: { from = new Date(0) }, steps }) => {
      const last = steps.findLastIndex((step) => step.fits) + 1;
      return Math.max(from.getTime(), (steps[last]?.from ?? NEVER).getTime());
    }),
  );
  let at = now;
  for (let looks = 0; looks < LOOKS_MAX && at.getTime() < lastAt; looks += 1) {
    if (passesAt(outlook, about, at)) {
      const before = new Date(at.getTime() - 1);
      return { earliestAt: at, earliestBy: idsIn(refusingAt(outlook, before)) };
    }
    at = changeAfter(outlook, at);
  }
  return { earliestAt: null, earliestBy: idsIn(forEver) };
}

/** Whether an ask fits a rule from an instant on, until the next step. */
type FitStep = { readonly from: Date; readonly fits: boolean };

/** When an ask fits a rule. The first step is now. */
export type FitSteps = readonly [FitStep, ...FitStep[]];

/** Says when the ask that a standing is about fits the rule, from now on: a rollback may make room sooner. */
export function fitSteps(standing: Standing, { buckets, request, now }: Reported): FitSteps {
  const { rule, applied } = standing;
  const { later = [] } = rule;
  const steps: [FitStep, ...FitStep[]] = [{ from: now, fits: standing.fits }];
  if (steps[0].fits && later.length === 0) return steps;
  let staying: Bucket[] = [];
  if (applied.kind === 'counted') {
    const counters = countersOf(applied.counter);
    for (const bucket of buckets.get(applied.stands) ?? [])
      if (counters.includes(bucket.counter)) staying.push(bucket);
  }
  for (const from of endsOf(staying, later)) {
    const those: Bucket[] = [];
    for (const bucket of staying) if (!isOver(bucket, from)) those.push(bucket);
    staying = those;
    const { fits: isFit } = standingOf(applied, staying, request, maxAt(rule, from));
    steps.push({ from, fits: isFit });
    if (later.length === 0 && isFit) break; // buckets that end take nothing
  }
  return steps;
}

/** When something changes for a rule: a bucket ends, or a subject's own terms change its maximum. */
function endsOf(buckets: readonly Bucket[], later: NonNullable<Rule['later']>): readonly Date[] {
  const ends: Date[] = [];
  for (const { until } of buckets) if (isBefore(until, NEVER)) ends.push(until);
  for (const { from } of later) if (isBefore(from, NEVER)) ends.push(from);
  return ends.sort(inOrder);
}

/** The maximum of a rule at an instant from now on. */
function maxAt({ max, later = [] }: Rule, at: Date): Quantity {
  return later.findLast(({ from }) => !isBefore(at, from))?.max ?? max;
}

/** A rule that refuses an ask that does not fit, and when it fits. */
type Strict = { readonly rule: Rule; readonly steps: readonly FitStep[] };

/** What is known by now of all later instants. */
type LookAhead = Pick<Plan, 'needsRule'> & {
  readonly rules: readonly Rule[];
  readonly strict: readonly Strict[];
  readonly lacking: readonly Rule[];
  readonly frozenUntil: Date;
  /** Rules that have times, and these: those around the last instants are remembered. */
  readonly timed: readonly Rule[];
  readonly timesAt: TimesAt;
  /** The instants, from now on and in their order, at which something else changes than that times of rules begin or end. */
  readonly changes: readonly Date[];
};

function outlookOf(judged: readonly Known[], plan: Plan, about: Reported): LookAhead {
  const { outlook, needsRule, frozen } = plan;
  const { now, buckets, request } = about;
  const rules = outlook.rules.map(({ rule }) => rule);
  const all = [...rules, ...outlook.lacking];
  const byRule = new Map<AppliedRule, Known>();
  for (const one of judged) byRule.set(one.asked.applied, one);
  const strict: Strict[] = [];
  const changes: Date[] = [];
  for (const applied of outlook.rules) {
    const { rule } = applied;
    if (!applied.isStrict) continue;
    // They are about the whole ask.
    const known = about.least === undefined ? byRule.get(applied) : undefined;
    const stands = known?.asked ?? standingOf(applied, buckets.get(applied.stands) ?? [], request);
    const isOwn = known !== undefined && known.own === known.asked;
    const steps = (isOwn ? known.steps : undefined) ?? fitSteps(stands, about);
    strict.push({ rule, steps });
    for (const [place, step] of steps.entries())
      if (step.fits !== steps[place - 1]?.fits) changes.push(step.from);
  }
  for (const { from, to } of all) {
    if (from !== undefined) changes.push(from);
    if (to !== undefined) changes.push(to);
  }
  for (const { later = [] } of rules) for (const { from } of later) changes.push(from);
  const freezes = frozen.map(({ freeze }) => freeze.until ?? NEVER);
  changes.push(...freezes);
  const timed = all.filter(hasTimes);
  const around = new Map(
    timed.map((rule) => {
      const timesOf = (at: Date): TimesAround => timesAt(rule, at);
      return [rule.when, byStretch(timesOf, (period) => period)] as const;
    }),
  );
  return {
    needsRule,
    rules,
    strict,
    lacking: outlook.lacking,
    timed,
    timesAt: (rule, at) => around.get(rule.when)?.(at) ?? timesAt(rule, at),
    frozenUntil: new Date(Math.max(0, ...freezes.map((until) => until.getTime()))),
    changes: [now, ...changes.filter((at) => isBefore(now, at))].sort(inOrder),
  };
}

function passesAt(outlook: LookAhead, { request }: Reported, at: Date): boolean {
  const { needsRule, rules, lacking, frozenUntil } = outlook;
  if (isBefore(at, frozenUntil) || refusingAt(outlook, at).length > 0) return false;
  if (lacking.some((rule) => inEffect(rule, at, outlook.timesAt))) return false;
  if (needsRule === 'none') return true;
  const then = rules
    .filter((rule) => inEffect(rule, at, outlook.timesAt))
    .map((rule) => ({ rule: asItIs(rule, at) }));
  return !isUnruled({ needsRule, rules: then }, request);
}

/** A rule as it will be at an instant: a subject's own terms may have changed its maximum by then. */
function asItIs(rule: Rule, at: Date) {
  if (rule.later === undefined) return rule;
  const override = { own: rule.override?.own ?? rule.max };
  return { ...rule, max: maxAt(rule, at), override };
}

function refusingAt({ strict, timesAt: times }: LookAhead, at: Date): readonly Strict[] {
  const refusing: Strict[] = [];
  for (const one of strict) {
    let isFit = false;
    for (const step of one.steps) {
      if (isBefore(at, step.from)) break;
      isFit = step.fits;
    }
    if (!isFit && inEffect(one.rule, at, times)) refusing.push(one);
  }
  return refusing;
}

/** The next instant at which something changes. After two weeks in which only times did, they are left out. */
function changeAfter({ timed, changes, timesAt: times }: LookAhead, at: Date): Date {
  let next = NEVER;
  for (const one of changes)
    if (isBefore(at, one)) {
      next = one;
      break;
    }
  if (timed.length === 0) return next;
  const periods = timed.map((rule) => effectPeriod(rule, at, times));
  const isOnDates = (place: number): boolean => timed[place]?.when?.dates !== undefined;
  const last = [
    ...changes.filter((one) => !isBefore(at, one)),
    ...periods.filter((_, place) => isOnDates(place)).map(({ start }) => start),
  ];
  const isRepeated = at.getTime() - Math.max(...last.map((one) => one.getTime())) > TIMES_REPEAT_MS;
  for (const [place, { until }] of periods.entries())
    if (isBefore(at, until) && isBefore(until, next) && (!isRepeated || isOnDates(place)))
      next = until;
  return next;
}
