import type { AppBounds } from '../http/app.ts';
import { durationText } from '../shared/duration.ts';
import { InvalidRequestError } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
import type { Path } from '../schema/mistakes.ts';
import { mistakeAt } from '../schema/mistakes.ts';

/**
 * Gives checks the bounds of the application that asks.
 *
 * @param pathOf the place of a check in the body
 * @throws InvalidRequestError for holds that are longer than the application may have
 */
export function withinBounds(
  checks: readonly CheckRequest[],
  { longestHoldMs = Infinity, openPercent }: AppBounds,
  pathOf: (index: number) => Path,
): readonly CheckRequest[] {
  if (longestHoldMs === Infinity && openPercent === undefined) return checks;
  const [first, ...others] = checks.flatMap(({ appId, holdMs }, index) => {
    if (holdMs <= longestHoldMs) return [];
    const expected = `at most ${durationText(longestHoldMs)}, the longest hold of application ${appId}. Ask an administrator for longer ones`;
    return [mistakeAt([...pathOf(index), 'hold'], durationText(holdMs), expected)];
  });
  if (first !== undefined) throw new InvalidRequestError([first, ...others]);
  return openPercent === undefined ? checks : checks.map((check) => ({ openPercent, ...check }));
}
