import * as z from 'zod/mini';
import { RIGHTS } from './calls.ts';
import { subjects } from '../lib/schema/fields.ts';
import { called } from '../lib/schema/said.ts';
import { quantity } from './standings.ts';
import { refusal } from './status.ts';
import { actor, terms, termsEffect } from './terms.ts';
import * as say from './words.ts';
import { PROPOSAL_DAYS } from '../lib/shared/bounds.ts';

/** How a proposal may end. `withdrawn`: its author took it back. */
export const PROPOSAL_OUTCOMES = ['approved', 'rejected', 'withdrawn'] as const;

/** The kinds of things that proposals are about. */
export const PROPOSALS_ABOUT = ['rules', 'terms', 'order'] as const;

/** The states of proposals. `expired`: nobody decided in time. */
export const PROPOSAL_STATES = ['open', ...PROPOSAL_OUTCOMES, 'expired'] as const;

/** The answers of the calls about proposals. */

const FOUR_EYES = ['none', 'raises', 'all'] as const;

const reason = say.text('The reason given.');

const fields = {
  id: say.text('The id of the proposal.'),
  state: say.oneOf(
    PROPOSAL_STATES,
    `\`open\`: it waits for a decision. \`withdrawn\`: its author took it back, or a newer check replaced it. \`expired\`: nobody decided it in ${PROPOSAL_DAYS} days.`,
  ),
  about: say.oneOf(
    PROPOSALS_ABOUT,
    'The kind of thing that it changes. `order`: it changes nothing, and lets one order pass.',
  ),
  operation: say.oneOf(
    ['put', 'delete', 'replace', 'override', 'endOverride', 'freeze', 'unfreeze', 'check'],
    'The call that asked for it.',
  ),
  subject: say.orNull(
    subjects(),
    'A change of terms: their subject. An order: its subjects. Null for rules.',
  ),
  rule: say.nullable(
    say.text(
      'The id of the rule. Null for a whole set of rules, for freezes, and if an order exceeds several.',
    ),
  ),
  at: say.instant('The time of the proposal.'),
  by: called(actor, 'The author.'),
  until: say.instant('The instant at which the proposal expires.'),
  decided: say.orNull(
    say.named(
      'ProposalDecision',
      'The decision.',
      {
        at: say.instant('The time of the decision.'),
        by: called(actor, 'The second person.'),
        reason,
      },
      {
        passesUntil: say.instant(
          'An approved order: from this instant on the approval is over. A check of the order needs another one.',
        ),
      },
    ),
    'Null until somebody decides.',
  ),
};

const asksFor = {
  max: say.anything('The maximum that it asks for, as in the request. Absent if it asks for none.'),
  currency: say.text('The currency of that maximum, or of the order, if there is one.'),
  order: say.named('ReviewedOrder', 'The order that waits. Absent for changes.', {
    app: say.text('The application that checked it.'),
    orderId: say.text('Its id.'),
    amount: say.sum('Minor units.'),
  }),
};

/** The answer of `approve`, `reject` and `withdraw`. */
export const proposal = say.named(
  'Proposal',
  'A change that waits, or waited, for a second person.',
  fields,
  { ...asksFor, reason },
);

/** The answer of a change that waits for a second person. */
export const proposedAnswer = say.named(
  'ProposedAnswer',
  'The change needs a second person. Nothing has changed yet.',
  { proposal: called(proposal, 'The change that waits.') },
  { effect: called(termsEffect, 'A change of terms: what it would do if it were approved now.') },
);

/** The answer of `caller`. */
export const callerAnswer = say.named('CallerAnswer', 'The caller, and its rights.', {
  by: called(actor, 'The name that Headroom stores with changes of this caller.'),
  rights: say.list(
    say.oneOf(RIGHTS, 'A right.'),
    'The rights of the caller. If calls are not signed, the list has all rights, because API Gateway decides by route.',
  ),
  fourEyes: say.oneOf(
    FOUR_EYES,
    'The changes that need a second person: `raises` for those that allow more, `all`, or `none`.',
  ),
  currencies: say.record(
    say.object('A currency.', { digits: say.sum('Its digits after the point.') }),
    'By code: currencies of the rules for which ISO 4217 has no digits, and the rules say them.',
  ),
});

/** The answer of `listProposals`. */
export const proposalsAnswer = say.named('ProposalsAnswer', 'A page of proposals, newest first.', {
  proposals: say.list(proposal, 'Newest first.'),
  next: say.nullable(say.text('Send it as `before` to get the next page. Null on the last page.')),
});

/** The answer of `findProposal`. */
export const proposalAnswer = say.named(
  'ProposalAnswer',
  'A proposal, its request, and the change that it would make now.',
  {
    ...fields,
    asked: say.anything(
      'The fields of the request, such as `rule`, `rules`, `ifMatch`, `beginAnew`, `drop`, `max`, `from` and `until`.',
    ),
    changes: say.nullable(
      say.list(
        z.looseObject({}),
        'Present while a proposal about rules is open: each change, and the rule `before` it. If the answer would be too long, the rules are left out, and `sharedWith` names only one rule. Read them with `GET /v1/rules`.',
      ),
    ),
    refused: say.orNull(
      say.named('ProposalRefused', 'The problem that an approval would meet now.', {
        code: say.text('The code of the problem.'),
        detail: say.text('The reason.'),
      }),
      'Null if an approval would pass.',
    ),
    terms: say.orNull(
      terms,
      "The subject's terms now. Present while a proposal about terms is open.",
    ),
    effect: say.orNull(
      termsEffect,
      'The effect of an approval now. Present while a proposal about terms is open and not refused.',
    ),
    lookAlikes: say.list(
      say.named('LookAlike', 'A letter of one name that looks like letters of the other.', {
        person: say.text('The name that has the letter.'),
        letter: say.text('The letter, such as the Cyrillic a.'),
        looksLike: say.text('The letters that it looks like, such as the Latin a.'),
      }),
      'The letters by which the name of the author looks like that of the person who decided, or reads the open proposal. Both names may be of one person. Empty if the names look different.',
    ),
  },
  {
    ...asksFor,
    reason,
    refusals: say.list(
      say.named(
        'ReviewedRule',
        'A rule that an order exceeds, as it stood at the check. An approval lets the order reach `upTo`, and not more.',
        { ...refusal._zod.def.shape, upTo: called(quantity, 'The sum with the order.') },
      ),
      'An order: the rules that it exceeds.',
    ),
  },
);
