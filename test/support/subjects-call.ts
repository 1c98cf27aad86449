import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { RoutedAnswer, RoutedCall } from './routed-call.ts';
import { callRoute, routedEvent } from './routed-call.ts';

/** A call of a subject's terms as a caller sends it. */
export type SubjectsCall = Omit<RoutedCall, 'route' | 'parameters'> & {
  readonly path: 'terms' | 'changes' | 'overrides' | 'freeze';
  /** Not encoded. */
  readonly kind?: string;
  readonly id?: string;
  readonly rule?: string;
};

function routed({ path, kind = 'user', id = 'u-1', rule, ...call }: SubjectsCall): RoutedCall {
  const last = path === 'overrides' ? 'overrides/{rule}' : path;
  const parameters = { kind, id, ...(rule === undefined ? {} : { rule }) };
  return { ...call, route: `/v1/subjects/{kind}/{id}/${last}`, parameters };
}

/** The event that an HTTP API makes of a call, payload 2.0. */
export function subjectsEvent(call: SubjectsCall): object {
  return routedEvent(routed(call));
}

export async function callSubjects(
  handler: LambdaHandler,
  call: SubjectsCall,
): Promise<Omit<RoutedAnswer, 'headers'>> {
  const { status, body } = await callRoute(handler, routed(call));
  return { status, body };
}
