import * as z from 'zod/mini';
import { VERSIONS_DEFAULT, VERSIONS_MAX } from '../../shared/bounds.ts';
import { RightMissingError } from '../../shared/errors.ts';
import type { LambdaHandler } from '../../http/handler.ts';
import { choice, pageSize, reasonText, text } from '../../http/fields.ts';
import { changeSchema, operationSchema } from '../../http/requests.ts';
import type { Route, RoutesSurroundings } from '../../http/routed.ts';
import { createRoutes, route } from '../../http/routed.ts';
import type { Settings } from '../../http/settings.ts';
import { callerJson, proposalJson, proposalLookJson, proposalsJson } from './proposal-answer.ts';
import type { Rule } from '../rule.ts';
import type { ProposalDecision } from './proposal.ts';
import { PROPOSAL_STATES } from './proposal.ts';
import type { ProposalBook } from './proposal-book.ts';

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
  readonly settings: Pick<Settings, 'fourEyes'>;
  /** As they are stored. */
  readonly rules: () => Promise<readonly Rule[]>;
};

const READS = { needs: ['rules:read'] } as const;
const ONE = '/v1/proposals/{id}';

/** Makes the one function of all routes of proposals; a direct invocation says its `operation`. */
export function createProposalsHandler(
  book: ProposalBook,
  surroundings: ProposalsSurroundings,
): LambdaHandler {
  const caller = route({
    ...{ route: 'GET /v1/caller', needs: [], takes: PROPOSALS_TAKE.caller },
    async run(_nothing, { by, rights }) {
      const { settings, rules } = surroundings;
      const { kind } = settings.fourEyes;
      return { answer: callerJson(by(), await rights(), kind, await rules()) };
    },
  });
  const list = route({
    ...{ route: 'GET /v1/proposals', ...READS, takes: PROPOSALS_TAKE.list },
    async run({ state, before, limit = VERSIONS_DEFAULT }, { now: at }) {
      const found = await book.list({ state, before, limit: limit + 1 }, at);
      return { answer: proposalsJson(limit, found, at) };
    },
  });
  const find = route({
    ...{ route: `GET ${ONE}`, ...READS, takes: PROPOSALS_TAKE.find },
    async run({ id }, { now: at, appId, rights }) {
      const look = await book.look(id, at);
      // It shows the terms of a subject, which needs this right in every other call.
      const isOfSubject = look.proposal.change.about === 'terms';
      if (isOfSubject && !(await rights()).includes('usage:read'))
        throw new RightMissingError(appId, 'usage:read');
      return { answer: proposalLookJson(look, at) };
    },
  });
  const deciding = (
    line: string,
    needs: 'rules:read' | 'approve',
    outcome: ProposalDecision['outcome'],
  ): Route =>
    route({
      ...{ route: line, needs: [needs], takes: PROPOSALS_TAKE.decision },
      async run({ id, reason }, { at: asked, now: at, by }) {
        const proposal = await book.decide(id, { outcome, by: by(), reason, at }, asked);
        return { answer: proposalJson(proposal, at) };
      },
    });
  // An actor who may propose may take back. Whose proposal it is, is found out then.
  const withdraw = deciding(`DELETE ${ONE}`, 'rules:read', 'withdrawn');
  const approve = deciding(`POST ${ONE}/approve`, 'approve', 'approved');
  const reject = deciding(`POST ${ONE}/reject`, 'approve', 'rejected');
  const routes = { caller, list, find, withdraw, approve, reject };
  return createRoutes('proposals', routes, surroundings);
}
