import type * as told from '../../contract/terms.ts';
import type { Told } from '../../contract/words.ts';
import { present } from '../shared/present.ts';
import type { Rule } from '../rule/rule.ts';
import type { Override, Terms, Validity } from '../rule/own-terms.ts';
import { isLive, isWithin } from '../rule/rule.ts';
import type { Subject } from '../shared/subject.ts';
import { versionOf } from '../changes/terms-change.ts';
import type { RuleOf, TermsOutcome } from './terms-book.ts';
import type { TermsChanged, TermsFound } from '../changes/terms-change.ts';
import { maximumJson, untilJson } from '../http/standing-answer.ts';
import { pageOf, placeText } from '../http/page.ts';
import { authorJson } from '../http/author-answer.ts';
import { effectJson } from '../http/effect-answer.ts';

/** Writes a subject's terms, those to come among them. */
export function termsJson(
  subject: Subject,
  { terms, now, isUnseen }: TermsFound,
  ruleOf: RuleOf,
): Told<typeof told.termsAnswer> {
  return {
    subject: { [subject.kind]: subject.id },
    ...plainTerms(terms, now, ruleOf),
    version: versionOf(terms),
    now,
    unseen: isUnseen,
  };
}

/** Writes the terms after a change, and what it did; of a dry run those before, and what it would do. */
export function changedJson(
  subject: Subject,
  outcome: TermsOutcome,
  isDry: boolean,
  ruleOf: RuleOf,
): Told<typeof told.termsAnswer> {
  return {
    ...termsJson(subject, outcome, ruleOf),
    effect: effectJson(outcome.effect),
    dryRun: isDry ? true : undefined,
    needsSecondPerson: isDry ? outcome.needsSecond : undefined,
  };
}

/** Writes a page of changes; `next` is what the next page is `before`. */
export function changesJson(
  subject: Subject,
  limit: number,
  found: readonly TermsChanged[],
  ruleOf: RuleOf,
): Told<typeof told.termsChangesAnswer> {
  const { rows, last } = pageOf(found, limit, (one) => changeJson(one, ruleOf));
  return {
    subject: { [subject.kind]: subject.id },
    changes: rows,
    next: last === undefined ? null : placeText(last.at.getTime(), last.version),
  };
}

function changeJson({ change, rule, before, after, ...author }: TermsChanged, ruleOf: RuleOf) {
  return {
    change,
    rule: rule === undefined ? undefined : (ruleOf(rule)?.id ?? rule),
    ...authorJson(author),
    before: before === undefined ? null : plainTerms(before, author.at, ruleOf, isSeen),
    after: after === undefined ? null : plainTerms(after, author.at, ruleOf, isSeen),
  };
}

/**
 * Writes what a subject has of its own, as it stands at an instant.
 *
 * @param isInForce of the past nobody knows whether the rule was in force
 */
export function plainTerms(
  terms: Terms | undefined,
  at: Date,
  ruleOf: RuleOf,
  isInForce: typeof isSeen = (override, above, now) =>
    isSeen(override, above, now) && isRuleInForce(ruleOf(override.rule), now),
): Told<typeof told.terms> {
  const { freeze, overrides = [] } = terms ?? {};
  return {
    freeze: freeze === undefined ? null : { ...stretchJson(freeze, at), ...authorJson(freeze) },
    overrides: overrides.map((one, index) => ({
      ...ownOverrideJson(one, at, ruleOf(one.rule)),
      inForce: isInForce(one, overrides.slice(index + 1), at),
    })),
  };
}

function ownOverrideJson(override: Override, now: Date, rule: Rule | undefined) {
  const { id, rule: name, max } = override;
  return {
    id,
    rule: rule?.id ?? name,
    max: maximumJson(max),
    currency: rule?.currency,
    ...stretchJson(override, now),
    ...authorJson(override),
  };
}

/** Whether an override says some sum now, and none above it says that too. */
function isSeen(override: Override, above: readonly Override[], at: Date): boolean {
  const { rule, max } = override;
  const covering = above.filter((one) => one.rule === rule && isWithin(one, at));
  const isOpen = (sum: string): boolean => !covering.some((one) => Object.hasOwn(one.max, sum));
  return isWithin(override, at) && Object.keys(max).some(isOpen);
}

/** Whether a rule is in force or on trial, so that its maximum is asked. */
function isRuleInForce(rule: Rule | undefined, at: Date): boolean {
  return (
    rule !== undefined && isLive(rule) && isWithin(present({ from: rule.from, until: rule.to }), at)
  );
}

function stretchJson(stretch: Validity & { readonly at: Date }, now: Date) {
  const { from = stretch.at } = stretch;
  return {
    inForce: isWithin(stretch, now),
    from,
    until: untilJson(stretch),
  };
}
