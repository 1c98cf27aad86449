import * as z from 'zod/mini';
import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../shared/bounds.ts';
import type { Decision, ProposalQuery } from './proposal.ts';
import { PROPOSAL_STATES } from './proposal.ts';
import type { Envelope } from '../../http/envelope.ts';
import { choice, pageSize, reasonText, text } from '../../http/fields.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { readRequest } from '../../http/requests.ts';
import { asInvoked, changeSchema, operationSchema } from '../../http/routed.ts';

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

/** Reads a question for who asks: there is nothing to say. */
export function readCaller(request: ParsedText, envelope: Envelope): void {
  readRequest(callerSchema, asInvoked(request, envelope, { body: [], query: [] }), () => []);
}

/** Reads which proposals are asked for, and which page of them. */
export function readProposals(request: ParsedText, envelope: Envelope): ProposalQuery {
  const places = { body: [], query: ['state', 'limit', 'before'] };
  const asked = asInvoked(request, envelope, places);
  const {
    state,
    limit = VERSIONS_DEFAULT,
    before,
  } = readRequest(listProposalsSchema, asked, () => []);
  return {
    limit,
    ...(state === undefined ? {} : { state }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Reads which proposal is asked for. */
export function readProposalId(request: ParsedText, envelope: Envelope): string {
  const asked = asInvoked(request, envelope, { body: [], query: [] });
  return readRequest(findProposalSchema, asked, () => []).id;
}

/** A decision as a caller wants it. */
export type DecisionRequest = {
  readonly id: string;
  readonly outcome: Decision['outcome'];
  readonly reason: string;
};

/** Reads which proposal is to be decided, and why. */
export function readDecision(
  request: ParsedText,
  envelope: Envelope,
  outcome: Decision['outcome'],
): DecisionRequest {
  const isWithdrawal = outcome === 'withdrawn';
  const places = isWithdrawal ? { body: [], query: ['reason'] } : { body: ['reason'], query: [] };
  const asked = asInvoked(request, envelope, places);
  const given = readRequest(decisionSchema, asked, () => []);
  return { id: given.id, outcome, reason: given.reason };
}
