import * as z from 'zod/mini';
import {
  AMOUNT_MINOR_MAX,
  ATTRIBUTES_MAX,
  HOLD_SECONDS_MAX,
  HOLD_SECONDS_MIN,
  SUBJECTS_MAX,
} from '../shared/bounds.ts';
import { durationMs } from '../windows/duration.ts';
import {
  ATTRIBUTE_EXPECTED,
  isAttributeName,
  isKind,
  isReason,
  isText,
  KIND_EXPECTED,
  REASON_EXPECTED,
  TEXT_EXPECTED,
} from '../shared/names.ts';

// Nothing is compiled at run time: a function parses too few bodies to earn it back.
z.config({ jitless: true });

/** A whole number within bounds, both included. */
export function wholeNumber(least: number, most: number, more = ''): z.ZodMiniType<number> {
  const error = `a whole number from ${least} to ${most}${more}`;
  return z.int({ error }).check(z.minimum(least, { error }), z.maximum(most, { error }));
}

/** A text that fits a pattern. */
export function patternText(pattern: RegExp, error: string): z.ZodMiniType<string> {
  return z.string({ error }).check(z.regex(pattern, { error }));
}

/** An id, or other text that is stored as it is. */
export const text = z.custom<string>(isText, { error: TEXT_EXPECTED });

/** Why somebody changes something. */
export const reasonText = z.custom<string>(isReason, { error: REASON_EXPECTED });

/** A type of transaction. */
export const typeName = patternText(
  /^[A-Za-z0-9_.-]{1,64}$/,
  'a type: 1 to 64 letters, digits, dots, hyphens or underscores',
);

/** A currency: ISO 4217, or a private code. */
export const currencyCode = patternText(
  /^[A-Z0-9]{3,12}$/,
  'a currency: 3 to 12 capital letters and digits, such as CNY',
);

/** An amount in minor units. */
export const amount = wholeNumber(0, AMOUNT_MINOR_MAX);

/** True or false. */
export const flag = z.boolean({ error: 'true or false' });

/** The language of sentences, in a direct invocation. */
export const languageText = z.string({ error: 'a text as Accept-Language has it, such as zh' });

/** What an attribute may be. */
export const ATTRIBUTE_VALUE_EXPECTED = `${TEXT_EXPECTED}; or true, false, or a whole number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** An attribute's value. Text "1", number 1 and true are three values. */
export const attributeValue = z.custom<string | number | boolean>(
  (value) => isText(value) || typeof value === 'boolean' || Number.isSafeInteger(value),
  { error: ATTRIBUTE_VALUE_EXPECTED },
);

/** What is no object, or has as many entries as it may; only then are they looked at. */
export function entriesFrom(least: number, most: number, error: string): z.ZodMiniType {
  return z.unknown().check(
    z.refine(
      (value) => {
        if (typeof value !== 'object' || value === null) return true;
        const { length } = Object.keys(value);
        return least <= length && length <= most;
      },
      { error },
    ),
  );
}

/** Kinds to ids. */
export const subjects = z.pipe(
  entriesFrom(1, SUBJECTS_MAX, `1 to ${SUBJECTS_MAX} subjects`),
  z.record(z.custom<string>(isKind), text, {
    error: ({ code }) =>
      code === 'invalid_key' ? KIND_EXPECTED : `an object of subject kinds to ids`,
  }),
);

/** Names to values. */
export const attributes = z.pipe(
  entriesFrom(0, ATTRIBUTES_MAX, `at most ${ATTRIBUTES_MAX} attributes`),
  z.record(z.custom<string>(isAttributeName), attributeValue, {
    error: ({ code }) =>
      code === 'invalid_key' ? ATTRIBUTE_EXPECTED : `an object of attribute names to values`,
  }),
);

/** Reads a duration of bounded length; undefined where the text is none. */
export function readDurationMs(value: unknown): number | undefined {
  // Ten digits of any unit are beyond every bound, and may be beyond the calendar's.
  if (typeof value !== 'string' || /\d{10}/.test(value)) return undefined;
  return durationMs(value);
}

/** A duration within bounds, both included, as ISO 8601. */
export function durationFrom(least: number, most: number, expected: string): z.ZodMiniType<string> {
  return z.custom<string>(
    (value) => {
      const ms = readDurationMs(value);
      return ms !== undefined && least <= ms && ms <= most;
    },
    { error: expected },
  );
}

/** How long a hold lasts. */
export const holdDuration = durationFrom(
  HOLD_SECONDS_MIN * 1000,
  HOLD_SECONDS_MAX * 1000,
  `an ISO 8601 duration from PT${HOLD_SECONDS_MIN}S to P${HOLD_SECONDS_MAX / 86_400}D, such as PT15M`,
);
