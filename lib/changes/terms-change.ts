import type { Reasoned } from '../shared/actor.ts';
import { overridesOf } from '../rule/terms.ts';
import type { Rule } from '../rule/rule.ts';
import { isDeepStrictEqual } from 'node:util';
import { present } from '../shared/present.ts';
import type { Subject } from '../shared/subject.ts';
import type { Freeze, Override, Terms } from '../rule/own-terms.ts';
import { hasEnded } from '../rule/rule.ts';

/** A change that a caller wishes. */
export type TermsWish =
  | {
      readonly kind: 'override';
      readonly override: Omit<Override, keyof Reasoned | 'id'>;
      /** Milliseconds from the change to the start. */
      readonly afterMs?: number;
    }
  /** `all`, or the id of one; absent where the rule has one alone. */
  | { readonly kind: 'endOverride'; readonly rule: string; readonly overrideId?: string }
  | { readonly kind: 'freeze'; readonly until?: Date }
  | { readonly kind: 'unfreeze' };

/** One change of a subject's terms, kept for ever. */
export type TermsChanged = Reasoned & {
  /** The version of the terms after it, even where none are left. */
  readonly version: string;
  readonly subject: Subject;
  readonly change: TermsWish['kind'];
  /** The rule of an override. */
  readonly rule?: string;
  readonly before?: Terms;
  readonly after?: Terms;
};

/** What a subject's document says of its terms, and when. */
export type TermsFound = {
  readonly terms?: Terms;
  readonly now: Date;
  /** No order of it is known: it is new, or idle for a week, or its id is mistyped. */
  readonly isUnseen?: true;
};

/** What was there when a change was asked for that may be made a week later: it is made for nothing else. */
export type TermsBasis = {
  /** When each freeze or override that it replaces was given, and is over. */
  readonly replaces: readonly { readonly at: Date; readonly until?: Date }[];
  /** The version of an override's rule; absent where there was no such rule. */
  readonly ruleVersion?: number;
};

/** The id of the rule that a wish is about; undefined of a freeze. */
export function ruleOfWish(wish: TermsWish): string | undefined {
  if (wish.kind === 'override') return wish.override.rule;
  return wish.kind === 'endOverride' ? wish.rule : undefined;
}

/** A wish about an override, of a rule that overrides call so. */
export function wishOf(wish: TermsWish, name: string): TermsWish {
  if (wish.kind === 'override') return { ...wish, override: { ...wish.override, rule: name } };
  return wish.kind === 'endOverride' ? { ...wish, rule: name } : wish;
}

/** What a change replaces or takes away: the freeze, or the rule's overrides that are not over. */
export function replacedBy(
  before: Terms | undefined,
  wish: TermsWish,
  now: Date,
): readonly (Freeze | Override)[] {
  const id = ruleOfWish(wish);
  if (id !== undefined) return overridesFrom(before, { id }, now);
  return before?.freeze === undefined ? [] : [before.freeze];
}

/** The terms after a change at its author's instant; undefined where none are left. */
export function termsAfter(
  before: Terms | undefined,
  wish: TermsWish,
  author: Reasoned,
  version: string,
): Terms | undefined {
  const { overrides = [], freeze } = before ?? {};
  switch (wish.kind) {
    case 'override': {
      const added = { id: version, ...beginning(wish, author.at), ...author };
      const below = overrides.flatMap((one) =>
        isReplacedBy(one, added, wish) ? cutAt(one, added.from ?? author.at) : [one],
      );
      const left = [...below, added].filter((one) => !hasEnded(one, author.at));
      return termsOf(version, left, freeze);
    }
    case 'endOverride': {
      const left = overrides.filter(
        ({ id, rule }) => rule !== wish.rule || ![undefined, 'all', id].includes(wish.overrideId),
      );
      return termsOf(version, left, freeze);
    }
    case 'freeze':
      return termsOf(version, overrides, { ...author, ...present({ until: wish.until }) });
    case 'unfreeze':
      return termsOf(version, overrides, undefined);
  }
}

/**
 * An override without an end takes the place of those whose sums it says; one with an end lies above them, and
 * they are in force again when it is over. A repeat takes the place of the first.
 */
function isReplacedBy(
  below: Override,
  added: Override,
  wish: Extract<TermsWish, { readonly kind: 'override' }>,
): boolean {
  if (below.rule !== added.rule) return false;
  return (added.until === undefined && saysAll(added, below)) || isSameWish(below, wish, added);
}

/** An override as it begins after its delay, if it has one. */
export function beginning(
  { override, afterMs }: Extract<TermsWish, { readonly kind: 'override' }>,
  now: Date,
) {
  return afterMs === undefined
    ? override
    : { ...override, from: new Date(now.getTime() + afterMs) };
}

function termsOf(
  version: string,
  overrides: readonly Override[],
  freeze: Freeze | undefined,
): Terms | undefined {
  if (overrides.length === 0 && freeze === undefined) return undefined;
  return { version, overrides, ...present({ freeze }) };
}

/** Says whether this wish of its author was made already, and its answer lost. An end leaves nothing to tell it by. */
export function isMade(
  terms: Terms | undefined,
  wish: TermsWish,
  { by, reason }: Pick<Reasoned, 'by' | 'reason'>,
): boolean {
  if (wish.kind === 'override')
    return (terms?.overrides ?? []).some((one) => isSameWish(one, wish, { by, reason }));
  if (wish.kind !== 'freeze' || terms?.freeze === undefined) return false;
  const { at: _at, approvedBy: _by, ...made } = terms.freeze;
  return isDeepStrictEqual(made, { ...present({ until: wish.until }), by, reason });
}

/** Says whether an override is what its author wishes once more. */
function isSameWish(
  { id: _id, at: _at, approvedBy: _approvedBy, from, ...made }: Override,
  { override, afterMs }: Extract<TermsWish, { readonly kind: 'override' }>,
  { by, reason }: Pick<Reasoned, 'by' | 'reason'>,
): boolean {
  const begins = afterMs === undefined ? { from } : {}; // a delay is counted from the change on
  return isDeepStrictEqual({ ...made, ...present(begins) }, { ...override, by, reason });
}

/** The version of terms: `none` where a subject has no terms. */
export function versionOf(terms: Terms | undefined): string {
  return terms?.version ?? 'none';
}

/** Those of them that are not over. */
export function overridesFrom(
  terms: Terms | undefined,
  rule: Pick<Rule, 'id' | 'namedAs'>,
  now: Date,
): readonly Override[] {
  return overridesOf(terms, rule).filter((one) => !hasEnded(one, now));
}

/** An override up to an instant; none where it begins no earlier. */
function cutAt(override: Override, at: Date): readonly Override[] {
  if (hasEnded(override, at)) return [override];
  return override.from === undefined || override.from < at ? [{ ...override, until: at }] : [];
}

/** Says whether an override says each sum that another one says. */
function saysAll({ max: above }: Pick<Override, 'max'>, { max }: Pick<Override, 'max'>): boolean {
  return Object.keys(max).every((sum) => Object.hasOwn(above, sum));
}
