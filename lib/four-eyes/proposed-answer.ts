import { maximumJson } from '../http/standing-answer.ts';
import type * as told from '../../contract/proposals.ts';
import type { Told } from '../../contract/words.ts';
import type { Answered } from '../http/routed.ts';
import { ruleIdOf } from '../changes/rule-edit.ts';
import { ruleOfWish } from '../changes/terms-change.ts';
import type { TermsEffect } from '../changes/terms-effect.ts';
import type { Proposal, ProposedChange, ReviewedOrder } from './proposal.ts';
import { proposalState } from './proposal.ts';
import { authorJson } from '../http/author-answer.ts';
import { effectJson } from '../http/effect-answer.ts';

/** 202: what was asked for is kept, and has not happened. Source: RFC 9110, 15.3.3. */
export function proposedAnswer(proposal: Proposal, effect?: TermsEffect): Answered {
  const answer: Told<typeof told.proposedAnswer> = {
    proposal: proposalJson(proposal, proposal.at),
    effect: effectJson(effect),
  };
  const location = `/v1/proposals/${encodeURIComponent(proposal.id)}`;
  return { answer, status: 202, headers: { location } };
}

/** Writes a proposal, without what it would change. */
export function proposalJson(proposal: Proposal, now: Date): Told<typeof told.proposal> {
  const { id, change, decided } = proposal;
  return {
    id,
    state: proposalState(proposal, now),
    ...aboutJson(change),
    ...authorJson(proposal),
    until: proposal.until,
    decided: decided === undefined ? null : decidedJson(decided),
  };
}

function decidedJson({ passesUntil, ...decided }: NonNullable<Proposal['decided']>) {
  return { ...authorJson(decided), passesUntil };
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
  if (change.about === 'order') return orderJson(change);
  const { subject, wish, currency } = change;
  return {
    about: 'terms',
    operation: wish.kind,
    subject: { [subject.kind]: subject.id },
    rule: ruleOfWish(wish) ?? null,
    max: wish.kind === 'override' ? maximumJson(wish.override.max) : undefined,
    currency,
  } as const;
}

function orderJson({ order, payment, refusals }: ReviewedOrder) {
  const [first, ...others] = new Set(refusals.map(({ rule }) => rule));
  return {
    about: 'order',
    operation: 'check',
    subject: payment.subjects,
    rule: others.length === 0 ? (first ?? null) : null,
    order: { app: order.appId, orderId: order.orderId, amount: payment.amountMinor },
    currency: payment.currency,
  } as const;
}
