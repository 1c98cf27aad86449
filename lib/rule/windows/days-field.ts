import * as z from 'zod/mini';
import { DATES_MAX } from '../../shared/bounds.ts';
import { differentOnes } from '../../schema/different-ones.ts';
import { textOf } from '../../schema/fields.ts';
import { said } from '../../schema/said.ts';
import { isDate, WEEK_DAYS } from '../zoned.ts';

const DAYS_EXPECTED = `one of ${WEEK_DAYS.join(', ')}`;
const DATE_EXPECTED = 'a date as text, such as "2026-11-11"';

/** One, or a list of different ones. @param expected of each */
export function oneOrSome<One extends string>(
  one: z.ZodMiniType<One>,
  most: number,
  expected: string,
  description: string,
) {
  const error = `${expected}; or a list of 1 to ${most} different ones`;
  const list = differentOnes(one, [1, most], error);
  return z.optional(
    said(
      z.pipe(
        z.union([one, list], { error }),
        z.transform((given): readonly One[] => (typeof given === 'object' ? given : [given])),
      ),
      description,
    ),
  );
}

/** Days of the week. */
export const daysField = (description: string, most: number = WEEK_DAYS.length) =>
  oneOrSome(z.enum(WEEK_DAYS, { error: DAYS_EXPECTED }), most, DAYS_EXPECTED, description);

/** Dates. */
export const datesField = (description: string) =>
  oneOrSome(textOf('Date', isDate, DATE_EXPECTED), DATES_MAX, DATE_EXPECTED, description);
