import type * as told from '../../contract/proposals.ts';
import type { Told } from '../../contract/words.ts';
import type { Actor } from '../shared/actor.ts';
import { RIGHTS } from '../../contract/calls.ts';
import { fitsInResponse, pageOf } from '../http/page.ts';
import { refusalJson } from '../http/refusal-answer.ts';
import { maximumJson, quantityJson, untilJson } from '../http/standing-answer.ts';
import { sumReached } from '../review/reviewed-order.ts';
import type { Language } from '../shared/language.ts';
import { present } from '../shared/present.ts';
import { durationText } from '../shared/duration.ts';
import type { Rule } from '../rule/rule.ts';
import type { RuleEdit } from '../changes/rule-edit.ts';
import { ruleChangeJson } from '../rule-book/rules-answer.ts';
import { plainTerms } from '../terms/terms-answer.ts';
import type { TermsWish } from '../changes/terms-change.ts';
import { lookAlikesIn } from '../four-eyes/look-alike.ts';
import type { FourEyes } from '../four-eyes/four-eyes.ts';
import type { Proposal, ProposedChange, ReviewedOrder } from '../four-eyes/proposal.ts';
import type { ProposalLook } from './proposal-book.ts';
import { effectJson } from '../http/effect-answer.ts';
import { proposalJson } from '../four-eyes/proposed-answer.ts';

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

/**
 * Writes a proposal for a reader, with what was asked for, and what it would change now: each rule, or the subject's terms,
 * as they are. Where that is more than a function may return, it leaves out the rules as they are, and names
 * one of those that share a counter.
 */
export function proposalLookJson(
  { proposal, changes, refused, terms, ruleOf, effect }: ProposalLook,
  now: Date,
  language: Language,
  reader: Actor,
): Told<typeof told.proposalAnswer> {
  const { change } = proposal;
  const look = {
    ...proposalJson(proposal, now),
    asked: askedJson(change),
    ...(change.about === 'order' ? reviewedJson(change, language) : {}),
    refused: refused === undefined ? null : { code: refused.code, detail: refused.message },
    terms:
      terms === undefined || ruleOf === undefined
        ? null
        : plainTerms(terms.terms, terms.now, ruleOf),
    effect: effectJson(effect) ?? null,
    lookAlikes: [...lookAlikesIn(proposal.by, proposal.decided?.by ?? reader)],
  };
  if (changes === undefined || change.about === 'order') return { ...look, changes: null };
  const whole = changes.map((each) => ({ ...ruleChangeJson(each), before: each.before ?? null }));
  const answer = { ...look, changes: whole };
  if (fitsInResponse([answer])) return answer;
  return { ...look, changes: changes.map((each) => ruleChangeJson(each, 1)) };
}

function askedJson(change: ProposedChange) {
  switch (change.about) {
    case 'order': {
      const { orderId } = change.order;
      const { type, subjects, amountMinor: amount, currency, count } = change.payment;
      return present({ orderId, type, subjects, amount, currency, count });
    }
    case 'terms':
      return wishJson(change.wish);
    case 'rules':
      return editJson(change.edit);
  }
}

/** How the rules stood that an order exceeds, and the sums that it may reach with an approval. */
function reviewedJson({ payment, refusals }: ReviewedOrder, language: Language) {
  return {
    refusals: refusals.map((refusal) => ({
      ...refusalJson(refusal, payment, language),
      upTo: quantityJson(sumReached(refusal, payment)),
    })),
  };
}

function wishJson(wish: TermsWish) {
  if (wish.kind === 'freeze') return { until: untilJson(wish) };
  if (wish.kind === 'endOverride') return { overrideId: wish.overrideId };
  if (wish.kind !== 'override') return {};
  const { from } = wish.override;
  return {
    max: maximumJson(wish.override.max),
    from: from ?? null,
    effectiveAfter: wish.afterMs === undefined ? null : durationText(wish.afterMs),
    until: untilJson(wish.override),
  };
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
