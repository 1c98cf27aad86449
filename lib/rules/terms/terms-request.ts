import * as z from 'zod/mini';
import {
  AMOUNT_MINOR_MAX,
  OVERRIDE_DELAY_DAYS_MAX,
  VERSIONS_DEFAULT,
  VERSIONS_MAX,
} from '../../shared/bounds.ts';
import type { Mistake } from '../../shared/errors.ts';
import { isKind } from '../../shared/names.ts';
import type { Subject } from '../../shared/subject.ts';
import type { ChangesQuery, TermsWish } from './terms-change.ts';
import type { Envelope } from '../../http/envelope.ts';
import { bothConditions, conditionFields } from '../../http/conditions.ts';
import {
  durationFrom,
  patternText,
  readDurationMs,
  reasonText,
  text,
  wholeNumber,
} from '../../http/fields.ts';
import { INSTANT_EXPECTED, readInstant } from '../../http/instant.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { mistakeAt, ownField } from '../../http/mistakes.ts';
import { PLACE_EXPECTED, readPlace } from '../../http/page.ts';
import { readRequest } from '../../http/requests.ts';
import type { Places } from '../../http/routed.ts';
import { asInvoked, operationSchema } from '../../http/routed.ts';

/** A change of a subject's terms as a caller wants it. */
export type TermsRequest = {
  readonly subject: Subject;
  readonly wish: TermsWish;
  readonly reason: string;
  /** The version of the terms that it is for; whatever they are where nothing is said. */
  readonly expected?: string;
  /** Only where there is nothing yet that it would take the place of. */
  readonly isFirst?: boolean;
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

/** For which terms a change is: their version, as ETag says it or without quotes. */
const ifMatch = patternText(
  /^ *("[\w-]{1,64}"|[\w-]{1,64}) *$/,
  'a version as ETag says it, or "none" where there are no terms',
);

/** Of what puts something there: only where there is none yet. */
const ifNoneMatch = z.literal('*', { error: '*, for terms that are not there yet' });

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
  reason: reasonText,
  ifMatch: z.optional(ifMatch),
  ifNoneMatch: z.optional(ifNoneMatch),
});
/** What a freeze takes. */
export const freezeSchema = schemaOf({
  until: z.optional(instant),
  reason: reasonText,
  ifMatch: z.optional(ifMatch),
  ifNoneMatch: z.optional(ifNoneMatch),
});
const endOverrideSchema = schemaOf({
  rule: text,
  reason: reasonText,
  ifMatch: z.optional(ifMatch),
});
const unfreezeSchema = schemaOf({ reason: reasonText, ifMatch: z.optional(ifMatch) });

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
  const asked = conditioned(request, envelope, { body, query: [] });
  const between = (value: unknown) => [...stretchMistakes(value), ...bothConditions(value)];
  const given = readRequest(overrideSchema, asked, between);
  const { amount, count } = given.max;
  const [from, until] = [readInstant(given.from), readInstant(given.until)];
  const afterMs = readDurationMs(given.effectiveAfter);
  return {
    subject: { kind: given.kind, id: given.id },
    reason: given.reason,
    ...expectedOf(given),
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
  const asked = conditioned(request, envelope, { body: ['until', 'reason'], query: [] });
  const given = readRequest(freezeSchema, asked, bothConditions);
  const { kind, id, reason } = given;
  const end = readInstant(given.until);
  const wish = { kind: 'freeze', ...(end === undefined ? {} : { until: end }) } as const;
  return { subject: { kind, id }, reason, wish, ...expectedOf(given) };
}

/** Reads which override is to end. */
export function readEndOverride(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = conditioned(request, envelope, IN_QUERY);
  const given = readRequest(endOverrideSchema, asked, () => []);
  const { kind, id, rule, reason } = given;
  const wish = { kind: 'endOverride', rule } as const;
  return { subject: { kind, id }, reason, wish, ...expectedOf(given) };
}

/** Reads whose freeze is to end. */
export function readUnfreeze(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = conditioned(request, envelope, IN_QUERY);
  const given = readRequest(unfreezeSchema, asked, () => []);
  const { kind, id, reason } = given;
  return { subject: { kind, id }, reason, wish: { kind: 'unfreeze' }, ...expectedOf(given) };
}

/** A change as a direct invocation would say it, with what its conditions say beside the rest. */
function conditioned(request: ParsedText, envelope: Envelope, places: Places): ParsedText {
  const asked = asInvoked(request, envelope, places);
  const { value } = asked;
  if (envelope.kind === 'direct' || typeof value !== 'object' || value === null) return asked;
  return { ...asked, value: { ...value, ...conditionFields(envelope.headers) } };
}

function expectedOf(given: {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}): Pick<TermsRequest, 'expected' | 'isFirst'> {
  if (given.ifNoneMatch !== undefined) return { isFirst: true };
  return given.ifMatch === undefined ? {} : { expected: given.ifMatch.replaceAll(/[" ]/g, '') };
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
