import { InvalidRequestError } from '../shared/errors.ts';
import type { CheckRequest, SettlementRequest } from '../shared/request.ts';

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
