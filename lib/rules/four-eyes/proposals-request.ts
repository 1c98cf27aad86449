import * as z from 'zod/mini';
import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../shared/bounds.ts';
import { PROPOSAL_STATES } from './proposal.ts';
import { choice, pageSize, reasonText, text } from '../../http/fields.ts';
import { changeSchema, operationSchema } from '../../http/requests.ts';

const id = text('The id, from the answer 202 of a change.');
/** Which proposals are listed. */
export const listProposalsSchema = operationSchema('ProposalsRequest', {
  state: z.optional(choice(PROPOSAL_STATES, 'Only proposals in this state.')),
  limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
  before: z.optional(
    text('Only proposals older than the one with this id. Use `next` of the page before.'),
  ),
});
/** Which proposal is asked for. */
export const findProposalSchema = operationSchema('FindProposalRequest', { id });
/** What `caller` takes: nothing but who asks. */
export const callerSchema = changeSchema('CallerRequest', {});
/** What a decision takes. */
export const decisionSchema = changeSchema('DecisionRequest', {
  id,
  reason: reasonText('Why. Headroom stores it with the proposal.'),
});
