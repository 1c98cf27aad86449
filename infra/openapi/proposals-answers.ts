import * as z from 'zod/mini';
import { PROPOSAL_DAYS, PROPOSAL_STATES } from '../../lib/domain/proposal.ts';
import type { JsonObject } from '../../lib/edge/answers.ts';
import { decisionSchema } from '../../lib/edge/proposals-request.ts';
import {
  called,
  instant,
  list,
  nullable,
  object,
  oneOf,
  referenceTo,
  text,
} from './json-schema.ts';
import { component, withFields } from './schemas.ts';

/** What the calls of proposals take and answer, field by field. */

component(
  'DecisionRequest',
  'Why.',
  z.omit(decisionSchema, { id: true, operation: true, actor: true }),
);

/** Their requests, each field described. */
export function proposalsRequests(
  all: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  return {
    DecisionRequest: withFields(all.DecisionRequest, {
      reason: 'Why. It is kept with the proposal.',
    }),
  };
}

const orNull = (id: string, description: string): JsonObject => ({
  anyOf: [referenceTo(id), { type: 'null' }],
  description,
});

const author = {
  at: instant('When it was made.'),
  by: called('Actor', 'Who made it.'),
};
const proposal = {
  id: text('Names it.'),
  state: oneOf(
    PROPOSAL_STATES,
    `\`open\`: it waits; \`withdrawn\`: its author took it back; \`lapsed\`: nobody decided it in ${PROPOSAL_DAYS} days.`,
  ),
  about: oneOf(['rules', 'terms'], 'Of what it is a change.'),
  operation: oneOf(
    ['put', 'delete', 'replace', 'override', 'endOverride', 'freeze', 'unfreeze'],
    'The call that was made.',
  ),
  subject: orNull('Subjects', 'Of terms: whose they are.'),
  rule: nullable(text('Its id; null of a whole set, and of freezes.')),
  ...author,
  until: instant('From then on it has lapsed.'),
  decided: orNull('ProposalDecision', 'Null while nobody has.'),
};
const reason = text('Why, in their words.');

/** Components for proposals. */
export const PROPOSALS_ANSWERS: Readonly<Record<string, JsonObject>> = {
  ProposalDecision: object('Who decided it, when and why.', {
    at: instant('When.'),
    by: called('Actor', 'Who.'),
    reason,
  }),
  ProposalAnswer: object('A change that waits for a second person, or did.', proposal, { reason }),
  ProposedAnswer: object('The change needs a second person, and has not happened.', {
    proposal: called('ProposalAnswer', 'What waits for one.'),
  }),
  ListProposalsAnswer: object('A page of proposals, newest first.', {
    proposals: list(referenceTo('ProposalAnswer'), 'Newest first.'),
    next: nullable(text('What to ask for as `before` next; null where there are no more.')),
  }),
  ProposalRefused: object('Why it would be refused now.', {
    code: text('That of the problem.'),
    detail: text('The reason.'),
  }),
  FindProposalAnswer: object(
    'A proposal, what was asked for, and what it would change now.',
    {
      ...proposal,
      asked: {
        type: 'object',
        additionalProperties: true,
        description:
          'The fields of the call: `rule`, `rules`, `ifMatch`, `beginAnew`, `drop`; `max`, `from`, `until`.',
      },
      changes: {
        type: ['array', 'null'],
        items: { type: 'object', additionalProperties: true },
        description:
          'Of rules, while it is open: each change as the answer of a change has it, and the rule `before` it, but where the answer would be too long: `GET /v1/rules` has them. Of those in the same counter one is named then.',
      },
      refused: orNull('ProposalRefused', 'Null where it would not be.'),
      terms: orNull('Terms', "Of a subject's terms, while it is open: those that it has now."),
    },
    { reason },
  ),
};
