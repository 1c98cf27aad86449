import type { Authorship } from '../shared/actor.ts';

/** Who gave a subject terms of its own, when, and why. */
export type Reasoned = Authorship & { readonly reason: string };

/** From an instant, or at once, up to another; without an end until it is taken back. */
export type Validity = { readonly from?: Date; readonly until?: Date };

/** A subject's own maximum of one rule. What is absent stays the rule's own; null is no maximum. */
export type Override = Validity &
  Reasoned & {
    readonly rule: string;
    readonly max: { readonly amountMinor?: number | null; readonly count?: number | null };
  };

/** An override that is in force, and the maximum that the rule has of its own. */
export type OverrideInForce = Override & {
  readonly own: { readonly amountMinor?: number; readonly count?: number };
};

/** Says whether an instant lies in a stretch. */
export function isWithin({ from, until }: Validity, at: Date): boolean {
  return (from === undefined || from <= at) && (until === undefined || at < until);
}

/** Says whether a stretch has ended by an instant. */
export function isOver({ until }: Pick<Validity, 'until'>, at: Date): boolean {
  return until !== undefined && until <= at;
}
