import { describe, expect, it } from 'vitest';
import { calendarPeriod } from '../../lib/rule/calendar.ts';
import { WINDOW_CASES } from '../cases/windows.ts';
import { libWindow } from '../support/service-under-test.ts';

describe('window-2, window-3: the calendar window of an instant', () => {
  it.each(WINDOW_CASES)('$name at $at, because $why', ({ window, from, at, start, end }) => {
    const calendar = libWindow(window, from === undefined ? undefined : new Date(from));
    if (calendar.kind !== 'calendar') throw new Error('a row is about a calendar window');
    const period = calendarPeriod(calendar, new Date(at));
    expect(period.start.toISOString()).toBe(new Date(start).toISOString());
    expect(period.until.toISOString()).toBe(new Date(end).toISOString());
  });
});
