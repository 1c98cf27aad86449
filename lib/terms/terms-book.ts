import type { Reasoned } from '../shared/actor.ts';
import { CHANGES_FIRST_MAX, OVERRIDES_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import { present } from '../shared/present.ts';
import type { Subject } from '../shared/subject.ts';
import { documentId } from '../shared/subject.ts';
import { termsNeedSecond } from '../four-eyes/four-eyes.ts';
import type { Approval, Proposal, SecondPerson } from '../four-eyes/proposal.ts';
import { propose } from '../four-eyes/proposal.ts';
import type { Rule } from '../rule/rule.ts';
import { hasEnded, overrideName } from '../rule/rule.ts';
import type { Terms } from '../rule/own-terms.ts';
import {
  isMade,
  replacedBy,
  ruleOfWish,
  termsAfter,
  versionOf,
  wishOf,
} from '../changes/terms-change.ts';
import type { TermsBasis, TermsChanged, TermsFound, TermsWish } from '../changes/terms-change.ts';
import type { TermsEffect } from '../changes/terms-effect.ts';
import { termsEffectOf } from '../changes/terms-effect.ts';
import {
  TermsChangedError,
  TermsRefusedError,
  refuseNothing,
  refuseOtherRule,
  refuseOthers,
  whyUnasked,
} from './terms-refusals.ts';

/** Which changes of a subject's terms are asked for. */
export type ChangesQuery = {
  readonly subject: Subject;
  /** Those before this instant alone; of this instant itself, those below a version, if one is said. */
  readonly before?: { readonly at: Date; readonly id?: string } | undefined;
  readonly limit: number;
  /** The list ends with the first change that brings it to so many bytes of JSON. Default: no bound. */
  readonly bytesMax?: number;
};

/** Where subjects' terms are, and every change that they ever had. */
export type TermsStore = {
  readonly read: (subject: Subject, estimate: Date, at?: Date) => Promise<TermsFound>;
  /**
   * Puts the terms after a change in place, keeps the change and decides the proposal: all or none.
   *
   * @returns false where other terms came first
   * @throws UndecidedError where the proposal is not open any more
   */
  readonly replace: (change: TermsChanged, approval?: Approval) => Promise<boolean>;
  /** Newest first. */
  readonly changes: (query: ChangesQuery) => Promise<readonly TermsChanged[]>;
};

type TermsBookOptions = {
  readonly store: TermsStore;
  /** Each with its version. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** Kinds whose documents every check asks that names one, so that nothing about them is missed. */
  readonly alwaysAsked: readonly string[];
  /** A text that no other change has. */
  readonly version: () => string;
  readonly second: SecondPerson;
  readonly machineNow: () => Date;
};

/** The rule that overrides call so; undefined where it is not there. */
export type RuleOf = (name: string) => Rule | undefined;

type How = {
  readonly at?: Date | undefined;
  /** Decided in the same commit. Without one, a change that needs a second person waits. */
  readonly approval?: Approval;
  /** The terms that the author saw. Default: any. */
  readonly basis?: TermsBasis;
  /** The version of the terms to change, see `versionOf`. Default: any. */
  readonly expected?: string | undefined;
  /** Change only if there is nothing to replace, in force or to come. */
  readonly isFirst?: boolean;
  readonly dryRun?: boolean;
};

/** The terms as they are now, and what a change did, or would do. `proposed`: it waits for a second person. */
export type TermsOutcome = TermsFound & {
  /** Undefined where the rule of an override is not there. */
  readonly effect: TermsEffect | undefined;
  readonly needsSecond: boolean;
  readonly proposed?: Proposal;
};

/** Where subjects' terms are read and changed, and every change is kept. */
export type TermsBook = ReturnType<typeof createTermsBook>;

/** Puts a terms book together. */
export function createTermsBook(options: TermsBookOptions) {
  const { store, rules, alwaysAsked, version, machineNow, second } = options;
  return {
    read: (subject: Subject, at?: Date) => store.read(subject, machineNow(), at),
    changes: store.changes,
    /** What overrides call a rule. @param id its own, or one that it had */
    async nameOf(id: string): Promise<string> {
      const rule = ruleCalled(await rules(), id);
      return rule === undefined ? id : overrideName(rule);
    },
    /** Finds rules as they are now, by what overrides call them. */
    async ruleOf(): Promise<RuleOf> {
      const known = new Map((await rules()).map((rule) => [overrideName(rule), rule]));
      return (name) => known.get(name);
    },
    /**
     * Changes terms in one commit, for every check that begins after the answer. What is `proposed` waits
     * for a second person, and nothing has changed yet.
     *
     * @throws NoSuchTermsError, TermsRefusedError, TermsChangedError, RuleChangedError, UndecidedError
     */
    async change(
      subject: Subject,
      asked: TermsWish,
      by: Omit<Reasoned, 'at'>,
      how: How = {},
    ): Promise<TermsOutcome> {
      const { at, approval, basis } = how;
      const id = ruleOfWish(asked);
      const rule = id === undefined ? undefined : ruleCalled(await rules(), id);
      if (basis !== undefined) refuseOtherRule(id, rule, basis);
      const why = whyUnasked(rule, subject, asked, alwaysAsked);
      if (why !== undefined) throw new TermsRefusedError(why);
      const wish = rule === undefined ? asked : wishOf(asked, overrideName(rule));
      for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
        const { terms: before, now, isUnseen } = await store.read(subject, machineNow(), at);
        const unchanged = { now, ...present({ terms: before, isUnseen }) };
        const replaced = replacedBy(before, wish, now);
        const other = otherThanMeant(subject, id, before, replaced, now, how);
        // Made by an earlier try of this very call: once more is no other change.
        if (other !== undefined && isMade(before, wish, by)) {
          const effect = termsEffectOf(wish, rule, [before, before], now);
          return { ...unchanged, effect, needsSecond: false };
        }
        if (other !== undefined) throw other;
        refuseNothing(subject, id, before, wish, now);
        if (basis !== undefined) refuseOthers(subject, replaced, basis, now);
        const author = { ...by, at: now };
        const change = changeOf(subject, before, wish, author, version());
        const effect = termsEffectOf(wish, rule, [before, change.after], now);
        const needsSecond =
          approval === undefined && termsNeedSecond(second.fourEyes, wish.kind, effect);
        if (how.dryRun === true) return { ...unchanged, effect, needsSecond };
        if (needsSecond) {
          const replaces = replaced.map((one) => ({
            at: one.at,
            ...present({ until: one.until }),
          }));
          const { version: ruleVersion, currency } = { ...rule };
          const found = { replaces, ...present({ ruleVersion, currency }) };
          const proposal = { about: 'terms', subject, wish: asked, ...found } as const;
          const proposed = await propose(second, proposal, author);
          return { ...unchanged, effect, needsSecond, proposed };
        }
        if (await store.replace(change, approval))
          return { now, ...present({ terms: change.after, isUnseen }), effect, needsSecond };
      }
      throw new UndecidedError('other changes of the same subject kept coming first');
    },
  };
}

/** The rule that a caller means: by its id, or by the one that it had first. */
function ruleCalled(rules: readonly Rule[], id: string): Rule | undefined {
  return rules.find((one) => one.id === id) ?? rules.find((one) => overrideName(one) === id);
}

function changeOf(
  subject: Subject,
  before: Terms | undefined,
  wish: TermsWish,
  author: Reasoned,
  version: string,
): TermsChanged {
  const after = termsAfter(before, wish, author, version);
  if ((after?.overrides.length ?? 0) > OVERRIDES_MAX)
    throw new TermsRefusedError(
      `a subject has at most ${OVERRIDES_MAX} overrides, with future ones: end some that you no longer need`,
    );
  const told = present({ rule: ruleOfWish(wish), before, after });
  return { version, subject, change: wish.kind, ...author, ...told };
}

/** Where a change is for other terms than there are: the error that says so. */
function otherThanMeant(
  { kind, id }: Subject,
  rule: string | undefined,
  before: Terms | undefined,
  replaced: ReturnType<typeof replacedBy>,
  now: Date,
  { expected, isFirst = false }: How,
): TermsChangedError | undefined {
  const document = documentId(kind, id);
  const version = versionOf(before);
  if (expected !== undefined && expected !== version)
    return new TermsChangedError(
      `the terms of ${document} are at version ${JSON.stringify(version)}`,
      JSON.stringify(expected),
    );
  if (!isFirst || replaced.every((one) => hasEnded(one, now))) return undefined;
  const what = rule === undefined ? 'freeze' : `override of rule ${JSON.stringify(rule)}`;
  return new TermsChangedError(`${document} has the ${what} already`, 'one that has none');
}
