import * as z from 'zod/mini';
import { COUNT_MAX, HOLD_SECONDS_DEFAULT } from '../shared/bounds.ts';
import type { Mistake } from '../shared/errors.ts';
import type { CheckRequest } from '../shared/request.ts';
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

/**
 * What an answer tells of rules: nothing; of those that refused, or would have, how they stand; of all
 * that apply, everything.
 */
export const REPORTS = ['none', 'violations', 'all'] as const;
/** What an answer tells of rules. */
export type ReportScope = (typeof REPORTS)[number];

const orderShape = {
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

/** What one of the orders of `checks` is. */
export const checkOfManySchema = z.strictObject(orderShape, {
  error: onlyFields(Object.keys(orderShape)),
});

/** How much an answer tells of rules. */
export const reportScope = z.optional(z.enum(REPORTS, { error: `one of ${REPORTS.join(', ')}` }));

const shape = { ...orderShape, report: reportScope };
/** What `check` takes. */
export const checkSchema = z.strictObject(shape, { error: onlyFields(Object.keys(shape)) });

/** What `check` is asked, parsed: an order, and what the answer tells of rules. */
export type SingleCheckRequest = { readonly order: CheckRequest; readonly report: ReportScope };

/**
 * Reads what `check` is asked.
 *
 * @param appId whose order it is
 * @throws InvalidRequestError with every mistake
 */
export function readCheckRequest(text: ParsedText, appId: string): SingleCheckRequest {
  const body = readRequest(checkSchema, text, namesUsedTwice);
  return { order: checkRequestOf(body, appId), report: body.report ?? 'all' };
}

/** Makes a request of a body that fits the schema. */
export function checkRequestOf(
  body: z.infer<typeof checkOfManySchema>,
  appId: string,
): CheckRequest {
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
