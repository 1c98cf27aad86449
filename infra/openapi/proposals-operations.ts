import {
  callerSchema,
  decisionSchema,
  findProposalSchema,
  listProposalsSchema,
} from '../../lib/rules/four-eyes/proposals-request.ts';
import type { Operation } from './operation.ts';
import { PROPOSALS_EXAMPLES } from './proposals-examples.ts';

/** The calls of changes that need a second person. */

const ONE = '/v1/proposals/{id}';
const tag = 'Second person';
const DECISION_CODES = ['NO_SUCH_PROPOSAL', 'PROPOSAL_CLOSED', 'WRONG_PERSON'] as const;
const REPEATED = 'A repeat by the same actor changes nothing and answers the same.';

/** By operationId. */
export const PROPOSALS_OPERATIONS: Readonly<Record<string, Operation>> = {
  caller: {
    ...{ method: 'get', path: '/v1/caller', tag, takes: callerSchema },
    summary: 'Who calls, and what they may',
    description:
      'For a page that shows only what its user may do. Every caller may ask; what is refused is refused all the same.',
    answers: 'The caller.',
    codes: [],
    example: PROPOSALS_EXAMPLES.caller,
  },
  listProposals: {
    ...{ method: 'get', path: '/v1/proposals', tag, takes: listProposalsSchema },
    summary: 'Changes that wait for a second person, or did',
    description: 'Newest first. They are kept for ever.',
    answers: 'A page of proposals.',
    codes: ['NO_SUCH_PROPOSAL'],
    example: PROPOSALS_EXAMPLES.listProposals,
  },
  findProposal: {
    ...{ method: 'get', path: ONE, tag, takes: findProposalSchema },
    summary: 'One proposal, and what it would change now',
    description:
      'What it is to be decided by. Of a change of terms it shows what the subject has now, for which an application needs the right `usage:read`, too.',
    answers: 'The proposal.',
    codes: ['NO_SUCH_PROPOSAL'],
    example: PROPOSALS_EXAMPLES.findProposal,
  },
  approve: {
    ...{ method: 'post', path: `${ONE}/approve`, tag, takes: decisionSchema },
    summary: 'Lets a change through',
    description: `It takes effect in the same commit, as if its author made it now: where it would be refused, the answer says why, and the proposal stays open. Never by who made it. ${REPEATED}`,
    answers: 'The proposal, approved.',
    codes: [
      ...DECISION_CODES,
      ...(['NO_SUCH_RULE', 'RULE_CHANGED', 'VERSION_REQUIRED'] as const),
      ...(['NO_SUCH_TERMS', 'TERMS_REFUSED'] as const),
    ],
    example: PROPOSALS_EXAMPLES.approve,
  },
  reject: {
    ...{ method: 'post', path: `${ONE}/reject`, tag, takes: decisionSchema },
    summary: 'Does not let a change through',
    description: `Never by who made it. ${REPEATED}`,
    answers: 'The proposal, rejected.',
    codes: DECISION_CODES,
    example: PROPOSALS_EXAMPLES.reject,
  },
  withdraw: {
    ...{ method: 'delete', path: ONE, tag, takes: decisionSchema },
    summary: 'Takes a proposal back',
    description: `By who made it alone. ${REPEATED}`,
    answers: 'The proposal, withdrawn.',
    codes: DECISION_CODES,
    example: PROPOSALS_EXAMPLES.withdraw,
  },
};
