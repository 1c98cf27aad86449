import { UndecidedError } from '../shared/errors.ts';
import { within } from '../shared/within.ts';

/** What is kept of a function's time to write its answer and its log. */
const TO_ANSWER_MS = 500;

/**
 * Waits for an answer as long as the function may still run: a call of many orders that meets a silent
 * store would otherwise be ended by Lambda, and its caller told nothing.
 *
 * @param remainingMs what Lambda leaves the function, or undefined where nobody counts
 * @param late what is answered where the time is over first, if anything is
 * @throws UndecidedError where the time is over first; what was begun may still take effect
 */
export async function inTime<T>(
  answer: Promise<T>,
  remainingMs: number | undefined,
  late?: (error: UndecidedError) => T | undefined,
): Promise<T> {
  if (remainingMs === undefined) return answer;
  return within(answer, Math.max(0, remainingMs - TO_ANSWER_MS), () => {
    const error = new UndecidedError('the function’s time was over');
    const instead = late?.(error);
    if (instead === undefined) throw error;
    return instead;
  });
}
