import * as deployed from '../../functions/handlers.ts';
import type { Service } from '../../functions/service.ts';
import type { LambdaHandler } from '../../lib/http/handler.ts';
import { callOfRoute, documented } from '../openapi/contract.ts';

export type Handlers = Readonly<Record<keyof typeof deployed, LambdaHandler>>;

/** Functions of several routes. */
const OF_SEVERAL_ROUTES: ReadonlySet<string> = new Set([
  ...['history', 'rules', 'subjects', 'proposals', 'backtests'],
]);

/** The handlers of a service. Whatever they answer over HTTP is held against docs/openapi.json. */
export function handlersOf(service: Service): Handlers {
  const held = Object.entries(deployed).map(([name, handlerOf]) => [
    name,
    documented(OF_SEVERAL_ROUTES.has(name) ? callOfRoute : name, handlerOf(service)),
  ]);
  return Object.fromEntries(held) as Handlers; // of the same names
}
