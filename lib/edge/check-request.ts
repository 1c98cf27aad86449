import * as z from 'zod/mini';
import { COUNT_MAX, HOLD_SECONDS_DEFAULT } from '../domain/bounds.ts';
import type { Mistake } from '../domain/errors.ts';
import type { CheckRequest } from '../domain/request.ts';
import {
  amount,
  attributes,
  currencyCode,
  flag,
  holdDuration,
  readDurationMs,
  subjects,
  text,
  typeName,
  wholeNumber,
} from './fields.ts';
import type { ParsedText } from './json-text.ts';
import type { Path } from './mistakes.ts';
import { mistakeAt, ownField } from './mistakes.ts';
import { onlyFields, readRequest } from './requests.ts';

const shape = {
  orderId: text,
  type: z.optional(typeName),
  subjects,
  amount,
  currency: currencyCode,
  count: z.optional(wholeNumber(1, COUNT_MAX)),
  attributes: z.optional(attributes),
  hold: z.optional(holdDuration),
  capture: z.optional(flag),
  dryRun: z.optional(flag),
};

/** What `check` takes. */
export const checkSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/**
 * Reads what `check` is asked.
 *
 * @param appId whose order it is
 * @throws InvalidRequestError with every mistake
 */
export function readCheckRequest(text: ParsedText, appId: string): CheckRequest {
  return checkRequestOf(readRequest(checkSchema, text, namesUsedTwice), appId);
}

/** Makes a request of a body that fits the schema. */
export function checkRequestOf(body: z.infer<typeof checkSchema>, appId: string): CheckRequest {
  return {
    appId,
    orderId: body.orderId,
    ...(body.type === undefined ? {} : { type: body.type }),
    subjects: body.subjects,
    amountMinor: positiveZero(body.amount),
    currency: body.currency,
    count: body.count ?? 1,
    attributes: body.attributes ?? {},
    holdMs: readDurationMs(body.hold) ?? HOLD_SECONDS_DEFAULT * 1000,
    capture: body.capture ?? false,
    dryRun: body.dryRun ?? false,
  };
}

/** JSON knows -0; nobody else should. */
export function positiveZero(value: number): number {
  return value + 0;
}

/** A rule's `match` names either; one name for both would be answered by chance. */
export function namesUsedTwice(body: unknown, at: Path = []): readonly Mistake[] {
  const given = ownField(body, 'attributes');
  const kinds = ownField(body, 'subjects');
  if (typeof given !== 'object' || given === null) return [];
  return Object.keys(given)
    .filter((name) => ownField(kinds, name) !== undefined)
    .map((name) =>
      mistakeAt(
        [...at, 'attributes', name],
        ownField(given, name),
        'a name that no subject kind has',
      ),
    );
}
