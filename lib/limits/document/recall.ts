import type { StoredDocument, StoredOutcome } from './stored.ts';
import { numberOf, wholeOf } from './update.ts';

/** Outcomes that enter a document again, how many stay, and the most that may have been remembered meanwhile. */
export type Recalled = {
  readonly outcomes: readonly StoredOutcome[];
  readonly keeps: number;
  /** Other orders of the call, of which no outcome was remembered: there must be none yet. */
  readonly unknown: readonly string[];
  readonly rememberedMax: number;
};

/**
 * Outcomes of a call's other orders that its update would push out of what home remembers. They enter
 * again, so that the call forgets none that it asks about. Each is there once: only what the same update
 * pushes out enters again, so others must not have come before it.
 *
 * @param ids all orders of the call
 * @param own those that the update itself takes or settles
 * @param added outcomes that the update adds
 * @param keeps how many stay otherwise: no fewer than the call has orders
 */
export function recalledIn(
  stored: StoredDocument,
  ids: readonly string[],
  own: readonly string[],
  added: number,
  keeps: number,
): Recalled {
  const settled = stored.settled ?? [];
  const { settledIds = settled.map(({ id }) => id), remembered = 0 } = stored;
  const asked = new Set(ids);
  const latest = new Map(settled.map((outcome) => [outcome.id, outcome]));
  const theirs = [...latest.values()].filter(({ id }) => asked.has(id));
  if (added === 0) return nothingRecalled(keeps);
  const unknown = othersOf(ids, own).filter((id) => !latest.has(id));
  if (theirs.length === 0) return nothingRecalled(keeps, unknown);
  const pushedOut = settledIds.length + added - keeps;
  const outcomes = theirs.filter(({ id }) => settledIds.lastIndexOf(id) < pushedOut);
  const rememberedMax = numberOf(remembered) + Math.max(0, -pushedOut);
  return { outcomes, keeps: keeps + outcomes.length, unknown, rememberedMax };
}

/** Of an update that pushes out nothing that its call asks about. */
export function nothingRecalled(keeps: number, unknown: readonly string[] = []): Recalled {
  return { outcomes: [], keeps, unknown, rememberedMax: Infinity };
}

/** The orders of a call that an update neither takes nor settles. */
export function othersOf(ids: readonly string[], own: readonly string[]): readonly string[] {
  const mine = new Set(own);
  return ids.filter((id) => !mine.has(id));
}

/** An outcome as it was read, as it is written again. */
export function rewritten(outcome: StoredOutcome): object {
  const { a, n } = outcome;
  return { ...outcome, a: wholeOf(a), ...(n === undefined ? {} : { n: wholeOf(n) }) };
}
