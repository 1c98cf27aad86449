import type { KeptOrder } from './kept-order.ts';
import { isBeginning } from './past-row.ts';
import type { Planned } from './planned.ts';
import type { Kept, Replay } from './replay.ts';
import { keptNothing } from './replay.ts';
import type { Verdict } from './verdict.ts';
import { passes, REPEATED } from './verdict.ts';

/**
 * Two replays of the past under one set of rules. In `direct`, what stands before each check is what happened. In
 * `knockOn` it is that until an instant, and from then on what the replay decided.
 */
export type ReplayKind = 'direct' | 'knockOn';
/** Both. */
export const REPLAYS = ['direct', 'knockOn'] as const satisfies readonly ReplayKind[];

/** What one replay keeps. Plain data. */
export type KeptInOne = Kept & {
  /** Nonces of orders that happened, and that it did not let pass. */
  readonly without: Set<string>;
  /** Orders that it let pass and counted, though they did not happen. */
  readonly paid: Set<string>;
  /** How much it held of orders that happened with more, by their nonces. */
  readonly less: Map<string, number>;
};

/** What both replays keep: one thing, until the first check of which the decision is another one. */
export type KeptInSide = { readonly direct: KeptInOne; knockOn: KeptInOne | undefined };

/** Before the first row. */
export function newSide(): KeptInSide {
  return {
    direct: { ...keptNothing(), without: new Set(), paid: new Set(), less: new Map() },
    knockOn: undefined,
  };
}

/** A replay, and for which of the two it stands. */
export type One = Pick<KeptInOne, 'without' | 'paid' | 'less'> & {
  readonly kinds: readonly ReplayKind[];
  readonly replay: Replay;
};

/** Whether a decision leaves another state than what happened. */
export function isOtherwise(
  { replay }: One,
  { row, attempt }: Planned,
  verdict: Verdict = REPEATED,
) {
  const { nonce, amountMinor = attempt.request.amountMinor } = row;
  if (!isBeginning(row)) return passes(verdict);
  if (nonce === undefined || replay.orderBy(nonce) !== undefined) return true;
  if (!passes(verdict) || verdict.outcome === REPEATED.outcome) return true;
  return (verdict.amountMinor ?? attempt.request.amountMinor) !== amountMinor;
}

/** Whether a replay holds or has counted the order of a check: another check of it is a repeat. */
export function isKnownTo({ replay, paid }: One, { attempt: { id }, row }: Planned): boolean {
  return paid.has(id) || replay.heldAs(id, row.at) !== undefined;
}

/** Nobody pays more than a draft held, where that is less than what was held. */
export function finalAmount({ mostMinor = Infinity }: KeptOrder, finalMinor: number | undefined) {
  return finalMinor === undefined ? undefined : Math.min(finalMinor, mostMinor);
}
