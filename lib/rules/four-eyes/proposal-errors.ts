import { actorText } from '../../shared/actor.ts';
import { HeadroomError, errorOf } from '../../shared/errors.ts';
import type { Proposal } from './proposal.ts';

/** What can be wrong with the decision of a proposal, one class per cause. Nothing was changed. */

/** There is no proposal of this id. */
export class NoSuchProposalError extends errorOf(
  'NO_SUCH_PROPOSAL',
  (id: string) =>
    `there is no proposal ${JSON.stringify(id)}: GET /v1/proposals lists all proposals`,
) {}

/** It was decided before, or nobody decided it in time. */
export class ProposalClosedError extends errorOf(
  'PROPOSAL_CLOSED',
  ({ id, decision, until }: Proposal) => {
    const how =
      decision === undefined
        ? `expired at ${until.toISOString()}`
        : `was ${decision.outcome} at ${decision.at.toISOString()} by ${actorText(decision.by)}`;
    return `proposal ${JSON.stringify(id)} ${how}; nothing was changed: make the change again if you still want it`;
  },
) {}

/** Who decides is, or may be, who made it; or who takes it back is somebody else. */
export class WrongPersonError extends HeadroomError {
  override readonly name = 'WrongPersonError';
  readonly code = 'WRONG_PERSON';
}
