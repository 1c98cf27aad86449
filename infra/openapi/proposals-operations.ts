import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../lib/shared/bounds.ts';
import { PROPOSAL_STATES } from '../../lib/rules/four-eyes/proposal.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { referenceTo } from './json-schema.ts';
import type { Operation } from './operation.ts';
import { ACTOR_HEADER, pageSize, REASON_QUERY } from './parameters.ts';
import { PROPOSALS_EXAMPLES } from './proposals-examples.ts';

/** The calls of changes that need a second person. */

const ONE = '/v1/proposals/{id}';
const tag = 'Second person';

const ID: JsonObject = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'As the answer 202 of a change says it.',
  schema: referenceTo('Text'),
  example: PROPOSALS_EXAMPLES.approve.answer.id,
};
const STATE: JsonObject = {
  name: 'state',
  in: 'query',
  description: 'Those that stand so alone.',
  schema: { type: 'string', enum: [...PROPOSAL_STATES] },
  example: 'open',
};
const BEFORE: JsonObject = {
  name: 'before',
  in: 'query',
  description: 'Those made before the one of this id alone: what `next` of a page says.',
  schema: referenceTo('Text'),
};

const DECISION_CODES = ['NO_SUCH_PROPOSAL', 'PROPOSAL_CLOSED', 'WRONG_PERSON'] as const;
const REPEATED = 'A repeat by the same actor changes nothing and answers the same.';

/** By operationId. */
export const PROPOSALS_OPERATIONS: Readonly<Record<string, Operation>> = {
  caller: {
    ...{ method: 'get', path: '/v1/caller', tag, name: 'Caller' },
    summary: 'Who calls, and what they may',
    description:
      'For a page that shows only what its user may do. Every caller may ask; what is refused is refused all the same.',
    answers: 'The caller.',
    codes: [],
    example: PROPOSALS_EXAMPLES.caller,
    parameters: [ACTOR_HEADER],
  },
  listProposals: {
    ...{ method: 'get', path: '/v1/proposals', tag, name: 'ListProposals' },
    summary: 'Changes that wait for a second person, or did',
    description: 'Newest first. They are kept for ever.',
    answers: 'A page of proposals.',
    codes: ['NO_SUCH_PROPOSAL'],
    example: PROPOSALS_EXAMPLES.listProposals,
    parameters: [STATE, pageSize(VERSIONS_DEFAULT, VERSIONS_MAX), BEFORE],
  },
  findProposal: {
    ...{ method: 'get', path: ONE, tag, name: 'FindProposal' },
    summary: 'One proposal, and what it would change now',
    description:
      'What it is to be decided by. Of a change of terms it shows what the subject has now, for which an application needs the right `usage:read`, too.',
    answers: 'The proposal.',
    codes: ['NO_SUCH_PROPOSAL'],
    example: PROPOSALS_EXAMPLES.findProposal,
    parameters: [ID],
  },
  approve: {
    ...{ method: 'post', path: `${ONE}/approve`, tag, name: 'Decision' },
    summary: 'Lets a change through',
    description: `It takes effect in the same commit, as if its author made it now: where it would be refused, the answer says why, and the proposal stays open. Never by who made it. ${REPEATED}`,
    answers: 'The proposal, approved.',
    codes: [
      ...DECISION_CODES,
      ...(['NO_SUCH_RULE', 'RULE_CHANGED', 'VERSION_REQUIRED'] as const),
      ...(['NO_SUCH_TERMS', 'TERMS_REFUSED'] as const),
    ],
    example: PROPOSALS_EXAMPLES.approve,
    parameters: [ID, ACTOR_HEADER],
  },
  reject: {
    ...{ method: 'post', path: `${ONE}/reject`, tag, name: 'Decision' },
    summary: 'Does not let a change through',
    description: `Never by who made it. ${REPEATED}`,
    answers: 'The proposal, rejected.',
    codes: DECISION_CODES,
    example: PROPOSALS_EXAMPLES.reject,
    parameters: [ID, ACTOR_HEADER],
  },
  withdraw: {
    ...{ method: 'delete', path: ONE, tag, name: 'Withdraw' },
    summary: 'Takes a proposal back',
    description: `By who made it alone. ${REPEATED}`,
    answers: 'The proposal, withdrawn.',
    codes: DECISION_CODES,
    example: PROPOSALS_EXAMPLES.withdraw,
    parameters: [ID, { ...REASON_QUERY, required: true }, ACTOR_HEADER],
  },
};
