import * as z from 'zod/mini';
import { RIGHTS } from '../lib/shared/app.ts';
import { PROPOSAL_DAYS, PROPOSAL_STATES } from '../lib/rules/four-eyes/proposal.ts';
import { subjects } from '../lib/http/fields.ts';
import { called } from '../lib/http/said.ts';
import { actor, terms } from './terms.ts';
import * as say from './words.ts';

/** What the calls of proposals answer. */

const FOUR_EYES = ['none', 'raises', 'all'] as const;

const reason = say.text('Why, in their words.');

const fields = {
  id: say.text('Names it.'),
  state: say.oneOf(
    PROPOSAL_STATES,
    `\`open\`: it waits; \`withdrawn\`: its author took it back; \`lapsed\`: nobody decided it in ${PROPOSAL_DAYS} days.`,
  ),
  about: say.oneOf(['rules', 'terms'], 'Of what it is a change.'),
  operation: say.oneOf(
    ['put', 'delete', 'replace', 'override', 'endOverride', 'freeze', 'unfreeze'],
    'The call that was made.',
  ),
  subject: say.orNull(subjects(), 'Of terms: whose they are.'),
  rule: say.nullable(say.text('Its id; null of a whole set, and of freezes.')),
  at: say.instant('When it was made.'),
  by: called(actor, 'Who made it.'),
  until: say.instant('From then on it has lapsed.'),
  decided: say.orNull(
    say.named('ProposalDecision', 'Who decided it, when and why.', {
      at: say.instant('When.'),
      by: called(actor, 'Who.'),
      reason,
    }),
    'Null while nobody has.',
  ),
};

/** What `approve`, `reject` and `withdraw` answer. */
export const proposal = say.named(
  'Proposal',
  'A change that waits for a second person, or did.',
  fields,
  { reason },
);

/** What a change answers that waits for a second person. */
export const proposedAnswer = say.named(
  'ProposedAnswer',
  'The change needs a second person, and has not happened.',
  { proposal: called(proposal, 'What waits for one.') },
);

/** What `caller` answers. */
export const callerAnswer = say.named('CallerAnswer', 'Who calls, and what they may.', {
  by: called(actor, 'Who is kept with what they change.'),
  rights: say.list(
    say.oneOf(RIGHTS, 'A right.'),
    'To what is everybody’s. Where calls are not signed all of them, for API Gateway decides by the route.',
  ),
  fourEyes: say.oneOf(
    FOUR_EYES,
    'Which changes need a second person: those by which more may pass, all, or none.',
  ),
});

/** What `listProposals` answers. */
export const proposalsAnswer = say.named('ProposalsAnswer', 'A page of proposals, newest first.', {
  proposals: say.list(proposal, 'Newest first.'),
  next: say.nullable(say.text('What to ask for as `before` next; null where there are no more.')),
});

/** What `findProposal` answers. */
export const proposalAnswer = say.named(
  'ProposalAnswer',
  'A proposal, what was asked for, and what it would change now.',
  {
    ...fields,
    asked: say.anything(
      'The fields of the call: `rule`, `rules`, `ifMatch`, `beginAnew`, `drop`; `max`, `from`, `until`.',
    ),
    changes: say.nullable(
      say.list(
        z.looseObject({}),
        'Of rules, while it is open: each change as the answer of a change has it, and the rule `before` it, but where the answer would be too long: `GET /v1/rules` has them. Of those in the same counter one is named then.',
      ),
    ),
    refused: say.orNull(
      say.named('ProposalRefused', 'Why it would be refused now.', {
        code: say.text('That of the problem.'),
        detail: say.text('The reason.'),
      }),
      'Null where it would not be.',
    ),
    terms: say.orNull(terms, "Of a subject's terms, while it is open: those that it has now."),
  },
  { reason },
);
