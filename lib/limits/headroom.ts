import type { Plan } from '../plan/plan.ts';
import { isUnruled } from '../plan/plan.ts';
import type { Asked, Reported, Standing } from './standing.ts';
import { fits, idsIn, takesPlace } from './standing.ts';

/** What a check would meet next. */
export type Headroom = {
  /** Largest amount that would pass now, in minor units; null where no rule limits amounts. */
  readonly amountMinor: number | null;
  /** Ids of the rules that allow no more; empty where a freeze, or no rule at all, says so. */
  readonly amountBy: readonly string[];
  /** First instant at which the same ask would pass; null for never. */
  readonly earliestAt: Date | null;
  /** Ids of the rules that refuse it until then, or for ever; empty where none does. */
  readonly earliestBy: readonly string[];
};

/** Says what would pass now. @param strict the rules that refuse what does not fit */
export function headroomNow(
  strict: readonly Standing[],
  plan: Plan,
  { request }: Reported,
): Pick<Headroom, 'amountMinor' | 'amountBy'> {
  const isShut = plan.frozen.length > 0 || isUnruled(plan, ANY_AMOUNT) || isUnruled(plan, request);
  return isShut ? NO_ROOM : amountHeadroom(strict, request);
}

const ANY_AMOUNT = { amountMinor: 1 };

/** No rule says so. */
const NO_ROOM = { amountMinor: 0, amountBy: [] };

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

/** Ids of the rules that leave least to an order, which counts by now unless `leftOut` is absent. */
export function leastBy(
  strict: readonly Standing[],
  { request, leftOut }: Reported,
): readonly string[] {
  const left = ({ rule, applied, amountLeft }: Standing): number => {
    const isTaken =
      applied.kind === 'counted' && leftOut !== undefined && takesPlace(rule, request);
    return isTaken ? amountLeft + request.amountMinor : amountLeft;
  };
  const least = Math.min(...strict.map(left));
  return idsIn(strict.filter((one) => left(one) === least));
}

/** Whether an amount of some size passes with this count. */
function isOpen(standing: Standing, asks: Asked): boolean {
  const { amountLeft: amountMinor } = standing;
  return fits(standing, { ...asks, amountMinor }) && amountMinor >= 0;
}
