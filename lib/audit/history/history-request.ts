import * as z from 'zod/mini';
import type { Mistake } from '../../shared/errors.ts';
import { DECISIONS, REASONS, TRANSACTIONS_DEFAULT } from './history.ts';
import type { UnitSpan } from './history-windows.ts';
import {
  choice,
  instant,
  kind,
  pageSize,
  patternText,
  subjects,
  text,
  textOf,
} from '../../schema/fields.ts';
import { INSTANT_FORM, readInstant } from '../../schema/instant.ts';
import { mistakeAt, ownField } from '../../schema/mistakes.ts';
import { place, readRowPlace } from '../../http/page.ts';
import { operationSchema } from '../../http/requests.ts';
import { TIME_ZONE_EXPECTED } from '../../rule/windows/calendar.ts';
import { isTimeZone } from '../../rule/zoned.ts';
import { said } from '../../schema/said.ts';
import { language } from '../../http/sentences/language.ts';
import { TRANSACTIONS_MAX } from '../../shared/bounds.ts';

const zone = (description: string) =>
  z.optional(
    textOf(
      'TimeZone',
      isTimeZone,
      TIME_ZONE_EXPECTED,
      `${description} A time zone of the IANA database.`,
    ),
  );

/** Up to 31 days, or 13 months: this month, and the same one a year ago, which AUDIT_DAYS_DEFAULT still has. */
const LAST = /^P([1-9]|[12][0-9]|3[01])D$|^P([1-9]|1[0-3])M$/;

const DATE = z.iso.date().check(z.regex(/^(?!9999)(19[7-9]|[2-9]\d)/));

/** The request for `transactions`. */
export const transactionsSchema = operationSchema('TransactionsRequest', {
  language: language(),
  subjects: z.optional(subjects('Only operations that name all these subjects.')),
  rule: z.optional(text('Only checks that this rule refused.')),
  reason: z.optional(
    choice(REASONS, 'Only checks that were refused for this reason, and by no rule.'),
  ),
  decision: z.optional(choice(DECISIONS, 'Only checks with this answer.')),
  since: z.optional(instant(`The first instant. ${INSTANT_FORM}.`)),
  until: z.optional(
    instant(`The end, later than \`since\`: the first instant that is left out. ${INSTANT_FORM}.`),
  ),
  before: place(readRowPlace),
  limit: pageSize(TRANSACTIONS_DEFAULT, TRANSACTIONS_MAX),
});
/** The request for `usageHistory`. */
export const usageHistorySchema = operationSchema('UsageHistoryRequest', {
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
      patternText(LAST, 'P1D to P31D, or P1M to P13M'),
      'How far back to read, with today or this month: `P1D` to `P31D`, `P1M` to `P13M`.',
      { default: 'P7D' },
    ),
  ),
});
/** The request for `summary`. */
export const summarySchema = operationSchema('SummaryRequest', {
  kind: kind('The kind of the subjects.'),
  date: z.optional(
    textOf(
      'Date',
      (value) => z.safeParse(DATE, value).success,
      'a date from 1970 to 9998, such as 2026-11-20',
      'The day, from 1970 to 9998. Default: today.',
    ),
  ),
  zone: zone('The time zone of the day. Default: UTC.'),
});

/** Rows of somebody, or refused checks of everybody, in a stretch that is one. */
export function mistakesInTransactions(value: unknown): readonly Mistake[] {
  const field = (name: string): unknown => ownField(value, name);
  const mistakes: Mistake[] = [];
  // Without a subject, only refused checks are listed, because they are few.
  const isOfSome = ['subjects', 'rule', 'reason'].some((name) => field(name) !== undefined);
  if (!isOfSome && field('decision') !== 'refused') {
    const expected =
      'a subject, or decision=refused, which lists the refused checks of all subjects';
    mistakes.push(mistakeAt(['subjects'], undefined, expected));
  }
  const [from, to] = [readInstant(field('since')), readInstant(field('until'))];
  if (from !== undefined && to !== undefined && from >= to)
    mistakes.push(mistakeAt(['until'], field('until'), 'an instant after since'));
  return mistakes;
}

/** How far back: days or months. Default: a week. */
export function lastOf({ last = 'P7D' }: z.infer<typeof usageHistorySchema>): UnitSpan {
  const [, days, months] = LAST.exec(last) ?? [];
  const unit = days === undefined ? 'month' : 'day';
  return { unit, count: Number(days ?? months) };
}
