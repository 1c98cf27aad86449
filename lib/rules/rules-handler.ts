import { RULES_BYTES_MAX } from '../shared/bounds.ts';
import type { Authorship } from '../shared/actor.ts';
import type { RuleBook, RulesChanged } from './rules-changed.ts';
import type { ActorSource } from '../http/actor.ts';
import type { Framing } from '../http/envelope.ts';
import type { Call, LambdaHandler, Surroundings } from '../http/handler.ts';
import { answered, createHandler } from '../http/handler.ts';
import { createRoutes } from '../http/routed.ts';
import { proposedFraming, proposedJson } from './four-eyes/proposal-answer.ts';
import { PAGE_READ_BYTES_MAX } from '../http/page.ts';
import { keptRuleJson, rulesChangedJson, ruleSetJson, versionsJson } from './rules-answer.ts';
import type { EditRequest } from './rules-request.ts';
import {
  readDeleteRequest,
  readFindRequest,
  readListRequest,
  readPutRequest,
  readReplaceRequest,
  readVersionsRequest,
} from './rules-request.ts';

/** What the calls of rules need beside what every call needs. */
export type RulesSurroundings = Surroundings & {
  readonly actorOf: ActorSource;
  /** The machine's clock. */
  readonly now: () => Date;
};

/** Operations of a direct invocation, by the routes of HTTP. */
const ROUTES = {
  'GET /v1/rules': 'list',
  'PUT /v1/rules': 'replace',
  'GET /v1/rules/{id}': 'find',
  'PUT /v1/rules/{id}': 'put',
  'DELETE /v1/rules/{id}': 'delete',
  'GET /v1/rules/{id}/versions': 'versions',
} as const;

/** Makes the one function of all routes of rules; a direct invocation says its `operation`. */
export function createRulesHandler(book: RuleBook, surroundings: RulesSurroundings): LambdaHandler {
  const reading = { name: 'rules', needs: ['rules:read'], tell: answered } as const;
  const handlers = {
    list: createHandler(
      {
        ...reading,
        read: readListRequest,
        run: async (language) => ({ language, set: await book.read() }),
        write: ({ set, language }) => ruleSetJson(set, language),
        frame: ({ set, language }) => ({
          headers: { ...tagOf(set.revision).headers, 'content-language': language },
        }),
      },
      surroundings,
    ),
    find: createHandler(
      {
        ...reading,
        read: readFindRequest,
        run: async ({ id, language }) => ({ language, kept: await book.find(id) }),
        write: ({ kept, language }) => keptRuleJson(kept, language),
        frame: ({ kept, language }) => ({
          headers: { ...tagOf(kept.version).headers, 'content-language': language },
        }),
      },
      surroundings,
    ),
    versions: createHandler(
      {
        ...reading,
        read: readVersionsRequest,
        // One more than is told says whether there is a next page.
        run: async (query) => ({
          query,
          found: await book.versions({
            ...query,
            limit: query.limit + 1,
            bytesMax: PAGE_READ_BYTES_MAX,
          }),
        }),
        write: ({ query: { id, limit }, found }) => versionsJson(id, limit, found),
      },
      surroundings,
    ),
    put: createHandler(editCall(book, surroundings, readPutRequest), surroundings),
    delete: createHandler(editCall(book, surroundings, readDeleteRequest), surroundings),
    replace: createHandler(editCall(book, surroundings, readReplaceRequest), surroundings),
  };
  return createRoutes('rules', ROUTES, handlers, surroundings);
}

/** A version is a strong validator: RFC 9110, 8.8.3. */
function tagOf(version: number): Framing {
  return { headers: { etag: `"${version}"` } };
}

type Edit = EditRequest & { readonly author: Omit<Authorship, 'at'> };
type Edited = { readonly edit: Edit; readonly changed: RulesChanged };

function editCall(
  book: RuleBook,
  { actorOf, now }: RulesSurroundings,
  read: (
    ...given: readonly [Parameters<typeof readPutRequest>[0], Parameters<typeof readPutRequest>[1]]
  ) => EditRequest,
): Call<Edit, Edited> {
  return {
    name: 'rules',
    needs: ['rules:write'],
    bodyBytesMax: RULES_BYTES_MAX,
    read(text, appId, envelope) {
      const request = read(text, envelope);
      const { reason } = request;
      const by = actorOf(envelope, appId);
      return { ...request, author: { by, ...(reason === undefined ? {} : { reason }) } };
    },
    run: async (edit, at) => ({
      edit,
      changed: await book.change(
        edit.edit,
        { ...edit.author, at: at ?? now() },
        { dryRun: edit.dryRun },
      ),
    }),
    write: ({ edit, changed }) =>
      changed.proposed === undefined
        ? rulesChangedJson(changed, edit.dryRun)
        : proposedJson(changed.proposed),
    frame: frameOf,
    tell: answered,
  };
}

/** A rule that was made is 201, one that waits 202; what was changed says its version, what is gone has none. */
function frameOf({ edit: { edit, dryRun }, changed }: Edited): Framing {
  const { set, changes, wasThere, proposed } = changed;
  if (proposed !== undefined) return proposedFraming(proposed);
  if (edit.kind === 'replace') return tagOf(set.revision);
  if (edit.kind === 'delete') return {};
  const made = set.rules.find(({ rule }) => rule.id === edit.rule.id);
  const isMade = !wasThere && !dryRun && changes.length > 0;
  return { ...(isMade ? { status: 201 } : {}), ...(made === undefined ? {} : tagOf(made.version)) };
}
