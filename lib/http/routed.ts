import * as z from 'zod/mini';
import type { Actor } from '../shared/actor.ts';
import type { CallRow } from '../../contract/calls.ts';
import type { ActorSource } from './actor.ts';
import { asInvoked } from './requests.ts';
import type { Framing } from './envelope.ts';
import { NO_SUCH_PATH } from './envelope.ts';
import type { Call, Caller, LambdaHandler, Surroundings } from './handler.ts';
import { createHandler } from './handler.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';

/** Who makes a call of a route, and when. */
export type Asking = Caller & {
  readonly at: Date | undefined;
  /** `at`, or the machine's clock. */
  readonly now: Date;
  readonly by: () => Actor;
};

/** What handlers of routes need beside their calls. */
export type RoutesSurroundings = Surroundings & {
  readonly actorOf: ActorSource;
};

/** An answer, and what HTTP says beside it. */
export type Answered = Framing & { readonly answer: object };

type RoutedOperation<Given> = Pick<
  Call<Given, Given, never>,
  'takes' | 'between' | 'bodyBytesMax'
> & {
  /** Its route, and the rights that it needs. */
  readonly call: Pick<CallRow, 'route' | 'needs'>;
  readonly run: (given: Given, asking: Asking) => Promise<Answered>;
};

type CallName = Call<never, never, never>['name'];

/** An operation, as a part of a function. */
export type Route = ReturnType<typeof route>;

/** Makes an operation a part of a function. */
export function route<Given>({
  call: { route: line, needs },
  run,
  ...call
}: RoutedOperation<Given>) {
  return {
    route: line,
    handlerOf: (name: CallName, surroundings: RoutesSurroundings): LambdaHandler =>
      createHandler<Given, Given, Answered>(
        {
          name,
          needs,
          ...call,
          places: asInvoked,
          read: (given) => given,
          run: (given, at, _requestId, { app, envelope, sent }) =>
            run(given, {
              app,
              envelope,
              sent,
              at,
              now: at ?? new Date(),
              by: () => surroundings.actorOf(envelope, app.appId),
            }),
          write: ({ answer }) => answer,
          frame: (framing) => framing,
        },
        surroundings,
      ),
  };
}

/** Makes one function of operations, by the names that a direct invocation says. */
export function createRoutes(
  name: CallName,
  routes: Readonly<Record<string, Route>>,
  surroundings: RoutesSurroundings,
): LambdaHandler {
  const lines = new Map<unknown, LambdaHandler>();
  const operations = new Map<unknown, LambdaHandler>();
  for (const [operation, { route: line, handlerOf }] of Object.entries(routes)) {
    const handler = handlerOf(name, surroundings);
    operations.set(operation, handler);
    lines.set(line, handler);
  }
  const expected = `one of ${Object.keys(routes).join(', ')}`;
  const unknown = route({
    call: { route: '', needs: [] },
    takes: z.looseObject({}),
    between: (value) => [mistakeAt(['operation'], ownField(value, 'operation'), expected)],
    run: () => Promise.resolve({ answer: {} }),
  }).handlerOf(name, surroundings);
  return (event, context) => {
    if (typeof ownField(event, 'requestContext') === 'object')
      return lines.get(routeOf(event))?.(event, context) ?? Promise.resolve(NO_SUCH_PATH);
    return (operations.get(ownField(event, 'operation')) ?? unknown)(event, context);
  };
}

/** The route as API Gateway's payload 2.0 names it; 1.0 has its two parts. */
function routeOf(event: unknown): string {
  const key = ownField(event, 'routeKey');
  if (typeof key === 'string') return key;
  return [ownField(event, 'httpMethod'), ownField(event, 'resource')].map(String).join(' ');
}
