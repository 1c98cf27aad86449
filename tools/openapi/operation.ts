import type * as z from 'zod/mini';
import { ANSWERS } from '../../contract/answers.ts';
import type { CallId } from '../../contract/calls.ts';
import { CALLS } from '../../contract/calls.ts';
import type { JsonObject } from './json.ts';
import { FIELD_HEADERS } from '../../lib/http/requests.ts';
import { referenceTo, SAID } from '../../lib/schema/said.ts';
import { LANGUAGES } from '../../lib/shared/language.ts';
import type { Example } from './examples.ts';
import { ANSWER_HEADERS, problemResponses, type Code } from './problems.ts';
import { BACKTEST_ID } from './backtests-examples.ts';
import { PROPOSED } from './proposals-examples.ts';

/** One call as OpenAPI has it. */

/** The description of a call. */
export type Operation = {
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  /** Its request, as a direct invocation has it: see `placesOf`. */
  readonly takes: z.ZodMiniType;
  readonly answers: string;
  /** Problems beside those of every call. */
  readonly codes: readonly Code[];
  /** With a request where the call has a body. */
  readonly example: Example;
  /** Headers of its answer, beside those of every answer. */
  readonly headers?: JsonObject;
  /** The description of an answer with 201. */
  readonly created?: string;
  /** Whether the change may need a second person: 202 answers so. */
  readonly mayWait?: true;
};

/** Under which headings the calls stand, and values of what stands in their paths, queries and headers. */
const TAGS = {
  'One order': { says: 'Check, then confirm or roll back.', asked: { orderId: 'p-1' } },
  Limits: { says: 'Their sums and maxima.', asked: { rule: 'merchant-day', kind: 'merchant' } },
  'Many orders': { says: 'Up to 100 in one call.', asked: {} },
  History: { says: 'The past, from the audit.', asked: { kind: 'merchant' } },
  'Terms of a subject': {
    says: 'Maxima of its own, and whether it is frozen.',
    asked: {
      kind: 'user',
      id: 'u-1',
      rule: 'user-day',
      ifMatch: '"8f14e45f-ceea-467f-a0e6-1d4c2b7a9c55"',
    },
  },
  Rules: { says: 'Read, change and undo them.', asked: { id: 'transfer-day', ifMatch: '"2"' } },
  'Back-tests': {
    says: 'Other rules, tried on the past.',
    asked: { id: BACKTEST_ID, rule: 'user-day' },
  },
  Operation: { says: 'The state of the deployment.', asked: {} },
  'Second person': {
    says: 'Changes that one person proposes and another approves.',
    asked: { id: PROPOSED.id, state: 'open' },
  },
} as const;

/** Values of fields that stand in more than one call. */
const ASKED: JsonObject = {
  actor: 'jane@example.com',
  reason: 'asked for by mail',
  ifNoneMatch: '*',
  language: 'zh-CN, en;q=0.5',
  subjects: { user: 'u-1' },
  attributes: { tier: 'silver' },
  type: 'PAYMENT',
  stale: 'PT10S',
};

/** Fields of a query that are written otherwise than others. */
const WRITTEN: Readonly<Record<string, JsonObject>> = {
  subjects: {
    style: 'form',
    explode: true,
    description: 'The subjects, one parameter for each: `?user=u-1&merchant=m-1`.',
  },
  attributes: {
    style: 'deepObject',
    explode: true,
    description:
      'The attributes of the payments, for maxima that depend on them: `?attributes[tier]=silver`. No name may be a subject kind of the query.',
  },
};

type Fields = Readonly<Record<string, JsonObject>>;

/** Where each field of a request stands over HTTP. */
type Places = { readonly parameters: readonly JsonObject[]; readonly body?: JsonObject };

/** The method and the path of a call. */
export function routeOf(id: CallId): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = CALLS[id].route.split(' ');
  return { method: method.toLowerCase(), path };
}

/**
 * Says where the fields of a request stand: in the path, where its template names them; in a header;
 * in the body of a POST or PUT; else in the query.
 *
 * @param schema of the request, as a direct invocation says it
 */
export function placesOf(id: CallId, { tag }: Operation, schema: JsonObject): Places {
  const { method, path } = routeOf(id);
  const { operation: _operation, ...fields } = (schema.properties ?? {}) as Fields; // so JSON Schema says
  const examples: JsonObject = { ...ASKED, ...TAGS[tag].asked };
  const required = (schema.required ?? []) as readonly string[]; // so JSON Schema says
  const hasBody = method === 'post' || method === 'put';
  const placeOf = (name: string): string => {
    if (path.includes(`{${name}}`)) return 'path';
    if (Object.hasOwn(FIELD_HEADERS, name)) return 'header';
    return hasBody ? 'body' : 'query';
  };
  const placed = Object.entries(fields).map(([name, field]) => ({
    name,
    field,
    in: placeOf(name),
  }));
  const parameters = placed
    .filter((one) => one.in !== 'body')
    .map(({ name, field: { description, ...type }, in: place }) => ({
      name: FIELD_HEADERS[name] ?? name,
      in: place,
      ...(required.includes(name) ? { required: true } : {}),
      description,
      ...WRITTEN[name],
      schema: type,
      ...(examples[name] === undefined ? {} : { example: examples[name] }),
    }));
  if (!hasBody) return { parameters };
  const inBody = placed.filter((one) => one.in === 'body');
  const names = inBody.map(({ name }) => name);
  const body = {
    ...schema,
    properties: Object.fromEntries(inBody.map(({ name, field }) => [name, field])),
    required: required.filter((name) => names.includes(name)),
  };
  return { parameters, body };
}

function inputOf(operation: Operation, { parameters, body }: Places): JsonObject {
  const { takes, example } = operation;
  const schema = referenceTo(String(SAID.get(takes)?.id));
  const content = { 'application/json': { schema, example: example.request } };
  return {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: true, content } }),
  };
}

const WAITS: JsonObject = {
  description: 'The change needs a second person (`FOUR_EYES`); nothing has changed yet.',
  headers: {
    ...ANSWER_HEADERS,
    Location: { description: 'The proposal.', schema: { type: 'string' } },
  },
  content: {
    'application/json': {
      schema: answerOf('proposed'),
      example: { proposal: PROPOSED },
    },
  },
};

function answerOf(id: string): JsonObject {
  const schema = Object.entries(ANSWERS).find(([name]) => name === id)?.[1];
  const component = schema && SAID.get(schema)?.id;
  if (component === undefined) throw new Error(`contract/answers.ts has no answer of ${id}`);
  return referenceTo(component);
}

/** The call as the document has it. */
export function operationJson(id: string, operation: Operation, places: Places): JsonObject {
  const { tag, summary, description, answers, codes, example } = operation;
  const content = {
    'application/json': {
      schema: answerOf(id),
      example: example.answer,
    },
  };
  const headers = { ...ANSWER_HEADERS, ...operation.headers };
  const { created } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description,
    ...inputOf(operation, places),
    responses: {
      200: { description: answers, headers, content },
      ...(created === undefined ? {} : { 201: { description: created, headers, content } }),
      ...(operation.mayWait === undefined ? {} : { 202: WAITS }),
      ...problemResponses(codes),
    },
  };
}

/** A header of an answer that has sentences. */
export const CONTENT_LANGUAGE: JsonObject = {
  'Content-Language': {
    description: 'The language of sentences.',
    schema: { type: 'string', enum: [...LANGUAGES] },
  },
};

/** The headings under which calls stand. */
export function tags(): readonly JsonObject[] {
  return Object.entries(TAGS).map(([name, { says }]) => ({ name, description: says }));
}
