import { VERSIONS_DEFAULT } from '../../shared/bounds.ts';
import type { Mistake } from '../../shared/errors.ts';
import type { Subject } from '../../shared/subject.ts';
import type { ChangesQuery, TermsWish } from './terms-change.ts';
import type { Envelope } from '../../http/envelope.ts';
import { bothConditions, conditionFields } from '../../http/conditions.ts';
import { readDurationMs } from '../../http/fields.ts';
import { readInstant } from '../../http/instant.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { mistakeAt, ownField } from '../../http/mistakes.ts';
import { readRequest } from '../../http/requests.ts';
import type { Places } from '../../http/routed.ts';
import { asInvoked } from '../../http/routed.ts';
import {
  endOverrideSchema,
  findOverrideSchema,
  freezeSchema,
  overrideSchema,
  readBefore,
  subjectSchema,
  termsChangesSchema,
  unfreezeSchema,
} from '../../http/terms-schemas.ts';

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

const NOWHERE = { body: [], query: [] } as const;
const IN_QUERY = { body: [], query: ['reason'] } as const;

/** Reads whose terms are asked for. */
export function readSubject(request: ParsedText, envelope: Envelope): Subject {
  return subjectIn(readRequest(subjectSchema, asInvoked(request, envelope, NOWHERE), () => []));
}

/** Reads whose overrides are asked for, and of which rule. */
export function readSubjectRule(
  request: ParsedText,
  envelope: Envelope,
): { readonly subject: Subject; readonly rule: string } {
  const asked = asInvoked(request, envelope, NOWHERE);
  const given = readRequest(findOverrideSchema, asked, () => []);
  return { subject: subjectIn(given), rule: given.rule };
}

/** Reads whose changes are asked for, and which page of them. */
export function readChanges(request: ParsedText, envelope: Envelope): ChangesQuery {
  const asked = asInvoked(request, envelope, { body: [], query: ['limit', 'before'] });
  const given = readRequest(termsChangesSchema, asked, () => []);
  const before = readBefore(given.before);
  return {
    subject: subjectIn(given),
    limit: given.limit ?? VERSIONS_DEFAULT,
    ...(before === undefined ? {} : { before }),
  };
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
  return termsRequest(given, {
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
  });
}

/** Reads a freeze that is to be. */
export function readFreeze(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = conditioned(request, envelope, { body: ['until', 'reason'], query: [] });
  const given = readRequest(freezeSchema, asked, bothConditions);
  const end = readInstant(given.until);
  const wish = { kind: 'freeze', ...(end === undefined ? {} : { until: end }) } as const;
  return termsRequest(given, wish);
}

/** Reads which override is to end. */
export function readEndOverride(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = conditioned(request, envelope, IN_QUERY);
  const given = readRequest(endOverrideSchema, asked, () => []);
  return termsRequest(given, { kind: 'endOverride', rule: given.rule });
}

/** Reads whose freeze is to end. */
export function readUnfreeze(request: ParsedText, envelope: Envelope): TermsRequest {
  const asked = conditioned(request, envelope, IN_QUERY);
  const given = readRequest(unfreezeSchema, asked, () => []);
  return termsRequest(given, { kind: 'unfreeze' });
}

/** A change as a direct invocation would say it, with what its conditions say beside the rest. */
function conditioned(request: ParsedText, envelope: Envelope, places: Places): ParsedText {
  const asked = asInvoked(request, envelope, places);
  const { value } = asked;
  if (envelope.kind === 'direct' || typeof value !== 'object' || value === null) return asked;
  return { ...asked, value: { ...value, ...conditionFields(envelope.headers) } };
}

function subjectIn(given: Subject): Subject {
  return { kind: given.kind, id: given.id };
}

function termsRequest(
  given: Subject & {
    readonly reason: string;
    readonly ifMatch?: string | undefined;
    readonly ifNoneMatch?: string | undefined;
  },
  wish: TermsWish,
): TermsRequest {
  const asked = { subject: subjectIn(given), reason: given.reason, wish };
  if (given.ifNoneMatch !== undefined) return { ...asked, isFirst: true };
  if (given.ifMatch === undefined) return asked;
  return { ...asked, expected: given.ifMatch.replaceAll(/[" ]/g, '') };
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
