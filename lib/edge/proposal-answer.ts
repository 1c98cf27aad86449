import type { Proposal, ProposalLook, ProposedChange } from '../domain/proposal.ts';
import { stateOf } from '../domain/proposal.ts';
import { HeadroomError } from '../domain/errors.ts';
import type { Condition, RuleEdit } from '../domain/rule-edit.ts';
import { ruleIdOf } from '../domain/rule-edit.ts';
import type { TermsWish } from '../domain/terms-change.ts';
import { fitsInResponse } from './answer-size.ts';
import type { Json, JsonObject } from './answers.ts';
import { authorJson } from './author-answer.ts';
import type { Framing } from './envelope.ts';
import { pageOf } from './page.ts';
import { ruleChangeJson } from './rules-answer.ts';
import { termsJson } from './terms-answer.ts';

/** Writes what became of a change that waits for a second person. */
export function proposedJson(proposal: Proposal): JsonObject {
  return { proposal: proposalJson(proposal, proposal.at) };
}

/** 202: what was asked for is kept, and has not happened. Source: RFC 9110, 15.3.3. */
export function proposedFraming({ id }: Proposal): Framing {
  return { status: 202, headers: { location: `/v1/proposals/${encodeURIComponent(id)}` } };
}

/** Writes a proposal, without what it would change. */
export function proposalJson(proposal: Proposal, now: Date): JsonObject {
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

function aboutJson(change: ProposedChange): JsonObject {
  if (change.about === 'terms') {
    const { subject, wish } = change;
    const rule = wish.kind === 'override' ? wish.override.rule : 'rule' in wish ? wish.rule : null;
    return { about: 'terms', operation: wish.kind, subject: { [subject.kind]: subject.id }, rule };
  }
  const { edit } = change;
  const rule = ruleIdOf(edit) ?? null;
  return { about: 'rules', operation: edit.kind, subject: null, rule };
}

/**
 * Writes a proposal with what was asked for, and what it would change now: of rules each change with the
 * rule as it is, of a subject its terms as they are. Where that is more than a function may return, the
 * rules as they are, which are all to be had elsewhere, are left out, and of those that share a counter one
 * is named.
 */
export function proposalLookJson(look: ProposalLook, now: Date): JsonObject {
  const answer = lookJson(look, now, true);
  return fitsInResponse(answer) ? answer : lookJson(look, now, false);
}

function lookJson(look: ProposalLook, now: Date, isWhole: boolean): JsonObject {
  const { proposal, changes, refused, terms } = look;
  const { change } = proposal;
  const found =
    change.about === 'terms' && terms !== undefined ? termsJson(change.subject, terms) : {};
  return {
    ...proposalJson(proposal, now),
    asked: askedJson(change),
    changes:
      changes?.map((each) => ({
        ...(isWhole
          ? { ...ruleChangeJson(each), before: (each.before ?? null) as Json } // it was JSON when it was stored
          : ruleChangeJson(each, 1)),
      })) ?? null,
    refused: refusedJson(refused),
    terms:
      terms === undefined
        ? null
        : { freeze: found.freeze ?? null, overrides: found.overrides ?? null },
  };
}

function refusedJson(refused: Error | undefined): Json {
  if (!(refused instanceof HeadroomError)) return null;
  return { code: refused.code, detail: refused.message };
}

function askedJson(change: ProposedChange): JsonObject {
  return change.about === 'terms' ? wishJson(change.wish) : editJson(change.edit);
}

function wishJson(wish: TermsWish): JsonObject {
  switch (wish.kind) {
    case 'unfreeze':
    case 'endOverride':
      return {};
    case 'freeze':
      return { until: wish.until?.toISOString() ?? null };
    case 'override': {
      const { max, from, until } = wish.override;
      return {
        max: {
          ...(max.amountMinor === undefined ? {} : { amount: max.amountMinor }),
          ...(max.count === undefined ? {} : { count: max.count }),
        },
        from: from?.toISOString() ?? null,
        effectiveAfter: wish.afterMs === undefined ? null : `PT${wish.afterMs / 1000}S`,
        until: until?.toISOString() ?? null,
      };
    }
  }
}

function editJson(edit: RuleEdit): JsonObject {
  const condition = conditionJson(edit.condition);
  switch (edit.kind) {
    case 'delete':
      return condition;
    case 'put': {
      const { rule, beginAnew = false } = edit;
      const meant = beginAnew ? { beginAnew } : {};
      return { ...condition, ...meant, rule: rule as unknown as Json }; // it was JSON when it was asked for
    }
    case 'replace': {
      const { rules, beginAnew = false, drop = false } = edit;
      const meant = { ...(beginAnew ? { beginAnew } : {}), ...(drop ? { drop } : {}) };
      return { ...condition, ...meant, rules: rules as unknown as Json };
    }
  }
}

function conditionJson(condition: Condition): JsonObject {
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
export function proposalsJson(limit: number, found: readonly Proposal[], now: Date): JsonObject {
  const { rows, last } = pageOf(found, limit, (each) => proposalJson(each, now));
  return { proposals: rows, next: last?.id ?? null };
}
