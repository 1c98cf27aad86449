import type { Reasoned } from '../shared/actor.ts';

/* What only one subject has, as it stands in its document. terms.ts says what it makes of rules. */

/** Amount in minor units and count; what is absent is not limited. */
export type Quantity = { readonly amountMinor?: number; readonly count?: number };

/** From an instant, or at once, up to another; without an end until it is taken back. */
export type Validity = { readonly from?: Date; readonly until?: Date };

/** A subject's own maximum of one rule. What is absent stays as it is below; null is no maximum. */
export type Override = Validity &
  Reasoned & {
    /** Names it among the subject's overrides, for ever. */
    readonly id: string;
    /** What they call the rule: see `overrideName`. */
    readonly rule: string;
    readonly max: { readonly amountMinor?: number | null; readonly count?: number | null };
  };

/** Every new check of the subject is refused. */
export type Freeze = Validity & Reasoned;

/** A subject's own terms, as they stand in its document. */
export type Terms = {
  /** Another one after each change: no two terms of a document ever have the same. */
  readonly version: string;
  readonly freeze?: Freeze;
  /** In the order in which they were given: of one rule, each lies above those before it. */
  readonly overrides: readonly Override[];
};
