import * as z from 'zod/mini';
import { HOURS_MAX } from '../../shared/bounds.ts';
import type { Language } from '../../shared/language.ts';
import { present } from '../../shared/present.ts';
import { objectOf, patternText, textOf } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { Hours, Times } from '../../rule/times.ts';
import { timesText } from '../../rule/times.ts';
import { TIME_ZONE_EXPECTED } from '../../rule/windows/calendar.ts';
import { datesField, daysField, oneOrSome } from '../../rule/windows/days-field.ts';
import { DAY_MINUTES, isTimeZone, weekDayText } from '../../rule/zoned.ts';
import type { RuleField } from './rule-field.ts';
import { window } from './window.ts';

const HOURS = /^([01][0-9]|2[0-3]):[0-5][0-9]-([01][0-9]|2[0-3]):[0-5][0-9]$/;
const HOURS_EXPECTED =
  'hours as text, such as "20:00-06:00", of which 00:00 is the first and 23:59 the last';

const schema = z.optional(
  objectOf(
    'The times at which the rule is in effect. At other times it neither counts an order nor refuses it. A payment counts in the window in which its hours began.',
    {
      hours: oneOrSome(
        patternText(HOURS, HOURS_EXPECTED),
        HOURS_MAX,
        HOURS_EXPECTED,
        'The hours of a date, such as `20:00-06:00`, which end on the next date. They do not overlap. Default: the whole date.',
      ),
      days: daysField('The days of the week on which the hours begin. Default: every day.'),
      dates: datesField('The dates on which the hours begin. Default: every date.'),
      timeZone: z.optional(
        textOf(
          'TimeZone',
          isTimeZone,
          TIME_ZONE_EXPECTED,
          'A time zone of the IANA database. Only for a window that has none.',
        ),
      ),
    },
  ),
);

/** The field `when`. */
export const when = {
  schema,
  becomes: ({ hours, ...given }) => ({
    when: present({ ...given, hours: hours?.map(hoursOf) }),
  }),
  between: wrongTimes,
  counter: (rule) => (rule.when === undefined ? '' : timesText(rule.when)),
  clauses: (rule, language) => (rule.when === undefined ? [] : timesClauses(rule.when, language)),
} satisfies RuleField<typeof schema>;

/** An end that is no later than the start is on the next date. */
function hoursOf(text: string): Hours {
  const [from, to] = text
    .split('-')
    .map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
  if (from === undefined || to === undefined) throw new TypeError(`no hours: ${text}`);
  return { from, to: to <= from ? to + DAY_MINUTES : to };
}

function* wrongTimes(find: Find): Generator<Wrong> {
  const given = find('when');
  if (typeof given !== 'object' || given === null) return;
  if (['hours', 'days', 'dates'].every((name) => find('when', name) === undefined))
    yield [['when'], 'an object with hours, days, dates, or several of them'];
  const zones = [find('window', 'timeZone'), find('when', 'timeZone')].filter(
    (zone) => zone !== undefined,
  );
  if (zones.length === 2)
    yield [['when', 'timeZone'], 'nothing here: the times are those of the zone of the window'];
  // A window that is wrong itself, such as one without its zone, is one mistake.
  if (zones.length === 0 && window.schema.safeParse(find('window')).success)
    yield [['when', 'timeZone'], `${TIME_ZONE_EXPECTED}, because the window has none`];
  const hours = find('when', 'hours');
  if (Array.isArray(hours) && hours.every(isHours) && doOverlap(hours.map(hoursOf)))
    yield [['when', 'hours'], 'hours of which none overlap'];
}

function isHours(text: unknown): text is string {
  return typeof text === 'string' && HOURS.test(text);
}

/** Whether some overlap, those of the date before among them. */
function doOverlap(hours: readonly Hours[]): boolean {
  const sorted = hours.toSorted((one, other) => one.from - other.from);
  const [first] = sorted;
  if (first === undefined) return false;
  const next = [...sorted.slice(1), { ...first, from: first.from + DAY_MINUTES }];
  return sorted.some(({ to }, place) => to > (next[place]?.from ?? Infinity));
}

const WORDS = {
  en: { or: ' or ', on: 'on ', in: ' in ', end: '' },
  zh: { or: '或', on: '', in: '（', end: '）' },
} as const satisfies Readonly<Record<Language, unknown>>;

/** `from 20:00 to 06:00`, `all day`. */
const SPANS = {
  en: {
    allDay: 'all day',
    long: (from: string) => `for 24 hours from ${from}`,
    span: (from: string, to: string) => `from ${from} to ${to}`,
  },
  zh: {
    allDay: '全天',
    long: (from: string) => `${from}起24小时`,
    span: (from: string, to: string, isNext: boolean) => `${from}至${isNext ? '次日' : ''}${to}`,
  },
} as const satisfies Readonly<Record<Language, unknown>>;

function hoursText({ from, to }: Hours, language: Language): string {
  const { allDay, long, span } = SPANS[language];
  if (to - from < DAY_MINUTES) return span(timeText(from), timeText(to), to > DAY_MINUTES);
  return from === 0 ? allDay : long(timeText(from));
}

/** `on saturday or sunday`, `from 20:00 to 06:00 in Asia/Shanghai`. */
function timesClauses({ hours, days, dates, timeZone }: Times, language: Language) {
  const { or, on, in: within, end } = WORDS[language];
  const spans = hours?.map((span) => hoursText(span, language));
  const clauses = [
    ...(dates === undefined ? [] : [`${on}${dates.join(or)}`]),
    ...(days === undefined
      ? []
      : [`${on}${days.map((day) => weekDayText(day, language)).join(or)}`]),
    ...(spans === undefined ? [] : [spans.join(or)]),
  ];
  const zone = timeZone === undefined ? '' : `${within}${timeZone}${end}`;
  return clauses.map((clause, place) => (place === clauses.length - 1 ? clause + zone : clause));
}

/** `06:00`, of a date or the next. */
function timeText(minutes: number): string {
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60];
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
