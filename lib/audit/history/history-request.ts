import * as z from 'zod/mini';
import {
  HISTORY_DAYS_MAX,
  HISTORY_MONTHS_MAX,
  TRANSACTIONS_DEFAULT,
  TRANSACTIONS_MAX,
} from './history-bounds.ts';
import type { Mistake } from '../../shared/errors.ts';
import type { RowsQuery } from './history.ts';
import { DECISIONS } from './history.ts';
import type { SummaryQuery, UsageHistoryQuery } from './history-book.ts';
import type { Stretch } from './history-windows.ts';
import { isDate } from './history-windows.ts';
import type { Envelope } from '../../http/envelope.ts';
import {
  choice,
  instant,
  kind,
  languageText,
  pageSize,
  subjects,
  text,
  textOf,
} from '../../http/fields.ts';
import { readHeader } from '../../http/headers.ts';
import { readInstant } from '../../http/instant.ts';
import type { ParsedText } from '../../http/json-text.ts';
import { mistakeAt, ownField } from '../../http/mistakes.ts';
import { PLACE_EXPECTED, readPlace } from '../../http/page.ts';
import { readRequest, requestSchema } from '../../http/requests.ts';
import { isTimeZone, TIME_ZONE_EXPECTED } from '../../rules/file/rule-window.ts';
import { component, said } from '../../http/said.ts';
import type { Language } from '../../http/sentences/language.ts';
import { languageFor } from '../../http/sentences/language.ts';

const zone = (description: string) =>
  z.optional(
    textOf(
      'TimeZone',
      isTimeZone,
      TIME_ZONE_EXPECTED,
      `${description} A time zone of the IANA database.`,
    ),
  );

/** Over HTTP the route says the operation, and a header the language. */
const DIRECT = { operation: z.optional(z.unknown()) };
const INSTANT = 'RFC 3339 with its zone, at most milliseconds, from 1970 to 9998';

/** What stands in the queries beside subjects. */
export const TRANSACTIONS_FIELDS = [
  ...(['decision', 'rule', 'since', 'until', 'before', 'limit'] as const),
] as const;
/** What stands in the queries beside subjects. */
export const USAGE_HISTORY_FIELDS = ['rule', 'zone', 'last'] as const;

const SOMEBODY_EXPECTED =
  'a subject, or decision=refused, which lists the refused checks of all subjects';

/** What `transactions` takes. */
export const transactionsSchema = component(
  'TransactionsRequest',
  requestSchema(
    {
      subjects: z.optional(subjects('Only operations that name all these subjects.')),
      rule: z.optional(text('Only checks that this rule refused.')),
      decision: z.optional(choice(DECISIONS, 'Only checks with this answer.')),
      since: z.optional(instant(`The first instant. ${INSTANT}.`)),
      until: z.optional(
        instant(`The end, later than \`since\`: the first instant that is left out. ${INSTANT}.`),
      ),
      before: z.optional(
        textOf(
          'Place',
          (value) => readPlace(value) !== undefined,
          PLACE_EXPECTED,
          'The `next` of the page before, unchanged.',
        ),
      ),
      limit: pageSize(TRANSACTIONS_DEFAULT, TRANSACTIONS_MAX),
    },
    { ...DIRECT, language: languageText() },
  ),
);
/** What `usageHistory` takes. */
export const usageHistorySchema = component(
  'UsageHistoryRequest',
  requestSchema(
    {
      subjects: subjects('Kinds and ids.'),
      rule: z.optional(
        text(
          'Only payments that this rule counts. Its own windows are used if they are calendar windows.',
        ),
      ),
      zone: zone(
        'The time zone of days and months. Default: UTC. Leave it out if the rule has a time zone.',
      ),
      last: z.optional(
        said(
          z.custom<string>((value) => readLast(value) !== undefined, {
            error: `P1D to P${HISTORY_DAYS_MAX}D, or P1M to P${HISTORY_MONTHS_MAX}M`,
          }),
          `How far back to read, with today or this month: \`P1D\` to \`P${HISTORY_DAYS_MAX}D\`, \`P1M\` to \`P${HISTORY_MONTHS_MAX}M\`.`,
          {
            type: 'string',
            pattern: '^P([1-9]|[12][0-9]|3[01])D$|^P([1-9]|1[0-3])M$',
            default: 'P7D',
          },
        ),
      ),
    },
    DIRECT,
  ),
);
/** What `summary` takes. */
export const summarySchema = component(
  'SummaryRequest',
  requestSchema(
    {
      kind: kind('The kind of the subjects.'),
      date: z.optional(
        textOf(
          'Date',
          isDate,
          'a date from 1970 to 9998, such as 2026-11-20',
          'The day, from 1970 to 9998. Default: today.',
        ),
      ),
      zone: zone('The time zone of the day. Default: UTC.'),
    },
    DIRECT,
  ),
);

/** Which rows are asked for, and in which language sentences are. */
export type TransactionsRequest = RowsQuery & { readonly language: Language };

/** Reads which rows are asked for. @throws InvalidRequestError with every mistake */
export function readTransactions(request: ParsedText, envelope: Envelope): TransactionsRequest {
  const asked = numbered(request, envelope, 'limit');
  const given = readRequest(transactionsSchema, asked, (value) => [
    ...everybodysMistakes(value),
    ...stretchMistakes(value),
  ]);
  const { subjects: named = {}, decision, rule, limit = TRANSACTIONS_DEFAULT, language } = given;
  const [since, until] = [readInstant(given.since), readInstant(given.until)];
  const before = readPlace(given.before);
  const accepted =
    envelope.kind === 'direct' ? language : readHeader(envelope.headers, 'Accept-Language');
  return {
    ...{ subjects: named, limit, language: languageFor(accepted) },
    ...(rule === undefined ? {} : { rule }),
    ...(decision === undefined ? {} : { decision }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(before === undefined ? {} : { before }),
  };
}

/** Reads of whom, of which rule and how long a history is asked for. */
export function readUsageHistory(request: ParsedText): UsageHistoryQuery {
  const given = readRequest(usageHistorySchema, request, () => []);
  return {
    subjects: given.subjects,
    last: readLast(given.last) ?? { unit: 'day', count: 7 },
    ...(given.rule === undefined ? {} : { rule: given.rule }),
    ...(given.zone === undefined ? {} : { zone: given.zone }),
  };
}

/** Reads which day is asked for. */
export function readSummary(request: ParsedText): SummaryQuery {
  const { kind: of, date, zone: named = 'UTC' } = readRequest(summarySchema, request, () => []);
  return { kind: of, zone: named, ...(date === undefined ? {} : { date }) };
}

/** Numbers stand in a query as text. */
function numbered(request: ParsedText, envelope: Envelope, name: string): ParsedText {
  const given = ownField(request.value, name);
  if (envelope.kind === 'direct' || typeof given !== 'string' || !/^\d{1,15}$/.test(given))
    return request;
  return { ...request, value: { ...Object(request.value), [name]: Number(given) } };
}

/** Of everybody only refused checks are told, which are few. */
function everybodysMistakes(value: unknown): readonly Mistake[] {
  const [named, rule] = [ownField(value, 'subjects'), ownField(value, 'rule')];
  if (named !== undefined || rule !== undefined || ownField(value, 'decision') === 'refused')
    return [];
  return [mistakeAt(['subjects'], named, SOMEBODY_EXPECTED)];
}

function stretchMistakes(value: unknown): readonly Mistake[] {
  const until = ownField(value, 'until');
  const [from, to] = [readInstant(ownField(value, 'since')), readInstant(until)];
  if (from === undefined || to === undefined || from < to) return [];
  return [mistakeAt(['until'], until, 'an instant after since')];
}

/** How far back: days or months. */
function readLast(value: unknown): Stretch | undefined {
  const [, digits, unit] =
    typeof value === 'string' ? (/^P([1-9]\d?)([DM])$/.exec(value) ?? []) : [];
  const count = Number(digits);
  if (unit === 'D' && count >= 1 && count <= HISTORY_DAYS_MAX) return { unit: 'day', count };
  if (unit === 'M' && count >= 1 && count <= HISTORY_MONTHS_MAX) return { unit: 'month', count };
  return undefined;
}
