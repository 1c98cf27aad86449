import { ANSWERS } from '../../contract/answers.ts';
import type { JsonObject } from '../../lib/http/json.ts';
import { SAID } from '../../lib/http/said.ts';
import type { Example } from './examples.ts';
import { referenceTo } from './json-schema.ts';
import type { Code } from './problems.ts';
import { ANSWER_HEADERS, problemResponses } from './problems.ts';
import { PROPOSED } from './proposals-examples.ts';

/** One call as OpenAPI has it. */

/** What is said of a call. */
export type Operation = {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly tag: keyof typeof TAGS;
  readonly summary: string;
  readonly description: string;
  /** Names the component of its body: `Check` has CheckRequest. */
  readonly name: string;
  readonly answers: string;
  /** Problems beside those of every call. */
  readonly codes: readonly Code[];
  /** With a request where the call has a body. */
  readonly example: Example;
  /** What stands in the path, the query and headers of its own. */
  readonly parameters?: readonly JsonObject[];
  /** Headers of its answer, beside those of every answer. */
  readonly headers?: JsonObject;
  /** What an answer with 201 says. */
  readonly created?: string;
  /** Whether the change may need a second person: 202 answers so. */
  readonly mayWait?: true;
};

/** Under which headings the calls stand. */
const TAGS = {
  'One order': 'Check, then confirm or roll back.',
  Limits: 'How they stand.',
  'Many orders': 'Up to 100 in one call.',
  History: 'What happened, from the audit.',
  'Terms of a subject': 'Maxima of its own, and whether it is frozen.',
  Rules: 'Read, change and undo them.',
  'Second person': 'Changes that one person asks for and another lets through.',
} as const;

function inputOf({ name, example, parameters }: Operation): JsonObject {
  const { request } = example;
  const content = { schema: referenceTo(`${name}Request`), example: request ?? {} };
  return {
    ...(parameters === undefined ? {} : { parameters }),
    ...(request === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': content } } }),
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
export function operationJson(id: string, operation: Operation): JsonObject {
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
    ...inputOf(operation),
    responses: {
      200: { description: answers, headers, content },
      ...(created === undefined ? {} : { 201: { description: created, headers, content } }),
      ...(operation.mayWait === undefined ? {} : { 202: WAITS }),
      ...problemResponses(codes),
    },
  };
}

/** The headings under which calls stand. */
export function tags(): readonly JsonObject[] {
  return Object.entries(TAGS).map(([name, description]) => ({ name, description }));
}
