import * as z from 'zod/mini';
import { AMOUNT_MINOR_MAX, ATTRIBUTES_MAX, ID_LENGTH_MAX, SUBJECTS_MAX } from '../shared/bounds.ts';
import { durationMs } from '../shared/duration.ts';
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
import type { Described, Subjects } from '../shared/request.ts';
import { INSTANT_EXPECTED, readInstant } from './instant.ts';
import { onlyFields } from './mistakes.ts';
import { referenceTo, said } from './said.ts';

/*
 * Fields of requests: how each is read, what its error says, and what it means. Where a function of ours
 * decides, docs/openapi.json refers to a component that says the same in JSON Schema: tools/openapi/given.ts.
 */

// A function parses too few bodies to earn compiled schemas back.
z.config({ jitless: true });

/** JSON knows -0; nobody else should. */
const POSITIVE_ZERO = z.overwrite((value: number) => value + 0);

/** A whole number within bounds, both included. */
export function wholeNumber(
  least: number,
  most: number,
  description?: string,
  more = '',
): z.ZodMiniType<number, number> {
  const error = `a whole number from ${least} to ${most}${more}`;
  const schema = z
    .int({ error })
    .check(z.minimum(least, { error }), z.maximum(most, { error }), POSITIVE_ZERO);
  return said(schema, description);
}

/** A text of a pattern. */
export function patternText(
  pattern: RegExp,
  error: string,
  description?: string,
): z.ZodMiniType<string, string> {
  return said(z.string({ error }).check(z.regex(pattern, { error })), description);
}

/** A text that a function of ours knows, and the component that describes it. */
export function textOf(
  id: string,
  isOne: (value: unknown) => boolean,
  error: string,
  description?: string,
): z.ZodMiniType<string, string> {
  return said(z.custom<string>(isOne, { error }), description, referenceTo(id));
}

/** What a function of ours reads, undefined where it cannot, and the component that describes it. */
export function readBy<Value>(
  id: string,
  read: (value: unknown) => Value | undefined,
  error: string,
  description?: string,
) {
  const reading = z.transform((value: string, { issues }) => {
    const is = read(value);
    if (is === undefined) issues.push({ code: 'custom', message: error, input: value });
    return is ?? z.NEVER;
  });
  return said(z.pipe(z.custom<string>(), reading), description, referenceTo(id));
}

/** Reads each value by the schema that its form chooses. */
export function byForm<Value>(schemaOf: (value: unknown) => z.ZodMiniType<Value>) {
  const reading = z.transform((value: unknown, { issues }) => {
    const { data, error } = schemaOf(value).safeParse(value);
    issues.push(...((error?.issues ?? []) as z.core.$ZodRawIssue[])); // which they were
    return data ?? z.NEVER;
  });
  return z.pipe(z.unknown(), reading);
}

/** An id, or other text that is stored as it is. */
export const text = (description?: string) => textOf('Text', isText, TEXT_EXPECTED, description);

/** Why somebody changes something. */
export const reasonText = (description: string) =>
  textOf('Reason', isReason, REASON_EXPECTED, description);

/** A kind of subject. */
export const kind = (description?: string) => textOf('Kind', isKind, KIND_EXPECTED, description);

/** An instant, in any zone. */
export const instant = (description: string) =>
  readBy('Instant', readInstant, INSTANT_EXPECTED, description);

/** A type of transaction. */
export const typeName = (description: string) =>
  patternText(
    /^[A-Za-z0-9_.-]{1,64}$/,
    'a type: 1 to 64 letters, digits, dots, hyphens or underscores',
    description,
  );

/** A currency: ISO 4217, or a private code. */
export const currencyCode = (description: string) =>
  patternText(
    /^[A-Z0-9]{3,12}$/,
    'a currency: 3 to 12 capital letters and digits, such as CNY',
    description,
  );

/** An amount in minor units. */
export const amount = (description: string) => wholeNumber(0, AMOUNT_MINOR_MAX, description);

/** True or false. */
export const flag = (description: string) =>
  said(z.boolean({ error: 'true or false' }), description);

/** One of some texts. */
export const choice = <const Value extends string>(values: readonly Value[], description: string) =>
  said(z.enum(values, { error: `one of ${values.join(', ')}` }), description);

/** The number of rows in a page. */
export const pageSize = (otherwise: number, most: number) =>
  z.optional(
    said(wholeNumber(1, most), `The most rows of a page. Default: ${otherwise}.`, {
      default: otherwise,
    }),
  );

/** Characters of ASCII that percent-encode one of UTF-16. */
const ENCODED_MAX = 9;

/** Who acts in a direct invocation. Over HTTP it is a header; `ActorSource` reads both. */
export const actor = () =>
  z.optional(
    said(
      z.unknown(),
      'The person who acts. Headroom stores it with the change. In the header, percent-encode as UTF-8 what is not printable ASCII, and a comma as `%2C`: `%E7%8E%8B%E5%B0%8F%E6%98%8E` is 王小明. A `%` that no two hexadecimal digits follow stands for itself. Decoded, it has 1 to 256 characters without control characters.',
      {
        type: 'string',
        minLength: 1,
        maxLength: ID_LENGTH_MAX * ENCODED_MAX,
        pattern: '^[!-+\\--~]([ -+\\--~]*[!-+\\--~])?$',
      },
    ),
  );

/** What an attribute may be. */
export const ATTRIBUTE_VALUE_EXPECTED = `${TEXT_EXPECTED}; or true, false, or a whole number from -${Number.MAX_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`;

/** An attribute's value. Text "1", number 1 and true are three values. */
export const attributeValue = said(
  z.custom<string | number | boolean>(
    (value) => isText(value) || typeof value === 'boolean' || Number.isSafeInteger(value),
    { error: ATTRIBUTE_VALUE_EXPECTED },
  ),
  undefined,
  referenceTo('AttributeValue'),
);

/** An object with these fields and no others. @param expected what is said of anything else */
export function fieldsOnly<Shape extends z.core.$ZodLooseShape>(shape: Shape, expected: string) {
  const only = onlyFields(Object.keys(shape));
  return z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? only : expected),
  });
}

/** An object with these fields and no others, and a description. */
export function objectOf<Shape extends z.core.$ZodLooseShape>(description: string, shape: Shape) {
  const error = onlyFields(Object.keys(shape));
  return said(z.strictObject(shape, { error }), description);
}

/** Bounds the entries of an object before any is looked at. */
export function entriesFrom<Given>(least: number, most: number, error: string) {
  return z.custom<Given>().check(
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
export const subjects = (description?: string) =>
  said(
    z.pipe(
      entriesFrom<Subjects>(1, SUBJECTS_MAX, `1 to ${SUBJECTS_MAX} subjects`),
      z.record(z.custom<string>(isKind), text(), {
        error: ({ code }) =>
          code === 'invalid_key' ? KIND_EXPECTED : `an object of subject kinds to ids`,
      }),
    ),
    description,
    referenceTo('Subjects'),
  );

/** Names to values. */
export const attributes = (description: string) =>
  said(
    z.pipe(
      entriesFrom<Described['attributes']>(
        0,
        ATTRIBUTES_MAX,
        `at most ${ATTRIBUTES_MAX} attributes`,
      ),
      z.record(z.custom<string>(isAttributeName), attributeValue, {
        error: ({ code }) =>
          code === 'invalid_key' ? ATTRIBUTE_EXPECTED : `an object of attribute names to values`,
      }),
    ),
    description,
    referenceTo('Attributes'),
  );

/** Reads a duration of bounded length; undefined where the text is none. */
export function readDurationMs(value: unknown): number | undefined {
  // Ten digits of any unit are beyond every bound, and may be beyond the calendar's.
  if (typeof value !== 'string' || /\d{10}/.test(value)) return undefined;
  return durationMs(value);
}

/** A duration within bounds, both included, as ISO 8601: its milliseconds. */
export function durationFrom(
  id: string,
  [least, most]: readonly [number, number],
  expected: string,
  description?: string,
) {
  const read = (value: unknown): number | undefined => {
    const ms = readDurationMs(value);
    return ms !== undefined && least <= ms && ms <= most ? ms : undefined;
  };
  return readBy(id, read, expected, description);
}
