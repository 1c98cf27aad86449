import * as z from 'zod/mini';
import type { JsonObject } from '../../lib/http/json.ts';
import { decisionSchema } from '../../lib/rules/four-eyes/proposals-request.ts';
import { component, withFields } from './schemas.ts';

/** What the calls of proposals take. */

component(
  'DecisionRequest',
  'Why.',
  z.omit(decisionSchema, { id: true, operation: true, actor: true }),
);

/** Their requests, each field described. */
export function proposalsRequests(
  all: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  return {
    DecisionRequest: withFields(all.DecisionRequest, {
      reason: 'Why. It is kept with the proposal.',
    }),
  };
}
