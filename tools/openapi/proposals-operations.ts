import { PROPOSALS_TAKE } from '../../lib/proposals/proposals-handler.ts';
import type { CallId } from '../../contract/calls.ts';
import type { Operation } from './operation.ts';
import { CONTENT_LANGUAGE } from './operation.ts';
import { PROPOSALS_EXAMPLES } from './proposals-examples.ts';

/** The calls of changes that need a second person. */

const tag = 'Second person';
const DECISION_CODES = ['NO_SUCH_PROPOSAL', 'PROPOSAL_CLOSED', 'WRONG_PERSON'] as const;
const READABLE =
  'An application needs the rights that show the proposal, too: `rules:read`, and of terms and orders `usage:read`.';
const REPEATED = 'A repeat by the same actor changes nothing and gets the same answer.';

/** By operationId. */
export const PROPOSALS_OPERATIONS = {
  caller: {
    tag,
    takes: PROPOSALS_TAKE.caller,
    summary: 'The caller, and its rights',
    description:
      'For a page that shows only what its user may do. Every caller may ask. Headroom still checks the rights at every call.',
    answers: 'The caller.',
    codes: [],
    example: PROPOSALS_EXAMPLES.caller,
  },
  listProposals: {
    tag,
    takes: PROPOSALS_TAKE.list,
    summary: 'Changes that wait, or waited, for a second person',
    description:
      'Newest first. Headroom never deletes them. Without the right `usage:read` the list has only those about rules.',
    answers: 'A page of proposals.',
    codes: ['NO_SUCH_PROPOSAL'],
    example: PROPOSALS_EXAMPLES.listProposals,
  },
  findProposal: {
    tag,
    takes: PROPOSALS_TAKE.find,
    summary: 'One proposal, and the change that it would make now',
    description:
      'Shows the second person what to decide. For a change of terms it shows the terms now, and for an order its sums, so an application needs the right `usage:read`, too.',
    headers: CONTENT_LANGUAGE,
    answers: 'The proposal.',
    codes: ['NO_SUCH_PROPOSAL'],
    example: PROPOSALS_EXAMPLES.findProposal,
  },
  approve: {
    tag,
    takes: PROPOSALS_TAKE.approval,
    summary: 'Approves a change',
    description: `Makes the change in the same commit, as if its author made it now. An order may then pass: check it again. If Headroom refuses the change, the answer says why, and the proposal stays open. The author cannot approve. ${READABLE} ${REPEATED}`,
    answers: 'The proposal, approved.',
    codes: [
      ...DECISION_CODES,
      ...(['NO_SUCH_RULE', 'RULE_CHANGED', 'VERSION_REQUIRED'] as const),
      ...(['NO_SUCH_TERMS', 'TERMS_REFUSED'] as const),
    ],
    example: PROPOSALS_EXAMPLES.approve,
  },
  reject: {
    tag,
    takes: PROPOSALS_TAKE.decision,
    summary: 'Rejects a change',
    description: `The author cannot reject. ${READABLE} ${REPEATED}`,
    answers: 'The proposal, rejected.',
    codes: DECISION_CODES,
    example: PROPOSALS_EXAMPLES.reject,
  },
  withdraw: {
    tag,
    takes: PROPOSALS_TAKE.decision,
    summary: 'Takes a proposal back',
    description: `Only the author can withdraw. ${REPEATED}`,
    answers: 'The proposal, withdrawn.',
    codes: DECISION_CODES,
    example: PROPOSALS_EXAMPLES.withdraw,
  },
} satisfies Readonly<Partial<Record<CallId, Operation>>>;
