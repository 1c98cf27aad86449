import { InvalidRequestError } from '../shared/errors.ts';
import type { CheckRequest, SettlementRequest } from '../shared/request.ts';
import type { Rule } from '../rules/rule.ts';
import { counts, ruleFor } from '../rules/rule.ts';
import type { Context } from './context.ts';

/** What is looked at before a call begins. */

/** Reads the rules once for a whole call, so that what is admitted is what decides. */
export async function admitted(
  context: Context,
  requests: readonly CheckRequest[],
  admit: ((applying: readonly (readonly Rule[])[]) => void) | undefined,
): Promise<Context> {
  if (admit === undefined) return context;
  const rules = await context.rules();
  // A reservation names the bucket of a rule that is only entered, too.
  const concerned = (request: CheckRequest): readonly Rule[] =>
    rules.live.filter((rule) => counts(rule, request)).map((rule) => ruleFor(rule, request));
  admit(requests.map(concerned));
  return { ...context, rules: () => Promise.resolve(rules) };
}

/** A dry run among holds would say nothing true of any other moment. */
export function refuseOptions(requests: readonly CheckRequest[], atomic: boolean): void {
  for (const [index, { dryRun, capture }] of requests.entries()) {
    const field = dryRun ? 'dryRun' : atomic && capture ? 'capture' : undefined;
    if (field === undefined) continue;
    const expected =
      field === 'dryRun'
        ? 'no dry run among many orders'
        : 'no capture in an atomic call, because a captured order cannot be given back';
    throw new InvalidRequestError([{ path: `orders[${index}].${field}`, value: 'true', expected }]);
  }
}

/**
 * Refuses settlements that name their order alone, where there is no audit in which it could be found.
 *
 * @throws InvalidRequestError
 */
export function refuseRecorded(
  places: readonly { readonly path: string; readonly request: SettlementRequest }[],
): void {
  const [first, ...others] = places
    .filter(({ request }) => request.whereabouts.kind === 'recorded')
    .map(({ path }) => ({ path, expected: ONE_PLACE }));
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}

const ONE_PLACE = 'exactly one of reservation and subjects; with an audit, the orderId is enough';
