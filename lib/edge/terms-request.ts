import * as z from 'zod/mini';
import {
  AMOUNT_MINOR_MAX,
  OVERRIDE_DELAY_DAYS_MAX,
  VERSIONS_DEFAULT,
  VERSIONS_MAX,
} from '../domain/bounds.ts';
import type { Mistake } from '../domain/errors.ts';
import { isKind } from '../domain/names.ts';
import type { Subject } from '../domain/subject.ts';
import type { ChangesQuery, TermsWish } from '../domain/terms-change.ts';
import type { Envelope } from './envelope.ts';
import { durationFrom, readDurationMs, text, wholeNumber } from './fields.ts';
import { INSTANT_EXPECTED, readInstant } from './instant.ts';
import type { ParsedText } from './json-text.ts';
import { mistakeAt, ownField } from './mistakes.ts';
import { PLACE_EXPECTED, readPlace } from './page.ts';
import { readRequest } from './requests.ts';
import { asInvoked, operationSchema } from './routed.ts';

/** A change of a subject's terms as a caller wants it. */
export type TermsRequest = {
  readonly subject: Subject;
  readonly wish: TermsWish;
  readonly reason: string;
};

const DAY_MS = 86_400_000;
const instant = z.custom<string>((value) => readInstant(value) !== undefined, {
  error: INSTANT_EXPECTED,
});
const bound = z.nullable(wholeNumber(0, AMOUNT_MINOR_MAX));
const MAX_EXPECTED = `an object with amount, count or both: minor units and a number, each from 0 to ${AMOUNT_MINOR_MAX}, or null for none`;
const max = z
  .strictObject(
    { amount: z.optional(bound), count: z.optional(bound) },
    {
      error: ({ code }) => (code === 'unrecognized_keys' ? 'only amount and count' : MAX_EXPECTED),
    },
  )
  .check(
    z.refine((value) => value.amount !== undefined || value.count !== undefined, {
      error: MAX_EXPECTED,
    }),
  );
const delay = durationFrom(
  0,
  OVERRIDE_DELAY_DAYS_MAX * DAY_MS,
  `an ISO 8601 duration of at most P${OVERRIDE_DELAY_DAYS_MAX}D, such as PT24H`,
);

const SUBJECT = {
  kind: z.custom<string>(isKind, { error: 'a subject kind, such as user' }),
  id: text,
};

function schemaOf<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return operationSchema({ ...SUBJECT, ...shape });
}

const subjectSchema = schemaOf({});
const ofRuleSchema = schemaOf({ rule: text });
const changesSchema = schemaOf({
  limit: z.optional(wholeNumber(1, VERSIONS_MAX)),
  before: z.optional(
    z.custom<string>((value) => readBefore(value) !== undefined, {
      error: `${PLACE_EXPECTED}, or ${INSTANT_EXPECTED}`,
    }),
  ),
});
/** What an override takes. */
export const overrideSchema = schemaOf({
  rule: text,
  max,
  from: z.optional(instant),
  effectiveAfter: z.optional(delay),
  until: z.optional(instant),
  reason: text,
});
/** What a freeze takes. */
export const freezeSchema = schemaOf({ until: z.optional(instant), reason: text });
const endOverrideSchema = schemaOf({ rule: text, reason: text });
const unfreezeSchema = schemaOf({ reason: text });

const NOWHERE = { body: [], query: [] } as const;
const IN_QUERY = { body: [], query: ['reason'] } as const;

/** Reads whose terms are asked for. */
export function readSubject(request: ParsedText, envelope: Envelope): Subject {
  const { kind, id } = readRequest(subjectSchema, asInvoked(request, envelope, NOWHERE), () => []);
  return { kind, id };
}

/** Reads whose overrides are asked for, and of which rule. */
export function readSubjectRule(
  request: ParsedText,
  envelope: Envelope,
): { readonly subject: Subject; readonly rule: string } {
  const asked = asInvoked(request, envelope, NOWHERE);
  const { kind, id, rule } = readRequest(ofRuleSchema, asked, () => []);
  return { subject: { kind, id }, rule };
}

/** Reads whose changes are asked for, and which page of them. */
export function readChanges(request: ParsedText, envelope: Envelope): ChangesQuery {
  const asked = asInvoked(request, envelope, { body: [], query: ['limit', 'before'] });
  const given = readRequest(changesSchema, asked, () => []);
  const before = readBefore(given.before);
  return {
    subject: { kind: given.kind, id: given.id },
    limit: given.limit ?? VERSIONS_DEFAULT,
    ...(before === undefined ? {} : { before }),
  };
}

/** Where a page ended, or an instant of the caller's. */
function readBefore(value: unknown): ChangesQuery['before'] {
  const at = readInstant(value);
  return at === undefined ? readPlace(value) : { at };
}

/** Reads an override that is to be. */
export function readOverride(request: ParsedText, envelope: Envelope): TermsRequest {
  const body = ['max', 'from', 'effectiveAfter', 'until', 'reason'];
  const asked = asInvoked(request, envelope, { body, query: [] });
  const given = readRequest(overrideSchema, asked, stretchMistakes);
  const { amount, count } = given.max;
  const [from, until] = [readInstant(given.from), readInstant(given.until)];
  const afterMs = readDurationMs(given.effectiveAfter);
  return {
    subject: { kind: given.kind, id: given.id },
    reason: given.reason,
    wish: {
      kind: 'override',
      override: {
        rule: given.rule,
        max: {
          ...(amount === undefined ? {} : { amountMinor: amount }),
          ...(count === undefined ? {} : { count }),
        },
        ...(from === undefined ? {} : { from }),
        ...(until === undefined ? {} : { until }),
      },
      ...(afterMs === undefined ? {} : { afterMs }),
    },
  };
}

/** Reads a freeze that is to be. */
export function readFreeze(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = asInvoked(request, envelope, { body: ['until', 'reason'], query: [] });
  const { kind, id, reason, until } = readRequest(freezeSchema, asked, () => []);
  const end = readInstant(until);
  const wish = { kind: 'freeze', ...(end === undefined ? {} : { until: end }) } as const;
  return { subject: { kind, id }, reason, wish };
}

/** Reads which override is to end. */
export function readEndOverride(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = asInvoked(request, envelope, IN_QUERY);
  const { kind, id, rule, reason } = readRequest(endOverrideSchema, asked, () => []);
  return { subject: { kind, id }, reason, wish: { kind: 'endOverride', rule } };
}

/** Reads whose freeze is to end. */
export function readUnfreeze(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = asInvoked(request, envelope, IN_QUERY);
  const { kind, id, reason } = readRequest(unfreezeSchema, asked, () => []);
  return { subject: { kind, id }, reason, wish: { kind: 'unfreeze' } };
}

/** An override begins at an instant or after a delay, and before it ends. */
function stretchMistakes(value: unknown): readonly Mistake[] {
  const [from, until] = [
    readInstant(ownField(value, 'from')),
    readInstant(ownField(value, 'until')),
  ];
  const delayed = ownField(value, 'effectiveAfter');
  if (from !== undefined && delayed !== undefined)
    return [mistakeAt(['effectiveAfter'], delayed, 'either from or effectiveAfter')];
  if (from === undefined || until === undefined || from < until) return [];
  return [mistakeAt(['until'], ownField(value, 'until'), 'an instant after from')];
}
