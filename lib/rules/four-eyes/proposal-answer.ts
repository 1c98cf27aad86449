import type * as told from '../../../contract/proposals.ts';
import type { Told } from '../../../contract/words.ts';
import type { Actor } from '../../shared/actor.ts';
import { RIGHTS } from '../../shared/app.ts';
import type { Proposal, ProposalLook, ProposedChange } from './proposal.ts';
import { stateOf } from './proposal.ts';
import { HeadroomError } from '../../shared/errors.ts';
import type { Condition, RuleEdit } from '../rule-edit.ts';
import { ruleIdOf } from '../rule-edit.ts';
import type { TermsWish } from '../terms/terms-change.ts';
import { fitsInResponse } from '../../http/answer-size.ts';
import { authorJson } from '../author-answer.ts';
import type { Answered } from '../../http/routed.ts';
import { pageOf } from '../../http/page.ts';
import { ruleChangeJson } from '../rules-answer.ts';
import type { Settings } from '../../http/settings.ts';
import { plainTerms } from '../terms/terms-answer.ts';

/** 202: what was asked for is kept, and has not happened. Source: RFC 9110, 15.3.3. */
export function proposedAnswer(proposal: Proposal): Answered {
  const answer: Told<typeof told.proposedAnswer> = {
    proposal: proposalJson(proposal, proposal.at),
  };
  const location = `/v1/proposals/${encodeURIComponent(proposal.id)}`;
  return { answer, status: 202, headers: { location } };
}

/** Writes who calls, what they may, and which changes need a second person. */
export function callerJson(
  { by, rights }: { readonly by: Actor; readonly rights: readonly string[] },
  fourEyes: Settings['fourEyes']['kind'],
): Told<typeof told.callerAnswer> {
  return { by, rights: RIGHTS.filter((right) => rights.includes(right)), fourEyes };
}

/** Writes a proposal, without what it would change. */
export function proposalJson(proposal: Proposal, now: Date): Told<typeof told.proposal> {
  const { id, change, until, decision } = proposal;
  return {
    id,
    state: stateOf(proposal, now),
    ...aboutJson(change),
    ...authorJson(proposal),
    until: until.toISOString(),
    decided: decision === undefined ? null : authorJson(decision),
  };
}

function aboutJson(change: ProposedChange) {
  if (change.about === 'terms') {
    const { subject, wish } = change;
    const rule = wish.kind === 'override' ? wish.override.rule : 'rule' in wish ? wish.rule : null;
    const of = { [subject.kind]: subject.id };
    return { about: 'terms', operation: wish.kind, subject: of, rule } as const;
  }
  const { edit } = change;
  const rule = ruleIdOf(edit) ?? null;
  return { about: 'rules', operation: edit.kind, subject: null, rule } as const;
}

/**
 * Writes a proposal with what was asked for, and what it would change now: of rules each change with the
 * rule as it is, of a subject its terms as they are. Where that is more than a function may return, the
 * rules as they are, which are all to be had elsewhere, are left out, and of those that share a counter one
 * is named.
 */
export function proposalLookJson(look: ProposalLook, now: Date): Told<typeof told.proposalAnswer> {
  const answer = lookJson(look, now, true);
  return fitsInResponse([answer]) ? answer : lookJson(look, now, false);
}

function lookJson(
  { proposal, changes, refused, terms }: ProposalLook,
  now: Date,
  isWhole: boolean,
) {
  const { change } = proposal;
  return {
    ...proposalJson(proposal, now),
    asked: change.about === 'terms' ? wishJson(change.wish) : editJson(change.edit),
    changes:
      changes?.map((each) =>
        isWhole
          ? { ...ruleChangeJson(each), before: each.before ?? null }
          : ruleChangeJson(each, 1),
      ) ?? null,
    refused:
      refused instanceof HeadroomError ? { code: refused.code, detail: refused.message } : null,
    terms: terms === undefined ? null : plainTerms(terms.terms, terms.now),
  };
}

function wishJson(wish: TermsWish) {
  switch (wish.kind) {
    case 'unfreeze':
    case 'endOverride':
      return {};
    case 'freeze':
      return { until: wish.until?.toISOString() ?? null };
    case 'override': {
      const { max, from, until } = wish.override;
      return {
        max: { amount: max.amountMinor, count: max.count },
        from: from?.toISOString() ?? null,
        effectiveAfter: wish.afterMs === undefined ? null : `PT${wish.afterMs / 1000}S`,
        until: until?.toISOString() ?? null,
      };
    }
  }
}

function editJson(edit: RuleEdit) {
  const condition = conditionJson(edit.condition);
  switch (edit.kind) {
    case 'delete':
      return condition;
    case 'put': {
      const { rule, beginAnew = false } = edit;
      return { ...condition, beginAnew: beginAnew || undefined, rule };
    }
    case 'replace': {
      const { rules, beginAnew = false, drop = false } = edit;
      const meant = { beginAnew: beginAnew || undefined, drop: drop || undefined };
      return { ...condition, ...meant, rules };
    }
  }
}

function conditionJson(condition: Condition) {
  switch (condition.kind) {
    case 'versions':
      return { ifMatch: condition.versions.map((version) => `"${version}"`).join(', ') };
    case 'any':
      return { ifMatch: '*' };
    case 'absent':
    case 'unsaid':
      return { ifNoneMatch: '*' };
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
