import * as z from 'zod/mini';
import type { CallRow } from '../../contract/calls.ts';
import { CALLS } from '../../contract/calls.ts';
import { APPROVAL_DAYS_MAX, DAY_MS, VERSIONS_DEFAULT, VERSIONS_MAX } from '../shared/bounds.ts';
import { assertAllowed, hasAll } from '../http/caller-source.ts';
import type { LambdaHandler } from '../http/handler.ts';
import { choice, durationFrom, pageSize, reasonText, text } from '../schema/fields.ts';
import { changeSchema, operationSchema, refuse } from '../http/requests.ts';
import { language } from '../http/sentences/language.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';
import type { Answered, Asking, Route, RoutesSurroundings } from '../http/routed.ts';
import { createRoutes, route } from '../http/routed.ts';
import type { FourEyes } from '../four-eyes/four-eyes.ts';
import { callerJson, proposalLookJson, proposalsJson } from './proposal-answer.ts';
import type { Rule } from '../rule/rule.ts';
import type { Proposal, ProposalDecision } from '../four-eyes/proposal.ts';
import type { ProposalBook } from './proposal-book.ts';
import { PROPOSALS_ABOUT, PROPOSAL_STATES } from '../../contract/proposals.ts';
import { proposalJson } from '../four-eyes/proposed-answer.ts';

const WHY = reasonText('Why. Headroom stores it with the proposal.');

const id = text('The id, from the answer 202 of a change.');
/** The fields of each call, by its operation. */
export const PROPOSALS_TAKE = {
  caller: changeSchema('CallerRequest', {}),
  list: operationSchema('ProposalsRequest', {
    state: z.optional(choice(PROPOSAL_STATES, 'Only proposals in this state.')),
    about: z.optional(choice(PROPOSALS_ABOUT, 'Only proposals about this.')),
    limit: pageSize(VERSIONS_DEFAULT, VERSIONS_MAX),
    before: z.optional(
      text('Only proposals older than the one with this id. Use `next` of the page before.'),
    ),
  }),
  find: changeSchema('FindProposalRequest', { id, language: language() }),
  approval: changeSchema('ApprovalRequest', {
    id,
    reason: WHY,
    for: z.optional(
      durationFrom(
        'Hold',
        [1000, APPROVAL_DAYS_MAX * DAY_MS],
        `an ISO 8601 duration from PT1S to P${APPROVAL_DAYS_MAX}D, such as PT24H`,
        `How long an order may pass, from PT1S to P${APPROVAL_DAYS_MAX}D. Default: PT24H. Only for orders.`,
      ),
    ),
  }),
  decision: changeSchema('DecisionRequest', {
    id,
    reason: WHY,
  }),
};

type ProposalsSurroundings = RoutesSurroundings & {
  readonly settings: { readonly fourEyes: FourEyes };
  /** As they are stored. */
  readonly rules: () => Promise<readonly Rule[]>;
};

const FOR_ORDERS = 'nothing: only the approval of an order ends, a change stays';

/** Shows the terms of subjects, in every call. */
const OF_SUBJECT = CALLS.terms.needs;

/** Makes the one function of all routes of proposals; a direct invocation says its `operation`. */
export function createProposalsHandler(
  book: ProposalBook,
  surroundings: ProposalsSurroundings,
): LambdaHandler {
  const caller = route({
    call: CALLS.caller,
    takes: PROPOSALS_TAKE.caller,
    async run(_nothing, { app, by }) {
      const { settings, rules } = surroundings;
      const { kind } = settings.fourEyes;
      return { answer: callerJson(by(), app.rights, kind, await rules()) };
    },
  });
  const list = route({
    call: CALLS.listProposals,
    takes: PROPOSALS_TAKE.list,
    async run({ state, about: asked, before, limit = VERSIONS_DEFAULT }, { app, now: at }) {
      // Terms and payments of subjects are read with another right.
      const mayAll = hasAll(app, OF_SUBJECT);
      if (!mayAll && asked !== undefined && asked !== 'rules') assertAllowed(app, OF_SUBJECT);
      const about = mayAll ? asked : ('rules' as const);
      const found = await book.list({ state, before, about, limit: limit + 1 }, at);
      return { answer: proposalsJson(limit, found, at) };
    },
  });
  const find = route({
    call: CALLS.findProposal,
    takes: PROPOSALS_TAKE.find,
    async run({ id, language = 'en' }, asking) {
      const by = asking.by(); // as in a decision
      const look = await book.look(id, asking.now);
      assertMayRead(look.proposal, asking);
      const answer = proposalLookJson(look, asking.now, language, by);
      return { answer, headers: { 'content-language': language } };
    },
  });
  const decide = async (
    { id, reason, for: passesMs }: z.infer<(typeof PROPOSALS_TAKE)['approval']>,
    outcome: ProposalDecision['outcome'],
    asking: Asking,
  ): Promise<Answered> => {
    const { at: asked, now: at, sent } = asking;
    const by = asking.by(); // before anything is read: a name that cannot be stored is a mistake
    const proposal = await book.find(id);
    // A decision about what nobody may read would be blind.
    if (outcome !== 'withdrawn') assertMayRead(proposal, asking);
    const isOfOrder = proposal.change.about === 'order';
    if (passesMs !== undefined && !isOfOrder)
      refuse([mistakeAt(['for'], ownField(sent, 'for'), FOR_ORDERS)]);
    const passesUntil = new Date(at.getTime() + (passesMs ?? DAY_MS));
    const passing = isOfOrder && outcome === 'approved' ? { passesUntil } : {};
    const decided = await book.decide(id, { outcome, by, reason, at, ...passing }, asked);
    return { answer: proposalJson(decided, at) };
  };
  const deciding = (call: CallRow, outcome: ProposalDecision['outcome']): Route =>
    route({
      call,
      takes: PROPOSALS_TAKE.decision,
      run: (given, asking) => decide(given, outcome, asking),
    });
  const withdraw = deciding(CALLS.withdraw, 'withdrawn');
  const reject = deciding(CALLS.reject, 'rejected');
  const approve = route({
    call: CALLS.approve,
    takes: PROPOSALS_TAKE.approval,
    run: (given, asking) => decide(given, 'approved', asking),
  });
  const routes = { caller, list, find, withdraw, approve, reject };
  return createRoutes('proposals', routes, surroundings);
}

/** @throws RightMissingError where it is about a subject, which the caller may not read */
function assertMayRead({ change }: Proposal, { app }: Pick<Asking, 'app'>): void {
  if (change.about !== 'rules') assertAllowed(app, OF_SUBJECT);
}
