import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../tools/openapi/document.ts';
import { NO_SUCH_PATH } from '../../lib/http/envelope.ts';
import type { Reply } from '../../lib/http/envelope.ts';
import type { LambdaHandler } from '../../lib/http/handler.ts';

/** The document as a contract: which requests it allows, and whether an answer is one that it names. */

/** A JSON Schema, or another object of the document. */
export type Schema = Readonly<Record<string, unknown>>;

/** One call, as the document describes it. */
export type OperationOf = {
  readonly id: string;
  readonly tags: readonly string[];
  readonly method: string;
  readonly path: string;
  readonly parameters?: readonly Schema[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly headers?: Readonly<Record<string, unknown>>;
        readonly content: Readonly<
          Record<
            string,
            {
              readonly schema: Schema;
              readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
            }
          >
        >;
      }
    >
  >;
};

type Document = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Omit<OperationOf, 'id'> & { operationId: string }>>>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly examples: Readonly<Record<string, { readonly value: { readonly code: string } }>>;
  };
};

/** The document. */
export const DOCUMENT = openApiDocument() as unknown as Document; // so OpenAPI says

/** Its calls, by operationId. */
export const OPERATIONS: Readonly<Record<string, OperationOf>> = Object.fromEntries(
  Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, ...operation }]) => [
      operationId,
      { ...operation, id: operationId, method: method.toUpperCase(), path },
    ]),
  ),
);

/** A copy in which an object has no field but those that are described: an answer names all that it has. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  const isOpen =
    copy.type === 'object' && 'properties' in copy && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

const ajv = new Ajv2020({ strict: false, allErrors: false });
formats.default(ajv);
const SCHEMAS = { components: { schemas: DOCUMENT.components.schemas } };
ajv.addSchema(SCHEMAS, 'open');
ajv.addSchema(closed(SCHEMAS) as Schema, 'closed');

const compiled = new Map<string, ValidateFunction>();

function validator(schema: Schema, way: 'open' | 'closed'): ValidateFunction {
  const text = JSON.stringify(schema).replaceAll('"#/', `"${way}#/`);
  const known = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Schema);
  compiled.set(text, known);
  return known;
}

/** Says whether a value fits a schema of the document. */
export function fits(schema: Schema, value: unknown): boolean {
  return validator(schema, 'open')(value);
}

/** The document's schema of what a call takes. */
export function requestSchema(id: string): Schema {
  const schema = operation(id).requestBody?.content['application/json']?.schema;
  if (schema === undefined) throw new Error(`${id} takes no body`);
  return schema;
}

function operation(id: string): OperationOf {
  const found = OPERATIONS[id];
  if (found === undefined) throw new Error(`docs/openapi.json has no call ${id}`);
  return found;
}

/** An answer over HTTP. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

/** Names the first part of an answer that the document does not describe; undefined if there is none. */
export function undocumented(
  id: string,
  { status, headers, body }: HttpAnswer,
): string | undefined {
  const response = operation(id).responses[status];
  if (response === undefined) return `${id} has no answer ${status}`;
  const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const others = Object.keys(headers).filter((name) => !['content-type', ...named].includes(name));
  if (others.length > 0) return `${id} ${status} has no header ${others.join(', ')}`;
  const content = response.content[String(headers['content-type'])];
  if (content === undefined) return `${id} ${status} is never ${String(headers['content-type'])}`;
  const wrong = wrongIn(content.schema, body);
  return wrong === undefined ? undefined : `${id} ${status}: ${wrong}`;
}

/** Names the first part of a value that a schema does not describe; undefined if there is none. */
export function wrongIn(schema: Schema, value: unknown): string | undefined {
  const validate = validator(schema, 'closed');
  if (validate(value)) return undefined;
  return `${ajv.errorsText(validate.errors)}, in ${JSON.stringify(value)}`;
}

/**
 * A handler whose answers over HTTP are compared with the document.
 *
 * @param id its call; of a function of several routes, what finds the call of an event
 * @throws Error where it has no such answer
 */
export function documented(
  id: string | ((event: unknown) => string | undefined),
  handler: LambdaHandler,
): LambdaHandler {
  return async (event, context) => {
    const reply = await handler(event, context);
    const { statusCode: status, headers = {}, body } = reply;
    if (typeof status !== 'number' || typeof body !== 'string') return passedOn(reply);
    const called = typeof id === 'string' ? id : id(event);
    if (called === undefined && reply === NO_SUCH_PATH) return reply; // which is API Gateway's
    const answer = {
      status,
      headers: headers as HttpAnswer['headers'],
      body: JSON.parse(body) as unknown,
    };
    const wrong = undocumented(called ?? 'a route that is not there', answer);
    if (wrong !== undefined) throw new Error(`not in docs/openapi.json: ${wrong}`);
    return reply;
  };
}

/** The answer to a direct invocation, as Lambda's runtime passes it on: in JSON. */
export function passedOn(reply: Reply): Reply {
  return JSON.parse(JSON.stringify(reply)) as Reply; // it was one
}

/** Which call an event of API Gateway is, of payload 2.0 or 1.0, by its route. */
export function callOfRoute(event: unknown): string | undefined {
  const { routeKey, httpMethod, resource } = event as Readonly<Record<string, unknown>>; // of HTTP
  const route =
    typeof routeKey === 'string' ? routeKey : `${String(httpMethod)} ${String(resource)}`;
  return Object.values(OPERATIONS).find(({ method, path }) => `${method} ${path}` === route)?.id;
}
