import * as z from 'zod/mini';
import { BODY_BYTES_MAX } from '../shared/bounds.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { Envelope } from './envelope.ts';
import { NO_SUCH_PATH } from './envelope.ts';
import type { Call, LambdaHandler, Surroundings } from './handler.ts';
import { answered, createHandler } from './handler.ts';
import type { ParsedText } from './json-text.ts';
import { mistakeAt, ownField } from './mistakes.ts';
import { actor } from './fields.ts';
import { misplaced, requestSchema, wholeNumberIn } from './requests.ts';
import { component, said } from './said.ts';

/** One function for several routes: of a direct invocation, `operation` says which. */

/** Makes one function of a handler for each operation, which routes of HTTP name. */
export function createRoutes<Operation extends string>(
  name: Call<never, never>['name'],
  routes: Readonly<Record<string, Operation>>,
  handlers: Readonly<Record<Operation, LambdaHandler>>,
  surroundings: Surroundings,
): LambdaHandler {
  const operations: readonly string[] = Object.values(routes);
  const isOperation = (value: unknown): value is Operation =>
    typeof value === 'string' && operations.includes(value);
  const unknown = createHandler(unknownOperation(name, operations), surroundings);
  return (event, context) => {
    const isHttp = typeof ownField(event, 'requestContext') === 'object';
    if (!isHttp) {
      const operation = ownField(event, 'operation');
      return (isOperation(operation) ? handlers[operation] : unknown)(event, context);
    }
    const operation = Object.hasOwn(routes, routeOf(event)) ? routes[routeOf(event)] : undefined;
    if (operation === undefined) return Promise.resolve(NO_SUCH_PATH);
    return handlers[operation](event, context);
  };
}

/** The route as API Gateway's payload 2.0 names it; 1.0 has its two parts. */
function routeOf(event: unknown): string {
  const key = ownField(event, 'routeKey');
  if (typeof key === 'string') return key;
  return [ownField(event, 'httpMethod'), ownField(event, 'resource')].map(String).join(' ');
}

function unknownOperation(
  name: Call<never, never>['name'],
  operations: readonly string[],
): Call<never, never> {
  return {
    name,
    needs: [],
    read({ value }) {
      const operation = ownField(value, 'operation');
      throw new InvalidRequestError([
        mistakeAt(['operation'], operation, `one of ${operations.join(', ')}`),
      ]);
    },
    run: (request) => Promise.resolve(request),
    write: () => ({}),
    tell: answered,
  };
}

/** What only a direct invocation has: over HTTP the route says it. */
const DIRECT = { operation: z.optional(z.unknown()) };

/** What an operation takes of those fields, and no other, however it is called. */
export function operationSchema<Shape extends z.core.$ZodLooseShape>(id: string, shape: Shape) {
  return component(id, requestSchema(shape, DIRECT));
}

/** What a change takes, which somebody makes; over HTTP a header says who. */
export function changeSchema<Shape extends z.core.$ZodLooseShape>(
  id: string,
  shape: Shape,
  keywords: Readonly<Record<string, unknown>> = {},
  bytesMax = BODY_BYTES_MAX,
) {
  const schema = requestSchema(shape, { ...DIRECT, actor: actor() });
  return component(id, said(schema, `At most ${bytesMax} bytes.`, keywords));
}

/** Which names stand where in a call over HTTP. */
export type Places = {
  readonly body: readonly string[];
  readonly query: readonly string[];
  /** Of the query: `limit` where nothing is said. */
  readonly numbers?: readonly string[];
};

/**
 * A call over HTTP as a direct invocation would say it: what stands in its path and its query stands
 * beside the fields of its body. Each name has one place, and is refused in any other.
 *
 * @param places the names that a body, and a query, may have, and which of a query are whole numbers
 */
export function asInvoked(request: ParsedText, envelope: Envelope, places: Places): ParsedText {
  if (envelope.kind === 'direct') return request;
  const { parameters, query, line } = envelope;
  const { numbers = ['limit'] } = places;
  const body = line.method === 'GET' ? {} : request.value;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return request;
  const asks = [...new Set(query.keys())].map((name): readonly [string, unknown] => {
    const [value = '', ...more] = query.getAll(name);
    return [name, more.length === 0 ? fromQuery(name, value, numbers) : [value, ...more]];
  });
  const mistakes = [
    ...misplaced(Object.entries(body), places.body, 'a body'),
    ...misplaced(asks, places.query, 'a query'),
  ];
  return {
    value: { ...body, ...Object.fromEntries(asks), ...Object(parameters) },
    mistakes: [...request.mistakes, ...mistakes],
    further: request.further,
  };
}

/** Fields of a query that are no text: there everything is written as text. */
function fromQuery(name: string, value: string, numbers: readonly string[]): unknown {
  if (name === 'dryRun' && /^(true|false)$/.test(value)) return value === 'true';
  return numbers.includes(name) ? wholeNumberIn(value) : value;
}
