import type { AppBounds } from '../http/app.ts';
import type { ManyResult } from '../limits/many.ts';
import { inOrderAsked } from '../limits/many.ts';
import { durationText } from '../shared/duration.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt } from '../schema/mistakes.ts';

/**
 * Gives a check the bounds of the application that asks.
 *
 * @throws InvalidRequestError for a hold that is longer than the application may have
 */
export function withinBounds(check: CheckRequest, bounds: AppBounds): CheckRequest {
  refuseIfAny(mistakesIn(check, bounds, []));
  return withPart(check, bounds);
}

/**
 * Asks for many checks within the bounds of their application. One that holds for too long fails alone; of
 * all or none, all do.
 *
 * @throws InvalidRequestError
 */
export async function askWithinBounds<Answer>(
  checks: readonly CheckRequest[],
  bounds: AppBounds,
  atomic: boolean,
  ask: (checks: readonly CheckRequest[]) => Promise<readonly ManyResult<Answer>[]>,
): Promise<readonly ManyResult<Answer>[]> {
  if (atomic)
    refuseIfAny(checks.flatMap((check, index) => mistakesIn(check, bounds, ['orders', index])));
  const told = new Map<CheckRequest, ManyResult<Answer>>();
  const within = checks.filter((check) => {
    const failed = tooLong(check, bounds);
    if (failed !== undefined) told.set(check, failed);
    return failed === undefined;
  });
  const results =
    within.length === 0 ? [] : await ask(within.map((check) => withPart(check, bounds)));
  for (const [index, result] of results.entries()) {
    const check = within[index];
    if (check !== undefined) told.set(check, result);
  }
  return inOrderAsked(checks, told);
}

/** What one order of many gets if its hold is longer than its application may have; undefined if it is not. */
export function tooLong(check: CheckRequest, bounds: AppBounds): ManyResult<never> | undefined {
  const [mistake] = mistakesIn(check, bounds, []);
  return mistake && { kind: 'failed', error: new InvalidRequestError([mistake]) };
}

function withPart(check: CheckRequest, { openPercent }: AppBounds): CheckRequest {
  return openPercent === undefined ? check : { openPercent, ...check };
}

/** @param at the place of the check in the body */
function mistakesIn(
  { appId, holdMs }: CheckRequest,
  { longestHoldMs = Infinity }: AppBounds,
  at: Path,
): readonly Mistake[] {
  if (holdMs <= longestHoldMs) return [];
  const expected = `at most ${durationText(longestHoldMs)}, the longest hold of application ${appId}. Ask an administrator for longer ones`;
  return [mistakeAt([...at, 'hold'], durationText(holdMs), expected)];
}

function refuseIfAny([first, ...others]: readonly Mistake[]): void {
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}
