import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { summarySchema } from '../../../lib/audit/history/history-request.ts';
import {
  dateAt,
  dayOf,
  lastWindows,
  plainWindow,
} from '../../../lib/audit/history/history-windows.ts';
import type { UnitSpan } from '../../../lib/audit/history/history-windows.ts';
import type { CalendarWindow } from '../../../lib/rule/calendar.ts';

const NOW = new Date('2026-03-02T10:00:00Z');
const DAYS_7: UnitSpan = { unit: 'day', count: 7 };
const MONTHS_12: UnitSpan = { unit: 'month', count: 12 };

const windowOf = (unit: CalendarWindow['unit'], more: Partial<CalendarWindow> = {}) => ({
  ...plainWindow('day', 'Asia/Shanghai'),
  ...{ unit, ...more },
});

describe('the windows of a history', () => {
  // prettier-ignore
  it.each([
    { window: windowOf('day'), last: DAYS_7, windows: 7, from: '2026-02-23T16:00:00.000Z', why: 'today and the six days before' },
    { window: windowOf('day'), last: { unit: 'day', count: 1 }, windows: 1, from: '2026-03-01T16:00:00.000Z', why: 'today alone' },
    { window: windowOf('month'), last: MONTHS_12, windows: 12, from: '2025-03-31T16:00:00.000Z', why: 'this month and the eleven before' },
    {
      window: windowOf('day', { dayStartMinutes: 20 * 60 }),
      last: DAYS_7,
      windows: 7,
      from: '2026-02-23T12:00:00.000Z',
      why: 'a day that begins at 20:00 has begun six days ago at 20:00',
    },
    { window: windowOf('month', { monthDay: 15 }), last: { unit: 'month', count: 2 }, windows: 2, from: '2026-01-14T16:00:00.000Z', why: 'a month that begins on the 15th' },
    { window: windowOf('hour'), last: { unit: 'day', count: 2 }, windows: 24 + 19, from: '2026-02-28T16:00:00.000Z', why: 'the hours of yesterday, and of today until now' },
    { window: windowOf('day', { closed: { days: ['saturday', 'sunday'] } }), last: DAYS_7, windows: 5, from: '2026-02-23T16:00:00.000Z', why: 'the weekend belongs to today' },
    { window: windowOf('week'), last: DAYS_7, windows: 2, from: '2026-02-22T16:00:00.000Z', why: 'six days ago lies in the week before' },
    { window: windowOf('month'), last: DAYS_7, windows: 2, from: '2026-01-31T16:00:00.000Z', why: 'six days ago was another month' },
    {
      window: plainWindow('day', 'Europe/Berlin'),
      last: { unit: 'day', count: 31 },
      now: new Date('2026-03-29T12:00:00Z'),
      windows: 31,
      from: '2026-02-26T23:00:00.000Z',
      why: 'a day of 23 hours is one, too',
    },
  ])(
    '$last of $window.unit has $windows, for $why',
    ({ window, last, now = NOW, windows, from }) => {
      const found = lastWindows(window, last as UnitSpan, now) ?? [];
      expect(found).toHaveLength(windows);
      expect(found[0]?.start.toISOString()).toBe(from);
      for (const [index, { until }] of found.entries())
        expect(until).toEqual(found[index + 1]?.start ?? until);
      const [open] = found.slice(-1);
      expect(open !== undefined && open.start <= now && now < open.until).toBe(true);
    },
  );

  it('are at most 400', () => {
    expect(lastWindows(windowOf('day'), { unit: 'month', count: 13 }, NOW)).toHaveLength(367);
    expect(lastWindows(windowOf('hour'), { unit: 'month', count: 12 }, NOW)).toBeUndefined();
    expect(lastWindows(windowOf('minute'), { unit: 'day', count: 7 }, NOW)).toBeUndefined();
  });
});

describe('a day', () => {
  it.each([
    { date: '2026-11-20', zone: 'Asia/Shanghai', hours: 24, from: '2026-11-19T16:00:00.000Z' },
    { date: '2026-03-29', zone: 'Europe/Berlin', hours: 23, from: '2026-03-28T23:00:00.000Z' },
    { date: '2026-10-25', zone: 'Europe/Berlin', hours: 25, from: '2026-10-24T22:00:00.000Z' },
    { date: '2018-11-04', zone: 'America/Sao_Paulo', hours: 23, from: '2018-11-04T03:00:00.000Z' },
  ])('$date in $zone has $hours hours', ({ date, zone, hours, from }) => {
    const { start, until } = dayOf(date, zone);
    expect(start.toISOString()).toBe(from);
    expect(until.getTime() - start.getTime()).toBe(hours * 3_600_000);
    expect(dateAt(start, zone)).toBe(date);
    expect(dateAt(until, zone)).not.toBe(date);
  });

  it.each([
    ...['2026-11-20', '1970-01-01', '9998-12-31', '2024-02-29'].map((text) => ({ text, is: true })),
    ...['2026-02-29', '2026-13-01', '1969-12-31', '9999-01-01', '2026-1-1', '', 20261120].map(
      (text) => ({ text, is: false }),
    ),
  ])('$text is one: $is', ({ text, is }) => {
    expect(z.safeParse(summarySchema, { kind: 'user', date: text }).success).toBe(is);
  });
});
