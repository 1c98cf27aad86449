import type { Decision, Proposal, ProposalState } from './proposal.ts';

/** Statements about proposals: plain filters and one update. */

/** An open proposal, which an instant has not let lapse. */
export function openFilter(
  id: string,
  now: Date,
): {
  readonly _id: string;
  readonly state: 'open';
  readonly until: { readonly $gt: Date };
} {
  return { _id: id, state: 'open', until: { $gt: now } };
}

/** Proposals whose ids are a name, a hyphen and a number: `.` comes after `-`. */
export function alikeFilter(name: string) {
  return { _id: { $gte: `${name}-`, $lt: `${name}.` } };
}

/** Proposals that stand so at an instant, made before another. */
export function listFilter(
  {
    state,
    before,
  }: {
    readonly state?: ProposalState | undefined;
    readonly before?: Pick<Proposal, 'id' | 'at'> | undefined;
  },
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
