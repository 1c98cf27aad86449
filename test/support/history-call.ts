import type { LambdaHandler } from '../../lib/http/handler.ts';
import { callRoute, type RoutedAnswer } from './routed-call.ts';

export function callHistory(
  handler: LambdaHandler,
  route: '/v1/transactions' | '/v1/usage/history' | '/v1/summary',
  query: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RoutedAnswer> {
  return callRoute(handler, { method: 'GET', route, query, headers });
}
