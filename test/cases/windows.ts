/**
 * Where windows begin and end, as literals reasoned from the rules of the zones (IANA tz database)
 * and not computed. The instants are written with the offset that the clocks on the wall show, so
 * that two different offsets in one row are a change of the clocks.
 */
import type { ModelCalendarWindow, ModelRollingWindow } from '../model/model-types.ts';

/** The window [start, end) that contains `at`. `from` anchors `every`. */
export type WindowCase = {
  readonly name: string;
  readonly window: ModelCalendarWindow;
  readonly from?: string;
  readonly at: string;
  readonly start: string;
  readonly end: string;
  readonly why: string;
};

/** The step of a rolling window that `at` falls in, and until when that step counts. */
export type RollingCase = {
  readonly name: string;
  readonly window: ModelRollingWindow;
  readonly at: string;
  readonly start: string;
  readonly until: string;
  readonly why: string;
};

const since = (at: string) => ({ attribute: 'joined', at: Date.parse(at) });

type Row = readonly [at: string, start: string, end: string, why: string];

function rows(
  name: string,
  window: ModelCalendarWindow,
  list: readonly Row[],
  from?: string,
): readonly WindowCase[] {
  return list.map(([at, start, end, why], index) => ({
    name: `${name} (${index + 1})`,
    window,
    ...(from === undefined ? {} : { from }),
    at,
    start,
    end,
    why,
  }));
}

const SHANGHAI = 'Asia/Shanghai';
const NEW_YORK = 'America/New_York';
const LORD_HOWE = 'Australia/Lord_Howe';
const SAO_PAULO = 'America/Sao_Paulo';

// prettier-ignore
export const WINDOW_CASES: readonly WindowCase[] = [
  ...rows('day in Shanghai', { unit: 'day', timeZone: SHANGHAI }, [
    ['2026-03-01T23:59:59+08:00',     '2026-03-01T00:00:00+08:00', '2026-03-02T00:00:00+08:00', 'one second before midnight is still the old day'],
    ['2026-03-02T00:00:00+08:00',     '2026-03-02T00:00:00+08:00', '2026-03-03T00:00:00+08:00', 'midnight itself is the new day'],
    ['2026-03-01T23:59:59.999+08:00', '2026-03-01T00:00:00+08:00', '2026-03-02T00:00:00+08:00', 'the last millisecond is the old day'],
    ['2026-03-01T16:30:00Z',          '2026-03-01T16:00:00Z',      '2026-03-02T16:00:00Z',      'the date in UTC does not matter'],
    ['2025-12-31T23:00:00+08:00',     '2025-12-31T00:00:00+08:00', '2026-01-01T00:00:00+08:00', 'the last day of a year'],
  ]),
  ...rows('day from 06:00 in Shanghai', { unit: 'day', timeZone: SHANGHAI, dayStart: '06:00' }, [
    ['2026-03-02T05:59:59.999+08:00', '2026-03-01T06:00:00+08:00', '2026-03-02T06:00:00+08:00', 'the small hours belong to the business day before'],
    ['2026-03-02T06:00:00+08:00',     '2026-03-02T06:00:00+08:00', '2026-03-03T06:00:00+08:00', 'the day start itself is the new business day'],
  ]),
  ...rows('day in New York', { unit: 'day', timeZone: NEW_YORK }, [
    ['2026-03-08T12:00:00-04:00',     '2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00', 'clocks go forward at 02:00: 23 hours'],
    ['2026-03-08T00:30:00-05:00',     '2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00', 'the same day, before the change'],
    ['2026-11-01T23:30:00-05:00',     '2026-11-01T00:00:00-04:00', '2026-11-02T00:00:00-05:00', 'clocks go back at 02:00: 25 hours, and the last of them is still this day'],
  ]),
  ...rows('day from 02:30 in New York', { unit: 'day', timeZone: NEW_YORK, dayStart: '02:30' }, [
    ['2026-03-08T12:00:00-04:00',     '2026-03-08T03:00:00-04:00', '2026-03-09T02:30:00-04:00', '02:30 does not exist on that day, so it begins where the gap ends'],
    ['2026-03-08T01:59:59.999-05:00', '2026-03-07T02:30:00-05:00', '2026-03-08T03:00:00-04:00', 'and the day before lasts until there'],
  ]),
  ...rows('day from 01:30 in New York', { unit: 'day', timeZone: NEW_YORK, dayStart: '01:30' }, [
    ['2026-11-01T01:15:00-05:00',     '2026-11-01T01:30:00-04:00', '2026-11-02T01:30:00-05:00', '01:30 comes twice and the first one counts, though the wall shows 01:15 again'],
    ['2026-11-01T01:29:59-04:00',     '2026-10-31T01:30:00-04:00', '2026-11-01T01:30:00-04:00', 'before the first 01:30'],
  ]),
  ...rows('day on Lord Howe', { unit: 'day', timeZone: LORD_HOWE }, [
    ['2026-04-05T12:00:00+10:30',     '2026-04-05T00:00:00+11:00', '2026-04-06T00:00:00+10:30', 'clocks go back by 30 minutes: 24.5 hours'],
    ['2026-10-04T12:00:00+11:00',     '2026-10-04T00:00:00+10:30', '2026-10-05T00:00:00+11:00', 'clocks go forward by 30 minutes: 23.5 hours'],
  ]),
  ...rows('day from 02:15 on Lord Howe', { unit: 'day', timeZone: LORD_HOWE, dayStart: '02:15' }, [
    ['2026-10-04T12:00:00+11:00',     '2026-10-04T02:30:00+11:00', '2026-10-05T02:15:00+11:00', 'from 02:00 to 02:30 there is a gap; the day begins where it ends'],
  ]),
  ...rows('day from 01:45 on Lord Howe', { unit: 'day', timeZone: LORD_HOWE, dayStart: '01:45' }, [
    ['2026-04-05T01:40:00+10:30',     '2026-04-05T01:45:00+11:00', '2026-04-06T01:45:00+10:30', 'from 01:30 to 02:00 comes twice; the first 01:45 counts'],
  ]),
  ...rows('day in Sao Paulo', { unit: 'day', timeZone: SAO_PAULO }, [
    ['2018-11-04T12:00:00-02:00',     '2018-11-04T01:00:00-02:00', '2018-11-05T00:00:00-02:00', 'midnight does not exist: clocks go from 00:00 to 01:00'],
    ['2018-11-03T23:59:59.999-03:00', '2018-11-03T00:00:00-03:00', '2018-11-04T01:00:00-02:00', 'the day before ends at that change'],
    ['2018-02-17T23:30:00-03:00',     '2018-02-17T00:00:00-02:00', '2018-02-18T00:00:00-03:00', 'clocks go from 00:00 back to 23:00: the day has 25 hours'],
  ]),
  ...rows('day in Beirut', { unit: 'day', timeZone: 'Asia/Beirut' }, [
    ['2022-03-27T12:00:00+03:00',     '2022-03-27T01:00:00+03:00', '2022-03-28T00:00:00+03:00', 'midnight does not exist'],
  ]),
  ...rows('day in Cairo', { unit: 'day', timeZone: 'Africa/Cairo' }, [
    ['2023-04-28T12:00:00+03:00',     '2023-04-28T01:00:00+03:00', '2023-04-29T00:00:00+03:00', 'midnight does not exist, in the first summer time since 2014'],
    ['2023-10-26T23:30:00+02:00',     '2023-10-26T00:00:00+03:00', '2023-10-27T00:00:00+02:00', 'clocks go from 24:00 back to 23:00: the day has 25 hours'],
  ]),
  ...rows("day in St. John's", { unit: 'day', timeZone: 'America/St_Johns' }, [
    ['2010-11-06T23:30:00-03:30',     '2010-11-07T00:00:00-02:30', '2010-11-08T00:00:00-03:30', 'clocks go from 00:01 back to 23:01: midnight comes twice and the first one counts'],
  ]),
  ...rows('day in Apia', { unit: 'day', timeZone: 'Pacific/Apia' }, [
    ['2011-12-29T23:00:00-10:00',     '2011-12-29T00:00:00-10:00', '2011-12-31T00:00:00+14:00', 'Samoa crossed the date line; 30 December did not exist'],
    ['2011-12-31T00:00:00+14:00',     '2011-12-31T00:00:00+14:00', '2012-01-01T00:00:00+14:00', 'the change itself is the start of the 31st'],
  ]),
  ...rows('week in Shanghai', { unit: 'week', timeZone: SHANGHAI }, [
    ['2026-01-01T12:00:00+08:00',     '2025-12-29T00:00:00+08:00', '2026-01-05T00:00:00+08:00', 'an ISO week does not end with the year'],
    ['2026-01-04T23:59:59.999+08:00', '2025-12-29T00:00:00+08:00', '2026-01-05T00:00:00+08:00', 'Sunday is its last day'],
    ['2026-01-05T00:00:00+08:00',     '2026-01-05T00:00:00+08:00', '2026-01-12T00:00:00+08:00', 'Monday is the first'],
  ]),
  ...rows('week from Sunday', { unit: 'week', timeZone: SHANGHAI, weekStart: 'sunday' }, [
    ['2026-01-01T12:00:00+08:00',     '2025-12-28T00:00:00+08:00', '2026-01-04T00:00:00+08:00', '28 December 2025 is a Sunday'],
  ]),
  ...rows('week from Saturday 18:00', { unit: 'week', timeZone: SHANGHAI, weekStart: 'saturday', dayStart: '18:00' }, [
    ['2026-01-03T17:59:59+08:00',     '2025-12-27T18:00:00+08:00', '2026-01-03T18:00:00+08:00', 'the day start moves the start of the week as well'],
  ]),
  ...rows('week in New York', { unit: 'week', timeZone: NEW_YORK }, [
    ['2026-03-08T23:00:00-04:00',     '2026-03-02T00:00:00-05:00', '2026-03-09T00:00:00-04:00', 'a week of 167 hours'],
  ]),
  ...rows('two weeks', { unit: 'week', every: 2, timeZone: SHANGHAI }, [
    ['2026-01-01T12:00:00+08:00',     '2025-12-22T00:00:00+08:00', '2026-01-05T00:00:00+08:00', 'the Monday 2026-01-05 is 2922 weeks after 1970-01-05, so pairs begin there and 2 weeks before'],
    ['2026-01-18T23:59:59+08:00',     '2026-01-05T00:00:00+08:00', '2026-01-19T00:00:00+08:00', 'the next pair'],
  ]),
  ...rows('two weeks from a Wednesday', { unit: 'week', every: 2, timeZone: SHANGHAI }, [
    ['2026-01-01T12:00:00+08:00',     '2025-12-29T00:00:00+08:00', '2026-01-12T00:00:00+08:00', 'the week that contains `from` is the first of the pair'],
  ], '2025-12-31T10:00:00+08:00'),
  ...rows('two weeks from Sunday, without from', { unit: 'week', every: 2, timeZone: SHANGHAI, weekStart: 'sunday' }, [
    ['2026-01-01T12:00:00+08:00',     '2025-12-21T00:00:00+08:00', '2026-01-04T00:00:00+08:00', 'counted from Sunday 1970-01-04, the last one on or before 1970-01-05; 2922 weeks later is 2026-01-04'],
  ]),
  ...rows('month', { unit: 'month', timeZone: SHANGHAI }, [
    ['2025-12-31T23:59:59.999+08:00', '2025-12-01T00:00:00+08:00', '2026-01-01T00:00:00+08:00', 'the last month of a year'],
    ['2024-02-29T12:00:00+08:00',     '2024-02-01T00:00:00+08:00', '2024-03-01T00:00:00+08:00', 'a leap year has a 29 February'],
    ['2100-02-28T12:00:00+08:00',     '2100-02-01T00:00:00+08:00', '2100-03-01T00:00:00+08:00', '2100 is no leap year'],
  ]),
  ...rows('month in New York', { unit: 'month', timeZone: NEW_YORK }, [
    ['2026-03-20T12:00:00-04:00',     '2026-03-01T00:00:00-05:00', '2026-04-01T00:00:00-04:00', 'a month begins and ends by the clocks of those days'],
  ]),
  ...rows('business day', { unit: 'day', timeZone: NEW_YORK, closed: { days: ['saturday', 'sunday'], dates: ['2026-05-25', '2026-12-25'] } }, [
    ['2026-05-23T00:00:00-04:00',     '2026-05-23T00:00:00-04:00', '2026-05-27T00:00:00-04:00', 'Saturday, Sunday and a closed Monday belong to Tuesday'],
    ['2026-05-26T23:59:59-04:00',     '2026-05-23T00:00:00-04:00', '2026-05-27T00:00:00-04:00', 'Tuesday is the end of it'],
    ['2026-05-22T12:00:00-04:00',     '2026-05-22T00:00:00-04:00', '2026-05-23T00:00:00-04:00', 'Friday is a day of its own'],
    ['2026-12-25T12:00:00-05:00',     '2026-12-25T00:00:00-05:00', '2026-12-29T00:00:00-05:00', 'a closed Friday before a weekend'],
    ['2026-03-08T12:00:00-04:00',     '2026-03-07T00:00:00-05:00', '2026-03-10T00:00:00-04:00', 'clocks go forward on a closed Sunday'],
  ]),
  ...rows('business day from 17:00', { unit: 'day', timeZone: SHANGHAI, dayStart: '17:00', closed: { dates: ['2026-10-01', '2026-10-02'] } }, [
    ['2026-10-01T16:59:59+08:00',     '2026-09-30T17:00:00+08:00', '2026-10-01T17:00:00+08:00', 'the day of the 30th is open until 17:00'],
    ['2026-10-01T17:00:00+08:00',     '2026-10-01T17:00:00+08:00', '2026-10-04T17:00:00+08:00', 'then the days of the 1st, the 2nd and the 3rd are one'],
  ]),
  ...rows('days since an instant', { unit: 'day', every: 3, timeZone: NEW_YORK, dayStart: '04:00', since: since('2026-03-07T03:59:59-05:00') }, [
    ['2026-03-09T03:59:59-04:00',     '2026-03-06T04:00:00-05:00', '2026-03-09T04:00:00-04:00', 'before 04:00 it is still the 6th'],
    ['2026-03-06T03:59:59-05:00',     '2026-03-03T04:00:00-05:00', '2026-03-06T04:00:00-05:00', 'an instant to come counts back'],
  ]),
  ...rows('weeks since an instant', { unit: 'week', timeZone: SHANGHAI, since: since('2026-02-28T10:00:00Z') }, [
    ['2026-03-06T23:59:59+08:00',     '2026-02-28T00:00:00+08:00', '2026-03-07T00:00:00+08:00', 'it was a Saturday'],
  ]),
  ...rows('months since the 31st', { unit: 'month', timeZone: SHANGHAI, since: since('2026-01-31T00:00:00+08:00') }, [
    ['2026-02-28T00:00:00+08:00',     '2026-02-28T00:00:00+08:00', '2026-03-31T00:00:00+08:00', 'February ends earlier'],
    ['2026-04-30T12:00:00+08:00',     '2026-04-30T00:00:00+08:00', '2026-05-31T00:00:00+08:00', 'April, too'],
  ]),
  ...rows('quarters since November', { unit: 'quarter', timeZone: SHANGHAI, since: since('2025-11-15T20:00:00Z') }, [
    ['2026-02-15T23:59:59+08:00',     '2025-11-16T00:00:00+08:00', '2026-02-16T00:00:00+08:00', 'in Shanghai it was the 16th; no January begins a quarter'],
  ]),
  ...rows('years since a leap day', { unit: 'year', every: 2, timeZone: NEW_YORK, since: since('2024-02-29T12:00:00-05:00') }, [
    ['2027-03-01T00:00:00-05:00',     '2026-02-28T00:00:00-05:00', '2028-02-29T00:00:00-05:00', 'two years each'],
  ]),
  ...rows('month from 06:00', { unit: 'month', timeZone: SHANGHAI, dayStart: '06:00' }, [
    ['2026-02-01T05:59:59+08:00',     '2026-01-01T06:00:00+08:00', '2026-02-01T06:00:00+08:00', 'the small hours of the 1st belong to the month before'],
  ]),
  ...rows('month from the 31st', { unit: 'month', timeZone: SHANGHAI, monthDay: 31 }, [
    ['2026-02-15T12:00:00+08:00',     '2026-01-31T00:00:00+08:00', '2026-02-28T00:00:00+08:00', 'February has no 31st; its last day stands in'],
    ['2026-02-28T00:00:00+08:00',     '2026-02-28T00:00:00+08:00', '2026-03-31T00:00:00+08:00', 'after a short month the anchor is the 31st again, not the 28th'],
    ['2026-04-15T12:00:00+08:00',     '2026-03-31T00:00:00+08:00', '2026-04-30T00:00:00+08:00', 'April has 30 days'],
    ['2026-04-30T00:00:00+08:00',     '2026-04-30T00:00:00+08:00', '2026-05-31T00:00:00+08:00', 'the clamped day is the start'],
    ['2024-02-28T23:59:59+08:00',     '2024-01-31T00:00:00+08:00', '2024-02-29T00:00:00+08:00', 'in a leap year the 29th stands in'],
  ]),
  ...rows('month from the 29th', { unit: 'month', timeZone: SHANGHAI, monthDay: 29 }, [
    ['2025-02-28T00:00:00+08:00',     '2025-02-28T00:00:00+08:00', '2025-03-29T00:00:00+08:00', 'in a common year the 28th stands in'],
    ['2024-02-28T00:00:00+08:00',     '2024-01-29T00:00:00+08:00', '2024-02-29T00:00:00+08:00', 'in a leap year there is a 29th'],
  ]),
  ...rows('month from the 15th', { unit: 'month', timeZone: SHANGHAI, monthDay: 15 }, [
    ['2026-01-10T12:00:00+08:00',     '2025-12-15T00:00:00+08:00', '2026-01-15T00:00:00+08:00', 'over the end of a year'],
  ]),
  ...rows('two months', { unit: 'month', every: 2, timeZone: SHANGHAI }, [
    ['2026-02-10T12:00:00+08:00',     '2026-01-01T00:00:00+08:00', '2026-03-01T00:00:00+08:00', 'January 2026 is 672 months after January 1970'],
  ]),
  ...rows('two months from the 15th, without from', { unit: 'month', every: 2, timeZone: SHANGHAI, monthDay: 15 }, [
    ['2026-01-20T12:00:00+08:00',     '2025-12-15T00:00:00+08:00', '2026-02-15T00:00:00+08:00', '1970-01-01 lies in the month from 1969-12-15; 672 months later is 2025-12-15'],
  ]),
  ...rows('two months from the 31st', { unit: 'month', every: 2, timeZone: SHANGHAI, monthDay: 31 }, [
    ['2026-03-01T12:00:00+08:00',     '2026-01-31T00:00:00+08:00', '2026-03-31T00:00:00+08:00', 'the clamped start in February is inside'],
    ['2026-03-31T00:00:00+08:00',     '2026-03-31T00:00:00+08:00', '2026-05-31T00:00:00+08:00', 'the next pair'],
  ], '2026-01-31T00:00:00+08:00'),
  ...rows('quarter', { unit: 'quarter', timeZone: SHANGHAI }, [
    ['2025-12-31T23:59:59.999+08:00', '2025-10-01T00:00:00+08:00', '2026-01-01T00:00:00+08:00', 'the last millisecond of a year'],
    ['2026-01-01T00:00:00+08:00',     '2026-01-01T00:00:00+08:00', '2026-04-01T00:00:00+08:00', 'the first instant of the next'],
    ['2026-06-30T23:59:59+08:00',     '2026-04-01T00:00:00+08:00', '2026-07-01T00:00:00+08:00', 'the second quarter'],
    ['2026-09-30T12:00:00+08:00',     '2026-07-01T00:00:00+08:00', '2026-10-01T00:00:00+08:00', 'the third quarter'],
  ]),
  ...rows('quarter from the 31st', { unit: 'quarter', timeZone: SHANGHAI, monthDay: 31 }, [
    ['2026-04-29T23:59:59+08:00',     '2026-01-31T00:00:00+08:00', '2026-04-30T00:00:00+08:00', 'April clamps to the 30th'],
    ['2026-01-15T12:00:00+08:00',     '2025-10-31T00:00:00+08:00', '2026-01-31T00:00:00+08:00', 'January before the 31st belongs to the quarter of October'],
  ]),
  ...rows('three quarters from May', { unit: 'quarter', every: 3, timeZone: SHANGHAI }, [
    ['2025-12-31T23:00:00+08:00',     '2025-04-01T00:00:00+08:00', '2026-01-01T00:00:00+08:00', 'the quarter that contains `from` begins in April'],
  ], '2025-05-05T12:00:00+08:00'),
  ...rows('year', { unit: 'year', timeZone: SHANGHAI }, [
    ['2024-12-31T23:59:59+08:00',     '2024-01-01T00:00:00+08:00', '2025-01-01T00:00:00+08:00', 'a leap year ends on its 366th day'],
  ]),
  ...rows('year from 06:00', { unit: 'year', timeZone: SHANGHAI, dayStart: '06:00' }, [
    ['2026-01-01T05:00:00+08:00',     '2025-01-01T06:00:00+08:00', '2026-01-01T06:00:00+08:00', 'the small hours of New Year belong to the year before'],
  ]),
  ...rows('year from 31 January', { unit: 'year', timeZone: SHANGHAI, monthDay: 31 }, [
    ['2026-01-30T12:00:00+08:00',     '2025-01-31T00:00:00+08:00', '2026-01-31T00:00:00+08:00', 'the anchor is in January'],
  ]),
  ...rows('two years', { unit: 'year', every: 2, timeZone: SHANGHAI }, [
    ['2027-06-01T12:00:00+08:00',     '2026-01-01T00:00:00+08:00', '2028-01-01T00:00:00+08:00', 'counted from 1970, so even years begin a pair'],
  ]),
  ...rows('two days', { unit: 'day', every: 2, timeZone: SHANGHAI }, [
    ['2026-01-02T12:00:00+08:00',     '2026-01-01T00:00:00+08:00', '2026-01-03T00:00:00+08:00', '2026-01-01 is 20454 days after 1970-01-01'],
  ]),
  ...rows('ten days from an afternoon', { unit: 'day', every: 10, timeZone: SHANGHAI }, [
    ['2026-03-14T23:59:59+08:00',     '2026-03-05T00:00:00+08:00', '2026-03-15T00:00:00+08:00', 'the first window begins at the midnight before `from`'],
    ['2026-03-20T12:00:00+08:00',     '2026-03-15T00:00:00+08:00', '2026-03-25T00:00:00+08:00', 'the second'],
  ], '2026-03-05T15:00:00+08:00'),
  ...rows('two days from 06:00, from 05:00', { unit: 'day', every: 2, timeZone: SHANGHAI, dayStart: '06:00' }, [
    ['2026-03-05T05:00:00+08:00',     '2026-03-04T06:00:00+08:00', '2026-03-06T06:00:00+08:00', 'at 05:00 on the 5th the business day is still the 4th'],
  ], '2026-03-05T05:00:00+08:00'),
  ...rows('two days in New York', { unit: 'day', every: 2, timeZone: NEW_YORK }, [
    ['2026-03-08T12:00:00-04:00',     '2026-03-07T00:00:00-05:00', '2026-03-09T00:00:00-04:00', 'two days of 47 hours'],
  ], '2026-03-07T12:00:00-05:00'),
  ...rows('hour in Kolkata', { unit: 'hour', timeZone: 'Asia/Kolkata' }, [
    ['2026-01-01T10:15:00+05:30',     '2026-01-01T10:00:00+05:30', '2026-01-01T11:00:00+05:30', 'by the clock on the wall: in UTC it begins at half past'],
  ]),
  ...rows('hour in New York', { unit: 'hour', timeZone: NEW_YORK }, [
    ['2026-11-01T01:30:00-05:00',     '2026-11-01T01:00:00-04:00', '2026-11-01T02:00:00-05:00', 'the hour that comes twice is one window of 2 hours'],
    ['2026-11-01T01:30:00-04:00',     '2026-11-01T01:00:00-04:00', '2026-11-01T02:00:00-05:00', 'seen from its first half'],
    ['2026-03-08T01:30:00-05:00',     '2026-03-08T01:00:00-05:00', '2026-03-08T03:00:00-04:00', 'after 01:59 the wall shows 03:00; the hour is an hour long'],
    ['2026-03-08T03:30:00-04:00',     '2026-03-08T03:00:00-04:00', '2026-03-08T04:00:00-04:00', 'and so is the next'],
  ]),
  ...rows('two hours in New York', { unit: 'hour', every: 2, timeZone: NEW_YORK }, [
    ['2026-03-08T03:30:00-04:00',     '2026-03-08T03:00:00-04:00', '2026-03-08T04:00:00-04:00', 'of the hours 02 and 03 only the second exists'],
    ['2026-11-01T01:30:00-05:00',     '2026-11-01T00:00:00-04:00', '2026-11-01T02:00:00-05:00', 'the hours 00 and 01, the second twice: 3 hours'],
  ]),
  ...rows('hour on Lord Howe', { unit: 'hour', timeZone: LORD_HOWE }, [
    ['2026-04-05T01:45:00+10:30',     '2026-04-05T01:00:00+11:00', '2026-04-05T02:00:00+10:30', 'half an hour comes twice: 90 minutes'],
    ['2026-10-04T02:45:00+11:00',     '2026-10-04T02:30:00+11:00', '2026-10-04T03:00:00+11:00', 'half an hour is missing: 30 minutes'],
  ]),
  ...rows('hour on Troll', { unit: 'hour', timeZone: 'Antarctica/Troll' }, [
    ['2026-10-25T01:30:00+02:00',     '2026-10-25T01:00:00+02:00', '2026-10-25T02:00:00+02:00', 'clocks go from 03:00 back to 01:00: the hour 01 comes again, but only after the hour 02'],
    ['2026-10-25T02:30:00+02:00',     '2026-10-25T02:00:00+02:00', '2026-10-25T01:00:00+00:00', 'the hour 02 ends where the clocks go back'],
    ['2026-10-25T01:30:00+00:00',     '2026-10-25T01:00:00+00:00', '2026-10-25T02:00:00+00:00', 'the second 01 is a window of its own: the hour 02 lies between the two'],
    ['2026-10-25T02:30:00+00:00',     '2026-10-25T02:00:00+00:00', '2026-10-25T03:00:00+00:00', 'and so is the second 02'],
  ]),
  ...rows('three hours on Troll', { unit: 'hour', every: 3, timeZone: 'Antarctica/Troll' }, [
    ['2026-10-25T01:30:00+00:00',     '2026-10-25T00:00:00+02:00', '2026-10-25T03:00:00+00:00', 'the hours 00, 01, 02, and without other time between them 01 and 02 again: one window of 5 hours'],
  ]),
  ...rows("hour in St. John's", { unit: 'hour', timeZone: 'America/St_Johns' }, [
    ['2010-11-07T00:00:30-02:30',     '2010-11-07T00:00:00-02:30', '2010-11-06T23:01:00-03:30', 'clocks go from 00:01 back to 23:01: one minute of the hour 00, then 23 once more'],
    ['2010-11-06T23:30:00-03:30',     '2010-11-06T23:01:00-03:30', '2010-11-07T00:00:00-03:30', 'the second 23 has 59 minutes and is a window of its own'],
  ]),
  ...rows('six hours', { unit: 'hour', every: 6, timeZone: SHANGHAI }, [
    ['2026-03-01T13:00:00+08:00',     '2026-03-01T12:00:00+08:00', '2026-03-01T18:00:00+08:00', 'from midnight of the zone, not of UTC'],
  ]),
  ...rows('five hours', { unit: 'hour', every: 5, timeZone: SHANGHAI }, [
    ['2026-01-01T00:30:00+08:00',     '2025-12-31T23:00:00+08:00', '2026-01-01T04:00:00+08:00', '5 does not divide a day: 2026-01-01T00:00 is hour 490896 since 1970, and 490895 is 5 times 98179'],
  ]),
  ...rows('five hours from 10:40', { unit: 'hour', every: 5, timeZone: SHANGHAI }, [
    ['2026-03-01T14:59:59+08:00',     '2026-03-01T10:00:00+08:00', '2026-03-01T15:00:00+08:00', 'the hour that contains `from` is the first of the five'],
  ], '2026-03-01T10:40:00+08:00'),
  ...rows('minute', { unit: 'minute', timeZone: SHANGHAI }, [
    ['2026-03-01T10:00:59.999+08:00', '2026-03-01T10:00:00+08:00', '2026-03-01T10:01:00+08:00', 'to the last millisecond'],
    ['2026-03-01T10:01:00+08:00',     '2026-03-01T10:01:00+08:00', '2026-03-01T10:02:00+08:00', 'half-open'],
  ]),
  ...rows('ten minutes from 10:07:30', { unit: 'minute', every: 10, timeZone: SHANGHAI }, [
    ['2026-03-01T10:16:59+08:00',     '2026-03-01T10:07:00+08:00', '2026-03-01T10:17:00+08:00', 'the minute that contains `from` is the first of the ten'],
    ['2026-03-01T10:17:00+08:00',     '2026-03-01T10:17:00+08:00', '2026-03-01T10:27:00+08:00', 'the second window'],
  ], '2026-03-01T10:07:30+08:00'),
  ...rows('minute in New York', { unit: 'minute', timeZone: NEW_YORK }, [
    ['2026-11-01T01:30:59.999-04:00', '2026-11-01T01:30:00-04:00', '2026-11-01T01:31:00-04:00', 'the first 01:30 of the hour that comes twice is a minute long'],
    ['2026-11-01T01:30:00-05:00',     '2026-11-01T01:30:00-05:00', '2026-11-01T01:31:00-05:00', 'the second 01:30 is a window of its own: an hour lies between the two'],
  ]),
  ...rows('fifteen minutes in New York', { unit: 'minute', every: 15, timeZone: NEW_YORK }, [
    ['2026-11-01T01:50:00-04:00',     '2026-11-01T01:45:00-04:00', '2026-11-01T01:00:00-05:00', 'ends where the clocks go back, 15 minutes later'],
    ['2026-11-01T01:50:00-05:00',     '2026-11-01T01:45:00-05:00', '2026-11-01T02:00:00-05:00', 'the second 01:45 is a window of its own: an hour lies between the two'],
  ]),
  ...rows('45 minutes in New York', { unit: 'minute', every: 45, timeZone: NEW_YORK }, [
    ['2026-11-01T01:40:00-04:00',     '2026-11-01T01:30:00-04:00', '2026-11-01T01:00:00-05:00', 'the window 01:30 to 02:15 is cut short where the wall jumps back into 00:45 to 01:30'],
    ['2026-11-01T01:10:00-05:00',     '2026-11-01T01:00:00-05:00', '2026-11-01T01:30:00-05:00', 'the rest of 00:45 to 01:30 comes again, as a window of its own'],
    ['2026-11-01T01:40:00-05:00',     '2026-11-01T01:30:00-05:00', '2026-11-01T02:15:00-05:00', 'and then 01:30 to 02:15, whole'],
  ]),
];

// prettier-ignore
export const ROLLING_CASES: readonly RollingCase[] = [
  { name: '24 hours in steps of 30 minutes', window: { rollingMs: 86_400_000, stepMs: 1_800_000 }, at: '2026-03-01T10:17:00Z', start: '2026-03-01T10:00:00Z', until: '2026-03-02T10:29:59.999Z', why: 'the last millisecond of the step leaves the span one millisecond before 10:30' },
  { name: '24 hours in steps of 30 minutes, at the start of a step', window: { rollingMs: 86_400_000, stepMs: 1_800_000 }, at: '2026-03-01T10:30:00Z', start: '2026-03-01T10:30:00Z', until: '2026-03-02T10:59:59.999Z', why: 'steps are half-open' },
  { name: '10 seconds in steps of 3 seconds', window: { rollingMs: 10_000, stepMs: 3_000 }, at: '2026-03-01T00:00:07.500Z', start: '2026-03-01T00:00:06Z', until: '2026-03-01T00:00:18.999Z', why: 'a step need not divide the span' },
  { name: '3 seconds, exact', window: { rollingMs: 3_000, stepMs: 'exact' }, at: '2026-03-01T10:00:00.123Z', start: '2026-03-01T10:00:00.123Z', until: '2026-03-01T10:00:03.123Z', why: 'to the millisecond: at 3.000 s it no longer counts' },
];
