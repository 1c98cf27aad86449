import * as z from 'zod/mini';
import { EVERY_MAX } from '../../shared/bounds.ts';
import type { Language } from '../../shared/language.ts';
import { present } from '../../shared/present.ts';
import { joinParts } from '../../shared/subject.ts';
import { choice, objectOf, patternText, textOf, wholeNumber } from '../../schema/fields.ts';
import type { Find, Wrong } from '../../schema/mistakes.ts';
import type { CalendarWindow, Closed } from '../calendar.ts';
import { CALENDAR_UNITS, calendarPeriod, closedKey } from '../calendar.ts';
import { datesField, daysField } from './days-field.ts';
import { isTimeZone, WEEK_DAYS, weekDayText } from '../zoned.ts';
import { sinceField, sinceKey } from './since-field.ts';
import type { ToldPeriod, WindowKind } from './window-kind.ts';

/** How a time zone is named. */
export const TIME_ZONE_EXPECTED = 'a time zone of the IANA database, such as Asia/Shanghai';

const takes = objectOf('A calendar window.', {
  unit: choice(CALENDAR_UNITS, 'The unit of the window.'),
  every: z.optional(wholeNumber(1, EVERY_MAX, 'The number of units in a window. Default: 1.')),
  timeZone: textOf('TimeZone', isTimeZone, TIME_ZONE_EXPECTED, 'A time zone of the IANA database.'),
  dayStart: z.optional(
    patternText(
      /^([01][0-9]|2[0-3]):[0-5][0-9]$/,
      'a time of day as text, from "00:00" to "23:59"',
      'The time at which a day starts, such as `04:00`. For days and longer units.',
    ),
  ),
  weekStart: z.optional(choice(WEEK_DAYS, 'Of weeks.')),
  closed: z.optional(
    objectOf('Days that belong to the next open one, for business days. For days alone.', {
      days: daysField('Days of the week, such as saturday and sunday.', WEEK_DAYS.length - 1),
      dates: datesField('Dates, such as public holidays.'),
    }),
  ),
  since: z.optional(
    sinceField(
      'Its periods begin on the date of this instant. A month that began on the 31st ends with shorter months. An order without it is not limited. For days and longer units, in place of `weekStart` and `monthDay`.',
    ),
  ),
  monthDay: z.optional(
    wholeNumber(
      1,
      31,
      'The day of the month on which a window starts. For months, quarters and years.',
    ),
  ),
});

const reads = z.pipe(
  takes,
  z.transform(({ dayStart = '00:00', closed, ...given }): CalendarWindow => ({
    kind: 'calendar',
    every: 1,
    weekStart: 'monday',
    monthDay: 1,
    ...present({ ...given, closed: closed && present(closed) }),
    dayStartMinutes: Number(dayStart.slice(0, 2)) * 60 + Number(dayStart.slice(3)),
  })),
);

const LONGER = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** Fields that mean something with some units only. */
export const UNITS_OF: Readonly<Record<string, readonly CalendarWindow['unit'][]>> = {
  dayStart: LONGER,
  since: LONGER,
  closed: ['day'],
  weekStart: ['week'],
  monthDay: ['month', 'quarter', 'year'],
};

/** The kind `calendar`. */
export const calendar = {
  key: calendarKey,
  placing: { kind: 'fixed', periodAt: calendarPeriod },
  begins: true,
  isOfCalendar: true,
  ofRule: (window, { from, when }) => ({
    ...window,
    ...(from === undefined || window.every === 1 || window.since !== undefined
      ? {}
      : { anchorAt: from }),
    // Minutes and hours follow the clock alone.
    ...(when === undefined || window.unit === 'minute' || window.unit === 'hour'
      ? {}
      : { times: when }),
  }),
  form: { mark: 'unit', expected: 'an object with unit and timeZone', takes, reads },
  between: wrongUnits,
  text: { en: englishText, zh: chineseText },
  answer: calendarAnswer,
} satisfies WindowKind<CalendarWindow>;

function calendarKey(window: CalendarWindow): string {
  return joinParts([
    'calendar',
    window.unit,
    String(window.every),
    window.every > 1 && window.since === undefined ? (window.anchorAt?.toISOString() ?? '') : '',
    window.timeZone,
    String(window.dayStartMinutes),
    window.weekStart,
    String(window.monthDay),
    ...(window.since === undefined ? [] : sinceKey(window.since)),
    ...(window.closed === undefined ? [] : closedKey(window.closed)),
  ]);
}

function* wrongUnits(find: Find): Generator<Wrong> {
  const unit = CALENDAR_UNITS.find((each) => each === find('window', 'unit'));
  for (const [name, units] of Object.entries(UNITS_OF))
    if (unit !== undefined && !units.includes(unit) && find('window', name) !== undefined)
      yield [['window', name], `nothing here: it is for ${units.join(', ')} only`];
  yield* wrongClosed(find);
  if (find('window', 'since') === undefined) return;
  for (const name of ['weekStart', 'monthDay'])
    if (find('window', name) !== undefined)
      yield [['window', name], 'nothing here: the date of `since` says on which day it begins'];
}

function* wrongClosed(find: Find): Generator<Wrong> {
  const closed = find('window', 'closed');
  if (typeof closed !== 'object' || closed === null) return;
  if (Object.keys(closed).length === 0)
    yield [['window', 'closed'], 'an object with days, dates, or both'];
  for (const name of ['every', 'since'])
    if (find('window', name) !== undefined)
      yield [['window', name], 'nothing here: business days come one by one, by `closed`'];
}

function calendarAnswer(
  { unit, every, timeZone, since }: CalendarWindow,
  period: ToldPeriod | undefined,
) {
  if (period === undefined) throw new TypeError('a calendar window has a period');
  return {
    kind: 'calendar',
    unit,
    every: every === 1 ? undefined : every,
    timeZone,
    since: since && { attribute: since.attribute },
    start: period.start,
    end: period.end,
  } as const;
}

function englishText(window: CalendarWindow): string {
  const { unit, every, timeZone, weekStart, monthDay, since, closed } = window;
  const begins = [
    ...(since === undefined ? [] : [`on the date of ${since.attribute}`]),
    ...(hasWeekStart(window) ? [`on ${weekStart}`] : []),
    ...(monthDay === 1 ? [] : [`on day ${monthDay}`]),
    ...dayStarts(window).map((time) => `at ${time}`),
  ];
  const said = [
    ...(begins.length === 0 ? [] : [`beginning ${begins.join(' ')}`]),
    ...(closed === undefined ? [] : [`closed on ${closedText(closed, 'en')}`]),
  ];
  const one = closed === undefined ? unit : `business ${unit}`;
  const period = every === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${one}` : `every ${every} ${unit}s`;
  return `${period} in ${timeZone}${said.length === 0 ? '' : ` (${said.join('; ')})`}`;
}

const UNITS_ZH: Readonly<Record<CalendarWindow['unit'], string>> = {
  minute: '分钟',
  hour: '小时',
  day: '天',
  week: '周',
  month: '个月',
  quarter: '个季度',
  year: '年',
};

function chineseText(window: CalendarWindow): string {
  const { unit, every, timeZone, weekStart, monthDay, since, closed } = window;
  const begins = [
    ...(since === undefined ? [] : [`自${since.attribute}当日`]),
    ...(hasWeekStart(window) ? [weekDayText(weekStart, 'zh')] : []),
    ...(monthDay === 1 ? [] : [`${monthDay}日`]),
    ...dayStarts(window),
  ];
  const said = [
    timeZone,
    ...(begins.length === 0 ? [] : [`${begins.join('')}起算`]),
    ...(closed === undefined ? [] : [`${closedText(closed, 'zh')}休`]),
  ];
  const one = closed === undefined ? UNITS_ZH[unit].replace('个', '') : '营业日';
  return `每${every === 1 ? one : `${every}${UNITS_ZH[unit]}`}（${said.join('，')}）`;
}

/** `saturday, sunday and 22 dates`, `周六、周日、22个日期`. */
function closedText({ days = [], dates = [] }: Closed, language: Language): string {
  const names = days.map((day) => weekDayText(day, language));
  if (language === 'zh')
    return [...names, ...(dates.length === 0 ? [] : [`${dates.length}个日期`])].join('、');
  const counted = dates.length === 1 ? 'a date' : `${dates.length} dates`;
  const said = [...names, ...(dates.length === 0 ? [] : [counted])];
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(said);
}

function hasWeekStart({ unit, weekStart }: CalendarWindow): boolean {
  return unit === 'week' && weekStart !== 'monday';
}

/** When its days begin; nothing for midnight. */
function dayStarts({ dayStartMinutes }: CalendarWindow): readonly string[] {
  if (dayStartMinutes === 0) return [];
  const [hour, minute] = [Math.floor(dayStartMinutes / 60), dayStartMinutes % 60];
  return [`${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`];
}
