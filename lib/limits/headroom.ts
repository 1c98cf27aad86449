import type { Plan } from '../plan/plan.ts';
import { isUnruled } from '../plan/plan.ts';
import { inEffect } from '../rule/in-effect.ts';
import type { Rule } from '../rule/rule.ts';
import type { Asked, Reported, Standing } from './standing.ts';
import { fits, fitsAt } from './standing.ts';

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

/** Says what would pass now, and when the same ask would. @param strict the rules that refuse what does not fit */
export function headroomOf(strict: readonly Standing[], plan: Plan, about: Reported): Headroom {
  const { request } = about;
  if (isUnruled(plan, request)) return { ...NO_ROOM, ...NEVER_RULED };
  const isShut = plan.frozen.length > 0 || isUnruled(plan, ANY_AMOUNT);
  const { amountMinor, amountBy } = isShut ? NO_ROOM : amountHeadroom(strict, request);
  const { earliestAt, earliestBy } = earliestFit(strict, plan, about);
  return { amountMinor, amountBy, earliestAt, earliestBy };
}

function earliestFit(strict: readonly Standing[], plan: Plan, about: Reported) {
  const waiting: [standing: Standing, at: Date | null][] = [];
  let earliestAt: Date | null = about.now;
  for (const standing of strict) {
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

/** The rules that let no amount pass; or else those that leave least, and minima above that. */
function amountHeadroom(strict: readonly Standing[], asks: Asked) {
  const closed: Standing[] = [];
  let largest = Infinity;
  let smallest = 0;
  for (const standing of strict) {
    const { rule, amountLeft } = standing;
    if (!isOpen(standing, asks)) closed.push(standing);
    largest = Math.min(largest, amountLeft);
    smallest = Math.max(smallest, rule.min.amountMinor ?? 0);
  }
  if (closed.length > 0) return { amountMinor: 0, amountBy: idsIn(closed) };
  if (largest === Infinity) return { amountMinor: null, amountBy: [] };
  const least: Standing[] = [];
  for (const standing of strict) {
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

/** The ids of rules, each once, in their order. */
export function idsIn(found: readonly { readonly rule: Rule }[]): readonly string[] {
  return found.length === 0 ? [] : [...new Set(found.map(({ rule }) => rule.id))];
}
