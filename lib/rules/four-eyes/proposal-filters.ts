import type { Decision, Proposal, ProposalQuery } from './proposal.ts';

/** Statements about proposals: plain filters and one update. */

/** An open proposal, which an instant has not let expire. */
export function openFilter(id: string, now: Date) {
  return { _id: id, state: 'open' as const, until: { $gt: now } };
}

/** Proposals whose ids are a name, a hyphen and a number: `.` comes after `-`. */
export function alikeFilter(name: string) {
  return { _id: { $gte: `${name}-`, $lt: `${name}.` } };
}

/** Proposals that stand so at an instant, made before another. */
export function listFilter(
  { state, before }: Pick<ProposalQuery, 'state'> & { readonly before?: Proposal | undefined },
  now: Date,
) {
  return {
    ...(before === undefined
      ? {}
      : { $or: [{ at: { $lt: before.at } }, { at: before.at, _id: { $lt: before.id } }] }),
    ...(state === undefined ? {} : { state: state === 'expired' ? ('open' as const) : state }),
    ...(state === 'open' ? { until: { $gt: now } } : {}),
    ...(state === 'expired' ? { until: { $lte: now } } : {}),
  };
}

/** What a decision writes. */
export function decidedUpdate(decision: Decision) {
  const { outcome, ...decided } = decision;
  return { $set: { state: outcome, decided } };
}
