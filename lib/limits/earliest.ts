import { TIMES_REPEAT_MS } from '../rule/times.ts';
import type { Plan } from '../plan/plan.ts';
import { isUnruled } from '../plan/plan.ts';
import { byStretch } from '../rule/by-stretch.ts';
import type { TimesAt } from '../rule/in-effect.ts';
import { effectEnd, effectPeriod, hasTimes, inEffect, timesAt } from '../rule/in-effect.ts';
import type { Rule } from '../rule/rule.ts';
import { isStrict } from '../rule/rule.ts';
import type { TimesAround } from '../rule/times.ts';
import { NEVER } from '../shared/bounds.ts';
import { present } from '../shared/present.ts';
import type { FitStep, Reported, Standing } from './standing.ts';
import { fits, fitSteps, idsIn, maxAt, standingOf } from './standing.ts';

/** Looks into the future for one answer, at most. Two rules that take turns each day need 30 before each other change. */
const LOOKS_MAX = 200;

type Earliest = { readonly earliestAt: Date | null; readonly earliestBy: readonly string[] };

/**
 * Says when the same ask would pass, if nothing new happens and what is held stays counted. It looks at each instant at
 * which something changes. A rule that begins later is looked at, too: nothing counts towards it where its document
 * was not read.
 *
 * @param strict the rules in effect that refuse what does not fit
 */
export function earliestPass(strict: readonly Standing[], plan: Plan, about: Reported): Earliest {
  const { request, now } = about;
  const isFree = plan.frozen.length === 0 && plan.lacking.length === 0;
  if (isFree && strict.every((one) => fits(one, request)) && !isUnruled(plan, request))
    return { earliestAt: now, earliestBy: [] };
  const outlook = outlookOf(plan, about);
  const forEver = outlook.strict.filter((one) => refusesForEver(one, now));
  const lastAt = Math.min(
    ...forEver.map(shutFrom),
    Number(outlook.frozenUntil >= NEVER ? now : NEVER),
  );
  let at = now;
  for (let looks = 0; looks < LOOKS_MAX && Number(at) < lastAt; looks += 1) {
    if (passesAt(outlook, about, at)) {
      const before = new Date(at.getTime() - 1);
      return { earliestAt: at, earliestBy: idsIn(refusingAt(outlook, before)) };
    }
    at = changeAfter(outlook, at);
  }
  return { earliestAt: null, earliestBy: idsIn(forEver) };
}

/** From when on a rule refuses for ever. */
function shutFrom({ rule: { from = new Date(0) }, steps }: Strict): number {
  const last = steps.findLastIndex((step) => step.fits) + 1;
  return Math.max(Number(from), Number(steps[last]?.from ?? NEVER));
}

/** A rule that refuses an ask that does not fit, and when it fits. */
type Strict = { readonly rule: Rule; readonly steps: readonly FitStep[] };

/** What is known by now of all later instants. */
type Outlook = Pick<Plan, 'needsRule'> & {
  readonly rules: readonly Rule[];
  readonly strict: readonly Strict[];
  readonly lacking: readonly Rule[];
  readonly frozenUntil: Date;
  readonly timesAt: TimesAt;
  /** The instants, from now on, at which something else changes than that times of rules begin or end. */
  readonly changes: readonly Date[];
};

function outlookOf({ outlook, needsRule, frozen }: Plan, about: Reported): Outlook {
  const { now, buckets } = about;
  const rules = outlook.rules.map(({ rule }) => rule);
  const strict = outlook.rules
    .filter(({ rule }) => isStrict(rule))
    .map((applied) => standingOf(applied, buckets.get(applied.rule.per[0]) ?? []))
    .map((standing) => ({ rule: standing.rule, steps: fitSteps(standing, about) }));
  const freezes = frozen.map(({ freeze }) => freeze.until ?? NEVER);
  const changes = [
    ...[...rules, ...outlook.lacking].flatMap(({ from = now, to = now }) => [from, to]),
    ...rules.flatMap(({ later = [] }) => later.map(({ from }) => from)),
    ...strict.flatMap(({ steps }) => changesIn(steps)),
    ...freezes,
  ];
  return {
    needsRule,
    rules,
    strict,
    lacking: outlook.lacking,
    timesAt: timesRemembered([...rules, ...outlook.lacking]),
    frozenUntil: new Date(Math.max(0, ...freezes.map(Number))),
    changes: [now, ...changes.filter((at) => at > now)].sort(
      (one, other) => Number(one) - Number(other),
    ),
  };
}

/** When an ask begins to fit a rule, or no longer fits it. */
function changesIn(steps: readonly FitStep[]): readonly Date[] {
  return steps
    .filter((step, place) => step.fits !== steps[place - 1]?.fits)
    .map(({ from }) => from);
}

/** Finds the times of rules, and remembers those around the last instants. */
function timesRemembered(rules: readonly Rule[]): TimesAt {
  const known = new Map(
    rules.filter(hasTimes).map((rule) => {
      const around = (at: Date): TimesAround => timesAt(rule, at);
      return [rule.when, byStretch(around, (period) => period)] as const;
    }),
  );
  return (rule, at) => known.get(rule.when)?.(at) ?? timesAt(rule, at);
}

/** Whether a rule refuses at last: it may let the ask pass before, under terms that end. */
function refusesForEver({ rule, steps }: Strict, now: Date): boolean {
  return steps.at(-1)?.fits !== true && effectEnd(rule, now) >= NEVER;
}

function passesAt(outlook: Outlook, { request }: Reported, at: Date): boolean {
  const { needsRule, rules, lacking, frozenUntil } = outlook;
  if (at < frozenUntil || refusingAt(outlook, at).length > 0) return false;
  if (lacking.some((rule) => inEffect(rule, at, outlook.timesAt))) return false;
  if (needsRule === 'none') return true;
  const then = rules
    .filter((rule) => inEffect(rule, at, outlook.timesAt))
    .map(({ onExceed, outcomes, ...rule }) => ({
      ...present({ onExceed, outcomes }),
      max: maxAt(rule, at),
      override: { own: rule.override?.own ?? rule.max },
    }));
  return !isUnruled({ needsRule, rules: then.map((rule) => ({ rule })) }, request);
}

function refusingAt(outlook: Outlook, at: Date): readonly Strict[] {
  return outlook.strict.filter(
    ({ rule, steps }) =>
      steps.findLast(({ from }) => from <= at)?.fits !== true &&
      inEffect(rule, at, outlook.timesAt),
  );
}

/** The next instant at which something changes. After two weeks in which only times did, they are left out. */
function changeAfter(outlook: Outlook, at: Date): Date {
  const { rules, lacking, changes } = outlook;
  const timed = [...rules, ...lacking].filter(hasTimes).map((rule) => ({
    isOnDates: rule.when.dates !== undefined,
    ...effectPeriod(rule, at, outlook.timesAt),
  }));
  const dates = timed.filter(({ isOnDates }) => isOnDates);
  const past = [...changes.filter((one) => one <= at), ...dates.map(({ start }) => start)];
  const isRepeated = Number(at) - Math.max(...past.map(Number)) > TIMES_REPEAT_MS;
  const next = [...changes, ...(isRepeated ? dates : timed).map(({ until }) => until)];
  return new Date(
    Math.min(NEVER.getTime(), ...next.filter((one) => one > at).map((one) => one.getTime())),
  );
}
