import * as z from 'zod/mini';
import type { CallRow } from '../shared/calls.ts';
import { CALLS } from '../shared/calls.ts';
import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../shared/bounds.ts';
import { RightMissingError } from '../shared/errors.ts';
import type { LambdaHandler } from '../http/handler.ts';
import { choice, pageSize, reasonText, text } from '../schema/fields.ts';
import { changeSchema, operationSchema } from '../http/requests.ts';
import type { Asking, Route, RoutesSurroundings } from '../http/routed.ts';
import { createRoutes, route } from '../http/routed.ts';
import type { FourEyes } from '../four-eyes/four-eyes.ts';
import { callerJson, proposalLookJson, proposalsJson } from './proposal-answer.ts';
import type { Rule } from '../rule/rule.ts';
import type { Proposal, ProposalDecision } from '../four-eyes/proposal.ts';
import type { ProposalBook } from './proposal-book.ts';
import { PROPOSAL_STATES } from '../shared/states.ts';
import { proposalJson } from '../four-eyes/proposed-answer.ts';

const id = text('The id, from the answer 202 of a change.');
/** The fields of each call, by its operation. */
export const PROPOSALS_TAKE = {
  caller: changeSchema('CallerRequest', {}),
  list: operationSchema('ProposalsRequest', {
    state: z.optional(choice(PROPOSAL_STATES, 'Only proposals in this state.')),
    limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
    before: z.optional(
      text('Only proposals older than the one with this id. Use `next` of the page before.'),
    ),
  }),
  find: operationSchema('FindProposalRequest', { id }),
  decision: changeSchema('DecisionRequest', {
    id,
    reason: reasonText('Why. Headroom stores it with the proposal.'),
  }),
};

type ProposalsSurroundings = RoutesSurroundings & {
  readonly settings: { readonly fourEyes: FourEyes };
  /** As they are stored. */
  readonly rules: () => Promise<readonly Rule[]>;
};

/** Shows the terms of subjects, in every call. */
const OF_SUBJECT = 'usage:read';

/** Makes the one function of all routes of proposals; a direct invocation says its `operation`. */
export function createProposalsHandler(
  book: ProposalBook,
  surroundings: ProposalsSurroundings,
): LambdaHandler {
  const caller = route({
    call: CALLS.caller,
    takes: PROPOSALS_TAKE.caller,
    async run(_nothing, { by, rights }) {
      const { settings, rules } = surroundings;
      const { kind } = settings.fourEyes;
      return { answer: callerJson(by(), await rights(), kind, await rules()) };
    },
  });
  const list = route({
    call: CALLS.listProposals,
    takes: PROPOSALS_TAKE.list,
    async run({ state, before, limit = VERSIONS_DEFAULT }, { now: at, rights }) {
      // Terms of subjects are read with another right.
      const about = (await rights()).includes(OF_SUBJECT) ? undefined : ('rules' as const);
      const found = await book.list({ state, before, about, limit: limit + 1 }, at);
      return { answer: proposalsJson(limit, found, at) };
    },
  });
  const find = route({
    call: CALLS.findProposal,
    takes: PROPOSALS_TAKE.find,
    async run({ id }, asking) {
      const look = await book.look(id, asking.now);
      await assertMayRead(look.proposal, asking);
      return { answer: proposalLookJson(look, asking.now) };
    },
  });
  const deciding = (call: CallRow, outcome: ProposalDecision['outcome']): Route =>
    route({
      call,
      takes: PROPOSALS_TAKE.decision,
      async run({ id, reason }, asking) {
        const { at: asked, now: at } = asking;
        const by = asking.by(); // before anything is read: a name that cannot be stored is a mistake
        // A decision about what nobody may read would be blind.
        if (outcome !== 'withdrawn') await assertMayRead(await book.find(id), asking);
        const proposal = await book.decide(id, { outcome, by, reason, at }, asked);
        return { answer: proposalJson(proposal, at) };
      },
    });
  const withdraw = deciding(CALLS.withdraw, 'withdrawn');
  const approve = deciding(CALLS.approve, 'approved');
  const reject = deciding(CALLS.reject, 'rejected');
  const routes = { caller, list, find, withdraw, approve, reject };
  return createRoutes('proposals', routes, surroundings);
}

/** @throws RightMissingError where it is about a subject whose terms the caller may not read */
async function assertMayRead(
  { change }: Proposal,
  { appId, rights }: Pick<Asking, 'appId' | 'rights'>,
): Promise<void> {
  if (change.about === 'terms' && !(await rights()).includes(OF_SUBJECT))
    throw new RightMissingError(appId, OF_SUBJECT);
}
