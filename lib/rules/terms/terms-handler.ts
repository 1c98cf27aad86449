import type { TermsBook, TermsOutcome } from './terms-outcome.ts';
import type { TermsFound } from './terms-change.ts';
import { NoTermsError } from './terms-errors.ts';
import { documentId } from '../../shared/subject.ts';
import { NO_TERMS } from './terms.ts';
import type { ActorSource } from '../../http/actor.ts';
import type { Envelope, Framing } from '../../http/envelope.ts';
import type { Call, LambdaHandler, Surroundings } from '../../http/handler.ts';
import { answered, createHandler } from '../../http/handler.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { PAGE_READ_BYTES_MAX } from '../../http/page.ts';
import { proposedFraming, proposedJson } from '../four-eyes/proposal-answer.ts';
import { createRoutes } from '../../http/routed.ts';
import { changesJson, termsJson } from './terms-answer.ts';
import type { TermsRequest } from './terms-request.ts';
import {
  readChanges,
  readEndOverride,
  readFreeze,
  readOverride,
  readSubject,
  readSubjectRule,
  readUnfreeze,
} from './terms-request.ts';

/** Operations of a direct invocation, by the routes of HTTP. */
const ROUTES = {
  'GET /v1/subjects/{kind}/{id}/terms': 'terms',
  'GET /v1/subjects/{kind}/{id}/changes': 'changes',
  'GET /v1/subjects/{kind}/{id}/overrides/{rule}': 'findOverride',
  'PUT /v1/subjects/{kind}/{id}/overrides/{rule}': 'override',
  'DELETE /v1/subjects/{kind}/{id}/overrides/{rule}': 'endOverride',
  'PUT /v1/subjects/{kind}/{id}/freeze': 'freeze',
  'DELETE /v1/subjects/{kind}/{id}/freeze': 'unfreeze',
} as const;

const READING = { name: 'subjects', needs: ['usage:read'], tell: answered } as const;

/** Makes the one function of all routes of subjects' terms; a direct invocation says its `operation`. */
export function createTermsHandler(
  book: TermsBook,
  surroundings: Surroundings & { readonly actorOf: ActorSource },
): LambdaHandler {
  const edit = (read: (text: ParsedText, envelope: Envelope) => TermsRequest): LambdaHandler =>
    createHandler(editCall(book, surroundings.actorOf, read), surroundings);
  return createRoutes(
    'subjects',
    ROUTES,
    {
      terms: createHandler(termsCall(book), surroundings),
      changes: createHandler(changesCall(book), surroundings),
      findOverride: createHandler(findCall(book), surroundings),
      override: edit(readOverride),
      endOverride: edit(readEndOverride),
      freeze: edit(readFreeze),
      unfreeze: edit(readUnfreeze),
    },
    surroundings,
  );
}

type Found<Asked> = { readonly asked: Asked; readonly found: TermsFound };

function termsCall(
  book: TermsBook,
): Call<ReturnType<typeof readSubject>, Found<ReturnType<typeof readSubject>>> {
  return {
    ...READING,
    read: (text, _appId, envelope) => readSubject(text, envelope),
    run: async (asked, at) => ({ asked, found: await book.read(asked, at) }),
    write: ({ asked, found }) => termsJson(asked, found),
    frame: ({ found }) => tagged(found),
  };
}

/** A version is a strong validator: RFC 9110, 8.8.3. */
function tagged({ terms }: TermsFound): Framing {
  return { headers: { etag: `"${terms?.version ?? NO_TERMS}"` } };
}

function findCall(
  book: TermsBook,
): Call<ReturnType<typeof readSubjectRule>, Found<ReturnType<typeof readSubjectRule>>> {
  return {
    ...READING,
    read: (text, _appId, envelope) => readSubjectRule(text, envelope),
    async run(asked, at) {
      const { subject, rule } = asked;
      const { terms, now } = await book.read(subject, at);
      const overrides = (terms?.overrides ?? []).filter((one) => one.rule === rule);
      if (terms === undefined || overrides.length === 0)
        throw new NoTermsError(
          documentId(subject.kind, subject.id),
          `override of rule ${JSON.stringify(rule)}`,
        );
      return { asked, found: { now, terms: { version: terms.version, overrides } } };
    },
    write: ({ asked, found }) => {
      const { subject, overrides, now } = termsJson(asked.subject, found);
      return { subject, overrides, now };
    },
  };
}

function changesCall(book: TermsBook) {
  const call: Call<
    ReturnType<typeof readChanges>,
    {
      readonly asked: ReturnType<typeof readChanges>;
      readonly found: Awaited<ReturnType<TermsBook['changes']>>;
    }
  > = {
    ...READING,
    read: (text, _appId, envelope) => readChanges(text, envelope),
    // One more than is told says whether there is a next page.
    run: async (asked) => ({
      asked,
      found: await book.changes({
        ...asked,
        limit: asked.limit + 1,
        bytesMax: PAGE_READ_BYTES_MAX,
      }),
    }),
    write: ({ asked: { subject, limit }, found }) => changesJson(subject, limit, found),
  };
  return call;
}

type Edit = TermsRequest & { readonly by: ReturnType<ActorSource> };
type Edited = { readonly asked: TermsRequest['subject']; readonly found: TermsOutcome };

function editCall(
  book: TermsBook,
  actorOf: ActorSource,
  read: (text: ParsedText, envelope: Envelope) => TermsRequest,
): Call<Edit, Edited> {
  return {
    name: 'subjects',
    needs: ['subjects:write'],
    read: (text, appId, envelope) => ({
      ...read(text, envelope),
      by: actorOf(envelope, appId),
    }),
    async run({ subject, wish, by, reason, expected, isFirst }, at) {
      const found = await book.change(subject, wish, { by, reason }, { at, expected, isFirst });
      return { asked: subject, found };
    },
    write: ({ asked, found }) =>
      found.proposed === undefined ? termsJson(asked, found) : proposedJson(found.proposed),
    frame: ({ found }) =>
      found.proposed === undefined ? tagged(found) : proposedFraming(found.proposed),
    tell: answered,
  };
}
