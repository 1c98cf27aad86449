import type * as told from '../../contract/proposals.ts';
import type { Told } from '../../contract/words.ts';
import type { Actor } from '../shared/actor.ts';
import { RIGHTS } from '../shared/app.ts';
import { fitsInResponse, pageOf } from '../http/page.ts';
import type { Answered } from '../http/routed.ts';
import { untilJson } from '../http/standing-answer.ts';
import { durationText } from '../shared/duration.ts';
import type { Override, Rule } from '../rule/rule.ts';
import type { RuleEdit } from '../rule-book/rule-edit.ts';
import { ruleIdOf } from '../rule-book/rule-edit.ts';
import { authorJson, ruleChangeJson } from '../rule-book/rules-answer.ts';
import { effectJson, plainTerms } from '../terms/terms-answer.ts';
import type { TermsWish } from '../terms/terms-change.ts';
import { ruleIn } from '../terms/terms-change.ts';
import type { TermsEffect } from '../terms/terms-effect.ts';
import type { FourEyes } from './four-eyes.ts';
import type { Proposal, ProposedChange } from './proposal.ts';
import { stateOf } from './proposal.ts';
import type { ProposalLook } from './proposal-book.ts';

/** 202: what was asked for is kept, and has not happened. Source: RFC 9110, 15.3.3. */
export function proposedAnswer(proposal: Proposal, effect?: TermsEffect): Answered {
  const answer: Told<typeof told.proposedAnswer> = {
    proposal: proposalJson(proposal, proposal.at),
    effect: effectJson(effect),
  };
  const location = `/v1/proposals/${encodeURIComponent(proposal.id)}`;
  return { answer, status: 202, headers: { location } };
}

/** Writes who calls, what they may, which changes need a second person, and how private currencies are told. */
export function callerJson(
  by: Actor,
  rights: readonly string[],
  fourEyes: FourEyes['kind'],
  rules: readonly Rule[],
): Told<typeof told.callerAnswer> {
  const currencies = rules.flatMap(({ currency, digits }) =>
    currency === undefined || digits === undefined ? [] : [[currency, { digits }] as const],
  );
  return {
    by,
    rights: RIGHTS.filter((right) => rights.includes(right)),
    fourEyes,
    currencies: Object.fromEntries(currencies),
  };
}

/** Writes a proposal, without what it would change. */
export function proposalJson(proposal: Proposal, now: Date): Told<typeof told.proposal> {
  const { id, change, decided } = proposal;
  return {
    id,
    state: stateOf(proposal, now),
    ...aboutJson(change),
    ...authorJson(proposal),
    until: proposal.until.toISOString(),
    decided: decided === undefined ? null : authorJson(decided),
  };
}

function aboutJson(change: ProposedChange) {
  if (change.about === 'rules') {
    const { edit } = change;
    const rule = ruleIdOf(edit) ?? null;
    const { max, currency } = edit.kind === 'put' ? edit.rule : { max: null, currency: null };
    return {
      about: 'rules',
      operation: edit.kind,
      subject: null,
      rule,
      ...(typeof max === 'object' && max !== null ? { max: { ...max } } : {}),
      ...(typeof currency === 'string' ? { currency } : {}),
    } as const;
  }
  const { subject, wish, currency } = change;
  return {
    about: 'terms',
    operation: wish.kind,
    subject: { [subject.kind]: subject.id },
    rule: ruleIn(wish) ?? null,
    max: wish.kind === 'override' ? maximumJson(wish.override) : undefined,
    currency,
  } as const;
}

/**
 * Writes a proposal with what was asked for, and what it would change now: each rule, or the subject's terms,
 * as they are. Where that is more than a function may return, it leaves out the rules as they are, and names
 * one of those that share a counter.
 */
export function proposalLookJson(
  { proposal, changes, refused, terms, currencyOf, effect }: ProposalLook,
  now: Date,
): Told<typeof told.proposalAnswer> {
  const { change } = proposal;
  const look = {
    ...proposalJson(proposal, now),
    asked: change.about === 'terms' ? wishJson(change.wish) : editJson(change.edit),
    refused: refused === undefined ? null : { code: refused.code, detail: refused.message },
    terms:
      terms === undefined || currencyOf === undefined
        ? null
        : plainTerms(terms.terms, terms.now, currencyOf),
    effect: effectJson(effect) ?? null,
  };
  if (changes === undefined) return { ...look, changes: null };
  const whole = changes.map((each) => ({ ...ruleChangeJson(each), before: each.before ?? null }));
  const answer = { ...look, changes: whole };
  if (fitsInResponse([answer])) return answer;
  return { ...look, changes: changes.map((each) => ruleChangeJson(each, 1)) };
}

function wishJson(wish: TermsWish) {
  if (wish.kind === 'freeze') return { until: untilJson(wish) };
  if (wish.kind === 'endOverride') return { overrideId: wish.overrideId };
  if (wish.kind !== 'override') return {};
  const { from } = wish.override;
  return {
    max: maximumJson(wish.override),
    from: from?.toISOString() ?? null,
    effectiveAfter: wish.afterMs === undefined ? null : durationText(wish.afterMs),
    until: untilJson(wish.override),
  };
}

function maximumJson({ max }: Pick<Override, 'max'>) {
  return { amount: max.amountMinor, count: max.count };
}

function editJson({ condition, kind: _kind, ...edit }: RuleEdit) {
  const asked = 'id' in edit ? {} : edit;
  switch (condition.kind) {
    case 'versions':
      return {
        ifMatch: condition.versions.map((version) => `"${version}"`).join(', '),
        ...asked,
      };
    case 'any':
      return { ifMatch: '*', ...asked };
    case 'absent':
    case 'unsaid':
      return { ifNoneMatch: '*', ...asked };
  }
}

/** Writes a page of proposals; `next` is what the next page is `before`. */
export function proposalsJson(
  limit: number,
  found: readonly Proposal[],
  now: Date,
): Told<typeof told.proposalsAnswer> {
  const { rows, last } = pageOf(found, limit, (each) => proposalJson(each, now));
  return { proposals: rows, next: last?.id ?? null };
}
