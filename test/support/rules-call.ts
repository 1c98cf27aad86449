import type { LambdaHandler } from '../../lib/http/handler.ts';
import type { RoutedAnswer, RoutedCall } from './routed-call.ts';
import { callRoute, routedEvent } from './routed-call.ts';

/** A call of rules as a caller sends it. */
export type RulesCall = Omit<RoutedCall, 'route' | 'parameters'> & {
  /** Below `/v1/rules`, where there is one; as it is called, not encoded. */
  readonly id?: string;
  readonly versions?: boolean;
};

export type RulesAnswer = Omit<RoutedAnswer, 'headers'> & { readonly etag: unknown };

function routed({ id, versions, ...call }: RulesCall): RoutedCall {
  const parts = [
    '/v1/rules',
    ...(id === undefined ? [] : ['{id}']),
    ...(versions ? ['versions'] : []),
  ];
  return { ...call, route: parts.join('/'), ...(id === undefined ? {} : { parameters: { id } }) };
}

/** The event that an HTTP API makes of a call, payload 2.0. */
export function rulesEvent(call: RulesCall): object {
  return routedEvent(routed(call));
}

export async function callRules(handler: LambdaHandler, call: RulesCall): Promise<RulesAnswer> {
  const { status, headers, body } = await callRoute(handler, routed(call));
  return { status, etag: headers.etag, body };
}
