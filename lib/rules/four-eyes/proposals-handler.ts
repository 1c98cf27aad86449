import { RightMissingError } from '../../shared/caller-errors.ts';
import type { Proposal, ProposalBook } from './proposal.ts';
import type { Actor } from '../../shared/actor.ts';
import type { ActorSource } from '../../http/actor.ts';
import type { RightsSource } from '../../http/caller.ts';
import type { Call, LambdaHandler, Surroundings } from '../../http/handler.ts';
import { answered, createHandler } from '../../http/handler.ts';
import { callerJson, proposalJson, proposalLookJson, proposalsJson } from './proposal-answer.ts';
import type { DecisionRequest } from './proposals-request.ts';
import { readCaller, readDecision, readProposalId, readProposals } from './proposals-request.ts';
import { createRoutes } from '../../http/routed.ts';
import type { Settings } from '../../http/settings.ts';

/** What the calls of proposals need beside what every call needs. */
export type ProposalsSurroundings = Surroundings & {
  readonly settings: Pick<Settings, 'fourEyes'>;
  readonly rightsOf: RightsSource;
  readonly actorOf: ActorSource;
  /** The machine's clock. */
  readonly now: () => Date;
};

/** Operations of a direct invocation, by the routes of HTTP. */
const ROUTES = {
  'GET /v1/caller': 'caller',
  'GET /v1/proposals': 'list',
  'GET /v1/proposals/{id}': 'find',
  'DELETE /v1/proposals/{id}': 'withdraw',
  'POST /v1/proposals/{id}/approve': 'approve',
  'POST /v1/proposals/{id}/reject': 'reject',
} as const;

/** Makes the one function of all routes of proposals; a direct invocation says its `operation`. */
export function createProposalsHandler(
  book: ProposalBook,
  surroundings: ProposalsSurroundings,
): LambdaHandler {
  const { now } = surroundings;
  const reading = { name: 'proposals', needs: ['rules:read'], tell: answered } as const;
  const decided = (outcome: DecisionRequest['outcome']): LambdaHandler =>
    createHandler(decideCall(book, surroundings, outcome), surroundings);
  return createRoutes(
    'proposals',
    ROUTES,
    {
      caller: createHandler(
        {
          ...reading,
          needs: [],
          read: (text, appId, envelope) => {
            readCaller(text, envelope);
            return { by: surroundings.actorOf(envelope, appId), ...{ envelope, appId } };
          },
          run: async ({ by, envelope, appId }) => ({
            by,
            rights: await surroundings.rightsOf(envelope, appId),
          }),
          write: (caller) => callerJson(caller, surroundings.settings.fourEyes.kind),
        },
        surroundings,
      ),
      list: createHandler(
        {
          ...reading,
          read: (text, _appId, envelope) => readProposals(text, envelope),
          // One more than is told says whether there is a next page.
          run: async (query, at = now()) => ({
            ...{ at, query },
            found: await book.list({ ...query, limit: query.limit + 1 }, at),
          }),
          write: ({ query: { limit }, found, at }) => proposalsJson(limit, found, at),
        },
        surroundings,
      ),
      find: createHandler(
        {
          ...reading,
          read: (text, appId, envelope) => ({
            id: readProposalId(text, envelope),
            ...{ appId, rights: () => surroundings.rightsOf(envelope, appId) },
          }),
          async run({ id, appId, rights }, at = now()) {
            const look = await book.look(id, at);
            const { about } = look.proposal.change;
            // It shows what a subject has now, which is told to nobody else without this right.
            if (about === 'terms' && !(await rights()).includes('usage:read'))
              throw new RightMissingError(appId, 'usage:read');
            return { at, look };
          },
          write: ({ look, at }) => proposalLookJson(look, at),
        },
        surroundings,
      ),
      withdraw: decided('withdrawn'),
      approve: decided('approved'),
      reject: decided('rejected'),
    },
    surroundings,
  );
}

type Decided = { readonly proposal: Proposal; readonly at: Date };

function decideCall(
  book: ProposalBook,
  { actorOf, now }: ProposalsSurroundings,
  outcome: DecisionRequest['outcome'],
): Call<DecisionRequest & { readonly by: Actor }, Decided> {
  return {
    name: 'proposals',
    // An actor who may propose may take back. Whose proposal it is, is found out then.
    needs: [outcome === 'withdrawn' ? 'rules:read' : 'approve'],
    read: (text, appId, envelope) => ({
      ...readDecision(text, envelope, outcome),
      by: actorOf(envelope, appId),
    }),
    async run({ id, by, reason }, asked) {
      const at = asked ?? now();
      const proposal = await book.decide(id, { outcome, by, reason, at }, asked);
      return { proposal, at };
    },
    write: ({ proposal, at }) => proposalJson(proposal, at),
    tell: answered,
  };
}
