import { CHANGES_FIRST_MAX, EXACT_COUNT_MAX, OVERRIDES_MAX } from '../../shared/bounds.ts';
import { UndecidedError } from '../../shared/errors.ts';
import { termsNeedSecond } from '../four-eyes/four-eyes.ts';
import type { Override, Reasoned } from '../override.ts';
import type { Rule } from '../rule.ts';
import { isExact } from '../rule.ts';
import { present } from '../../shared/present.ts';
import type { Subject } from '../../shared/subject.ts';
import { documentId } from '../../shared/subject.ts';
import type { Terms } from './terms.ts';
import { NO_TERMS } from './terms.ts';
import type { TermsBook } from './terms-outcome.ts';
import type { TermsChanged, TermsEdit, TermsWish } from './terms-change.ts';
import { isMade, replacedBy, termsAfter } from './terms-change.ts';
import { NoSuchTermsError, TermsChangedError, TermsRefusedError } from './terms-errors.ts';
import type { TermsStore } from './terms-store.ts';
import type { SecondPerson } from '../four-eyes/second-person.ts';
import { assertOpen, propose } from '../four-eyes/second-person.ts';
import { basisOf, refuseOtherRule, refuseOthers, ruleIn } from './terms-basis.ts';

type TermsBookOptions = {
  readonly store: TermsStore;
  /** As they are stored, each with its version. */
  readonly rules: () => Promise<readonly Rule[]>;
  /** Kinds whose documents every check asks that names one, so that nothing about them is missed. */
  readonly alwaysAsked: readonly string[];
  /** A text that no other change has. */
  readonly version: () => string;
  readonly second: SecondPerson;
  /** The machine's clock. */
  readonly machineNow: () => Date;
};

/** Puts a terms book together. */
export function createTermsBook(options: TermsBookOptions): TermsBook {
  const { store, rules, alwaysAsked, version, machineNow, second } = options;
  return {
    read: (subject, at) => store.read(subject, machineNow(), at),
    changes: store.changes,
    async change(subject, wish, by, how = {}) {
      const { at, approval, basis, dryRun = false } = how;
      const rule = await ruleOf(wish, rules);
      if (basis !== undefined) refuseOtherRule(wish, rule, basis);
      const why =
        wish.kind === 'override' && whyNotOverridden(rule, subject, wish.override, alwaysAsked);
      if (typeof why === 'string') throw new TermsRefusedError(why);
      if (wish.kind === 'freeze' && !alwaysAsked.includes(subject.kind))
        throw new TermsRefusedError(notAsked(subject.kind, alwaysAsked, 'be frozen'));
      for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
        const { terms: before, now } = await store.read(subject, machineNow(), at);
        const edit = editOf(wish, now);
        const other = otherThanMeant(subject, before, replacedBy(before, edit, now), now, how);
        if (other !== undefined) {
          // Made by an earlier try of this very call: once more is no other change.
          if (before !== undefined && isMade(before, wish, by)) return { now, terms: before };
          throw other;
        }
        refuseNothing(subject, before, edit, now);
        const replaced = replacedBy(before, edit, now);
        if (basis !== undefined) refuseOthers(subject, replaced, basis, now);
        const change = changeOf(subject, before, edit, { ...by, at: now }, version());
        const { after } = change;
        if (dryRun) return { now, ...present({ terms: before }) };
        if (approval === undefined && termsNeedSecond(second.fourEyes, before, edit, rule, now)) {
          const author = { ...by, at: now };
          const asked = { about: 'terms', subject, wish, ...basisOf(replaced, rule) } as const;
          const proposed = await propose(second, asked, author);
          return { now, proposed, ...present({ terms: before }) };
        }
        if (await store.replace(change, approval)) return { now, ...present({ terms: after }) };
        if (approval !== undefined) await assertOpen(second.store, approval);
      }
      throw new UndecidedError('other changes of the same subject kept coming first');
    },
  };
}

/** The rule that a wish is about; undefined where it is about none, or none of its name is in force. */
async function ruleOf(
  wish: TermsWish,
  rules: () => Promise<readonly Rule[]>,
): Promise<Rule | undefined> {
  const id = ruleIn(wish);
  return id === undefined ? undefined : (await rules()).find((one) => one.id === id);
}

/** @throws TermsRefusedError where the subject would have too many overrides */
function changeOf(
  subject: Subject,
  before: Terms | undefined,
  edit: TermsEdit,
  author: Reasoned,
  version: string,
): TermsChanged {
  const after = termsAfter(before, edit, author, version, author.at);
  if ((after?.overrides.length ?? 0) > OVERRIDES_MAX)
    throw new TermsRefusedError(
      `a subject has at most ${OVERRIDES_MAX} overrides, with future ones: end some that you no longer need`,
    );
  return {
    version,
    subject,
    change: edit.kind,
    ...author,
    ...present({ rule: ruleIn(edit), before, after }),
  };
}

/** Where a change is for other terms than there are: the error that says so. */
function otherThanMeant(
  { kind, id }: Subject,
  before: Terms | undefined,
  replaced: ReturnType<typeof replacedBy>,
  now: Date,
  {
    expected,
    isFirst = false,
  }: { readonly expected?: string | undefined; readonly isFirst?: boolean | undefined },
): TermsChangedError | undefined {
  const document = documentId(kind, id);
  const version = before?.version ?? NO_TERMS;
  if (expected !== undefined && expected !== version)
    return new TermsChangedError(
      `the terms of ${document} are at version ${JSON.stringify(version)}`,
      JSON.stringify(expected),
    );
  const [there] = replaced.filter(({ until }) => until === undefined || now < until);
  if (!isFirst || there === undefined) return undefined;
  const what = 'rule' in there ? `override of rule ${JSON.stringify(there.rule)}` : 'freeze';
  return new TermsChangedError(`${document} has the ${what} already`, 'one that has none');
}

function editOf(wish: TermsWish, now: Date): TermsEdit {
  if (wish.kind !== 'override' || wish.afterMs === undefined) return wish;
  const from = new Date(now.getTime() + wish.afterMs);
  return { kind: 'override', override: { ...wish.override, from } };
}

/** @throws NoSuchTermsError where there is nothing to take away; TermsRefusedError where nothing is left to come */
function refuseNothing(
  subject: Subject,
  before: Terms | undefined,
  edit: TermsEdit,
  now: Date,
): void {
  const document = documentId(subject.kind, subject.id);
  if (edit.kind === 'unfreeze' && before?.freeze === undefined)
    throw new NoSuchTermsError(document, 'freeze');
  if (
    edit.kind === 'endOverride' &&
    before?.overrides.some(({ rule }) => rule === edit.rule) !== true
  )
    throw new NoSuchTermsError(document, `override of rule ${JSON.stringify(edit.rule)}`);
  if (edit.kind === 'freeze') refuseOver(edit.kind, edit.until, now);
  if (edit.kind !== 'override') return;
  const { from, until } = edit.override;
  refuseOver(edit.kind, until, now);
  if (from !== undefined && until !== undefined && until <= from)
    throw new TermsRefusedError(
      `the override would end at ${until.toISOString()}, before it begins at ${from.toISOString()}: give it a later until`,
    );
}

/**
 * What is over already would put nothing in the place of what it ends: a mistyped year must not
 * unfreeze anybody.
 *
 * @throws TermsRefusedError
 */
function refuseOver(what: 'override' | 'freeze', until: Date | undefined, now: Date): void {
  if (until === undefined || until > now) return;
  throw new TermsRefusedError(
    `the ${what} would end at ${until.toISOString()}, which is past (it is ${now.toISOString()}): give it a later until, or end the present one by DELETE`,
  );
}

/** Why no check would be decided by an override, or why it says what the rule cannot. */
function whyNotOverridden(
  rule: Rule | undefined,
  { kind }: Subject,
  { rule: id, max }: Pick<Override, 'rule' | 'max'>,
  alwaysAsked: readonly string[],
): string | undefined {
  const named = `rule ${JSON.stringify(id)}`;
  if (rule === undefined) return `there is no ${named} in force: GET /v1/rules lists all rules`;
  const { per, window, currency } = rule;
  if (per[0] !== kind)
    return `${named} counts per ${per.join(', ')}: only a ${per[0]} can have an override of it, not a ${kind}`;
  if (max.amountMinor !== undefined && currency === undefined)
    return `${named} has no currency, so it limits only counts`;
  if (window.kind === 'transaction' && !alwaysAsked.includes(kind))
    return notAsked(kind, alwaysAsked, `have overrides of a rule for single transactions`);
  const count = max.count === undefined ? rule.max.count : max.count;
  const isBounded = typeof count === 'number' && count >= 1 && count <= EXACT_COUNT_MAX;
  if (isExact(window) && !isBounded)
    return `${named} has an exact window, so its maximum count must be 1 to ${EXACT_COUNT_MAX}`;
  return undefined;
}

function notAsked(kind: string, alwaysAsked: readonly string[], what: string): string {
  return `a ${kind} cannot ${what}, because not every check reads its document: use ${alwaysAsked.join(', ')}, or add ${kind} to FREEZABLE_KINDS`;
}
