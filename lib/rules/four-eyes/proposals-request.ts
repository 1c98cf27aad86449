import * as z from 'zod/mini';
import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../shared/bounds.ts';
import type { Decision, ProposalQuery } from './proposal.ts';
import { PROPOSAL_STATES } from './proposal.ts';
import type { Envelope } from '../../http/envelope.ts';
import { reasonText, text, wholeNumber } from '../../http/fields.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { readRequest } from '../../http/requests.ts';
import { asInvoked, operationSchema } from '../../http/routed.ts';

const listSchema = operationSchema({
  state: z.optional(z.enum(PROPOSAL_STATES, { error: `one of ${PROPOSAL_STATES.join(', ')}` })),
  limit: z.optional(wholeNumber(1, VERSIONS_MAX)),
  before: z.optional(text),
});
const callerSchema = operationSchema({});
const findSchema = operationSchema({ id: text });
/** What a decision takes. */
export const decisionSchema = operationSchema({ id: text, reason: reasonText });

/** Reads a question for who asks: there is nothing to say. */
export function readCaller(request: ParsedText, envelope: Envelope): void {
  readRequest(callerSchema, asInvoked(request, envelope, { body: [], query: [] }), () => []);
}

/** Reads which proposals are asked for, and which page of them. */
export function readProposals(request: ParsedText, envelope: Envelope): ProposalQuery {
  const places = { body: [], query: ['state', 'limit', 'before'] };
  const asked = asInvoked(request, envelope, places);
  const { state, limit = VERSIONS_DEFAULT, before } = readRequest(listSchema, asked, () => []);
  return {
    limit,
    ...(state === undefined ? {} : { state }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Reads which proposal is asked for. */
export function readProposalId(request: ParsedText, envelope: Envelope): string {
  const asked = asInvoked(request, envelope, { body: [], query: [] });
  return readRequest(findSchema, asked, () => []).id;
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
  const { id, reason } = readRequest(decisionSchema, asked, () => []);
  return { id, outcome, reason };
}
