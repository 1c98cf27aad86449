import { countsOutcome, originIn } from './counter-key.ts';
import { originOf } from './counter.ts';
import type { Rule } from './rule.ts';
import { isLive } from './rule.ts';
import { isCounted } from './windows/windows.ts';

/** Which counters of several subjects the rules of a stored set read, by their origins, and the revision of the set. */
export type StillRead = { readonly asOf: number; readonly origins: ReadonlySet<string> };

/** Which counters a set reads; undefined if it is not stored: then nobody knows what ended. */
export function stillReadUnder(
  rules: readonly Rule[],
  asOf = rules[0]?.asOf,
): StillRead | undefined {
  if (asOf === undefined) return undefined;
  const counting = rules.filter((rule) => isLive(rule) && isCounted(rule.window));
  return { asOf, origins: new Set(counting.flatMap((rule) => originOf(rule) ?? [])) };
}

/**
 * Whether no rule reads a counter of several subjects, now and later. It began no later than the set, and the set has no
 * rule of it. A rule that comes back has another generation, so another counter.
 *
 * A counter of what expired stays: a late settlement takes from it what the expiry added.
 */
export function hasNoRule(counter: string, stillRead: StillRead | undefined): boolean {
  if (stillRead === undefined) return false;
  const from = originIn(counter);
  if (from === undefined || from.generation > stillRead.asOf) return false;
  return !stillRead.origins.has(from.origin) && !countsOutcome(counter, 'expired');
}
