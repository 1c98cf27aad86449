import type { Override, Reasoned } from '../override.ts';
import { isSameJson } from '../rule-set.ts';
import { present } from '../../shared/present.ts';
import type { Subject } from '../../shared/subject.ts';
import type { Freeze, Terms } from './terms.ts';
import { overridesFrom, withOverride, withoutOverrides } from './terms.ts';

/** What is to become of a subject's terms. */
export type TermsEdit =
  | { readonly kind: 'override'; readonly override: Omit<Override, keyof Reasoned> }
  | { readonly kind: 'endOverride'; readonly rule: string }
  | { readonly kind: 'freeze'; readonly until?: Date }
  | { readonly kind: 'unfreeze' };

/** One change of a subject's terms, as it is kept for ever. */
export type TermsChanged = Reasoned & {
  /** That of the terms after it; of terms that were taken away, what theirs would have been. */
  readonly version: string;
  readonly subject: Subject;
  /** What was done: `override`, `endOverride`, `freeze`, `unfreeze`. */
  readonly change: TermsEdit['kind'];
  /** Of an override, its rule. */
  readonly rule?: string;
  /** What the subject had; absent where it had no terms. */
  readonly before?: Terms;
  /** What it has; absent where it has none any more. */
  readonly after?: Terms;
};

/** What a subject's document says of its terms, and when. */
export type TermsFound = { readonly terms?: Terms; readonly now: Date };

/** Which changes are asked for. */
export type ChangesQuery = {
  readonly subject: Subject;
  /** Those before this instant alone; of this instant itself, those below a version, if one is said. */
  readonly before?: { readonly at: Date; readonly id?: string } | undefined;
  readonly limit: number;
  /** The list ends with the first change that brings it to so many bytes of JSON. Default: no bound. */
  readonly bytesMax?: number;
};

/** What a caller wants done; an override may begin after a delay. */
export type TermsWish =
  | Exclude<TermsEdit, { readonly kind: 'override' }>
  | {
      readonly kind: 'override';
      readonly override: Omit<Override, keyof Reasoned>;
      /** Milliseconds from the change on. */
      readonly afterMs?: number;
    };

/** When what a change takes the place of was given, and when it is over. */
export type Replaced = { readonly at: Date; readonly until?: Date };

/** What a change that waits was asked for in view of. It is made in view of nothing else. */
export type TermsBasis = {
  /** What it takes the place of: all that, but for what is over by itself, and nothing that was given since. */
  readonly replaces: readonly Replaced[];
  /** The version of an override's rule; absent where there was no such rule. */
  readonly ruleVersion?: number;
};

/** What a change takes the place of, or takes away: the freeze, or the rule's overrides that are not over. */
export function replacedBy(
  before: Terms | undefined,
  edit: TermsEdit,
  now: Date,
): readonly (Freeze | Override)[] {
  if (edit.kind === 'freeze' || edit.kind === 'unfreeze')
    return before?.freeze === undefined ? [] : [before.freeze];
  const id = edit.kind === 'override' ? edit.override.rule : edit.rule;
  return overridesFrom(before, { id }, now);
}

/** Works out the terms after a change; undefined where none are left. */
export function termsAfter(
  before: Terms | undefined,
  edit: TermsEdit,
  author: Reasoned,
  version: string,
  now: Date,
): Terms | undefined {
  const overrides = before?.overrides ?? [];
  const { freeze } = before ?? {};
  switch (edit.kind) {
    case 'override': {
      const added = { ...edit.override, ...author };
      return termsOf(version, withOverride(overrides, added, now), freeze);
    }
    case 'endOverride':
      return termsOf(version, withoutOverrides(overrides, edit.rule), freeze);
    case 'freeze': {
      return termsOf(version, overrides, { ...author, ...present({ until: edit.until }) });
    }
    case 'unfreeze':
      return termsOf(version, overrides, undefined);
  }
}

/**
 * Says whether terms are so by this very wish of its author already: the answer to it was lost. What
 * takes something away leaves nothing to tell it by.
 */
export function isMade(
  terms: Terms | undefined,
  wish: TermsWish,
  { by, reason }: Omit<Reasoned, 'at'>,
): boolean {
  const author = { by, reason };
  switch (wish.kind) {
    case 'override': {
      const { override, afterMs } = wish;
      const asked = { ...override, ...author };
      return (terms?.overrides ?? []).some(({ rule, max, from, until, ...made }) => {
        const begins = afterMs === undefined ? from : undefined; // a delay is counted from the change on
        return isSame({ rule, max, from: begins, until, by: made.by, reason: made.reason }, asked);
      });
    }
    case 'freeze': {
      if (terms?.freeze === undefined) return false;
      const { until, ...made } = terms.freeze;
      const asked = { until: wish.until, ...author };
      return isSame({ until, by: made.by, reason: made.reason }, asked);
    }
    case 'endOverride':
    case 'unfreeze':
      return false;
  }
}

/** Instants are the same where their texts are, and what is undefined is absent. */
function isSame(one: object, other: object): boolean {
  return isSameJson(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

function termsOf(
  version: string,
  overrides: readonly Override[],
  freeze: Freeze | undefined,
): Terms | undefined {
  if (overrides.length === 0 && freeze === undefined) return undefined;
  return { version, overrides, ...present({ freeze }) };
}
