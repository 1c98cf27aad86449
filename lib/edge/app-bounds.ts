import type { AppBounds } from '../http/app.ts';
import type { ManyResult } from '../limits/many.ts';
import { inOrderAsked } from '../limits/many.ts';
import { durationText } from '../shared/duration.ts';
import type { Mistake } from '../shared/errors.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt, ownField } from '../schema/mistakes.ts';

/**
 * Gives a check the bounds of the application that asks.
 *
 * @param sent its fields as they were sent
 * @throws InvalidRequestError for a hold that is longer than the application may have
 */
export function withinBounds(check: CheckRequest, bounds: AppBounds, sent: unknown): CheckRequest {
  refuseIfAny(mistakesIn(check, bounds, [], sent));
  return withPart(check, bounds);
}

/**
 * Asks for many checks within the bounds of their application. One that holds for too long fails alone; of
 * all or none, all do.
 *
 * @param sent the fields of the call as they were sent
 * @throws InvalidRequestError
 */
export async function askWithinBounds<Answer>(
  checks: readonly CheckRequest[],
  bounds: AppBounds,
  atomic: boolean,
  sent: unknown,
  ask: (checks: readonly CheckRequest[]) => Promise<readonly ManyResult<Answer>[]>,
): Promise<readonly ManyResult<Answer>[]> {
  if (atomic)
    refuseIfAny(
      checks.flatMap((check, index) =>
        mistakesIn(check, bounds, ['orders', index], orderIn(sent, index)),
      ),
    );
  const told = new Map<CheckRequest, ManyResult<Answer>>();
  const within = checks.filter((check, index) => {
    const failed = tooLong(check, bounds, sent, index);
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

/**
 * Answers one order of many whose hold is longer than its application may have. Any other has no such answer.
 *
 * @param sent the fields of the call as they were sent
 */
export function tooLong(
  check: CheckRequest,
  bounds: AppBounds,
  sent: unknown,
  index: number,
): ManyResult<never> | undefined {
  const [mistake] = mistakesIn(check, bounds, [], orderIn(sent, index));
  return mistake && { kind: 'failed', error: new InvalidRequestError([mistake]) };
}

function withPart(check: CheckRequest, { openPercent }: AppBounds): CheckRequest {
  return openPercent === undefined ? check : { openPercent, ...check };
}

function orderIn(sent: unknown, index: number): unknown {
  return ownField(ownField(sent, 'orders'), index);
}

/** @param at the place of the check in the body @param sent the check as it was sent */
function mistakesIn(
  { appId, holdMs }: CheckRequest,
  { longestHoldMs = Infinity }: AppBounds,
  at: Path,
  sent: unknown,
): readonly Mistake[] {
  if (holdMs <= longestHoldMs) return [];
  const expected = `at most ${durationText(longestHoldMs)}, the longest hold of application ${appId}. Ask an administrator for longer ones`;
  return [mistakeAt([...at, 'hold'], ownField(sent, 'hold'), expected)];
}

function refuseIfAny([first, ...others]: readonly Mistake[]): void {
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
}
