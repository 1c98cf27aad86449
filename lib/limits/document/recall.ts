import type { StoredDocument, StoredOutcome } from './stored.ts';
import { numberOf, wholeOf } from './update.ts';

/** Outcomes that enter a document again, how many stay, and the most that may have been remembered meanwhile. */
export type Recalled = {
  readonly outcomes: readonly StoredOutcome[];
  readonly keeps: number;
  readonly rememberedMax: number;
};

/**
 * Outcomes of a call's other orders that its update would push out of what home remembers. They enter
 * again, so that the call forgets none that it asks about. Each is there once: only what the same update
 * pushes out enters again, so others must not have come before it.
 *
 * @param added outcomes that the update adds
 * @param keeps how many stay otherwise: no fewer than the call has orders
 */
export function recalledIn(
  stored: StoredDocument,
  ids: readonly string[],
  added: number,
  keeps: number,
): Recalled {
  const settled = stored.settled ?? [];
  const { settledIds = settled.map(({ id }) => id), remembered = 0 } = stored;
  const asked = new Set(ids);
  const latest = new Map(settled.map((outcome) => [outcome.id, outcome]));
  const theirs = [...latest.values()].filter(({ id }) => asked.has(id));
  if (added === 0 || theirs.length === 0) return nothingRecalled(keeps);
  const pushedOut = settledIds.length + added - keeps;
  const outcomes = theirs.filter(({ id }) => settledIds.lastIndexOf(id) < pushedOut);
  const rememberedMax = numberOf(remembered) + Math.max(0, -pushedOut);
  return { outcomes, keeps: keeps + outcomes.length, rememberedMax };
}

/** Of an update that pushes out nothing that its call asks about. */
export function nothingRecalled(keeps: number): Recalled {
  return { outcomes: [], keeps, rememberedMax: Infinity };
}

/** An outcome as it was read, as it is written again. */
export function rewritten(outcome: StoredOutcome): object {
  const { a, n } = outcome;
  return { ...outcome, a: wholeOf(a), ...(n === undefined ? {} : { n: wholeOf(n) }) };
}
