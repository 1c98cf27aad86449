import { VERSIONS_DEFAULT } from '../../shared/bounds.ts';
import { RightMissingError } from '../../shared/caller-errors.ts';
import type { ActorSource } from '../../http/actor.ts';
import type { RightsSource } from '../../http/caller.ts';
import type { LambdaHandler, Surroundings } from '../../http/handler.ts';
import type { Route } from '../../http/routed.ts';
import { createRoutes, route } from '../../http/routed.ts';
import type { Settings } from '../../http/settings.ts';
import { callerJson, proposalJson, proposalLookJson, proposalsJson } from './proposal-answer.ts';
import type { Decision, ProposalBook } from './proposal.ts';
import {
  callerSchema,
  decisionSchema,
  findProposalSchema,
  listProposalsSchema,
} from './proposals-request.ts';

type ProposalsSurroundings = Surroundings & {
  readonly settings: Pick<Settings, 'fourEyes'>;
  readonly rightsOf: RightsSource;
  readonly actorOf: ActorSource;
  /** The machine's clock. */
  readonly now: () => Date;
};

const READS = { needs: ['rules:read'] } as const;
const ONE = '/v1/proposals/{id}';

/** Makes the one function of all routes of proposals; a direct invocation says its `operation`. */
export function createProposalsHandler(
  book: ProposalBook,
  surroundings: ProposalsSurroundings,
): LambdaHandler {
  const { now, actorOf, rightsOf, settings } = surroundings;
  const caller = route({
    ...{ route: 'GET /v1/caller', needs: [], takes: callerSchema },
    async run(_nothing, { envelope, appId }) {
      const by = actorOf(envelope, appId);
      const rights = await rightsOf(envelope, appId);
      return { answer: callerJson({ by, rights }, settings.fourEyes.kind) };
    },
  });
  const list = route({
    ...{ route: 'GET /v1/proposals', ...READS, takes: listProposalsSchema },
    async run({ state, before, limit = VERSIONS_DEFAULT }, { at = now() }) {
      // One more than is told says whether there is a next page.
      const found = await book.list({ state, before, limit: limit + 1 }, at);
      return { answer: proposalsJson(limit, found, at) };
    },
  });
  const find = route({
    ...{ route: `GET ${ONE}`, ...READS, takes: findProposalSchema },
    async run({ id }, { at = now(), envelope, appId }) {
      const look = await book.look(id, at);
      // It shows what a subject has now, which is told to nobody else without this right.
      const isOfSubject = look.proposal.change.about === 'terms';
      if (isOfSubject && !(await rightsOf(envelope, appId)).includes('usage:read'))
        throw new RightMissingError(appId, 'usage:read');
      return { answer: proposalLookJson(look, at) };
    },
  });
  const deciding = (
    line: string,
    needs: 'rules:read' | 'approve',
    outcome: Decision['outcome'],
  ): Route =>
    route({
      ...{ route: line, needs: [needs], takes: decisionSchema },
      async run({ id, reason }, { at: asked, envelope, appId }) {
        const at = asked ?? now();
        const by = actorOf(envelope, appId);
        const proposal = await book.decide(id, { outcome, by, reason, at }, asked);
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
