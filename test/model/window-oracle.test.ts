import { describe, expect, it } from 'vitest';
import { ROLLING_CASES, WINDOW_CASES } from '../cases/windows.ts';
import { bucketAt } from './model-rules.ts';
import { calendarWindow } from './window-oracle.ts';

const instant = (milliseconds: number): string => new Date(milliseconds).toISOString();

describe('the oracle for calendar windows', () => {
  it.each(WINDOW_CASES)('$name: $at lies in $start to $end, because $why', (row) => {
    const from = row.from === undefined ? undefined : new Date(row.from);
    const { start, end } = calendarWindow(row.window, new Date(row.at), from);
    expect([instant(start), instant(end)]).toEqual([
      new Date(row.start).toISOString(),
      new Date(row.end).toISOString(),
    ]);
  });

  it.each(WINDOW_CASES)('$name: windows touch and do not overlap', (row) => {
    const from = row.from === undefined ? undefined : new Date(row.from);
    const { start, end } = calendarWindow(row.window, new Date(row.at), from);
    const before = calendarWindow(row.window, new Date(start - 1), from);
    const after = calendarWindow(row.window, new Date(end), from);
    expect([before.end, after.start]).toEqual([start, end]);
  });
});

describe('the steps of a rolling window', () => {
  it.each(ROLLING_CASES)('$name: $at counts until $until, because $why', (row) => {
    const { start, until } = bucketAt(
      { id: 'r', per: ['user'], window: row.window, max: { count: 1 }, mode: 'enforce' },
      new Date(row.at),
    );
    expect([instant(start), instant(until)]).toEqual([
      new Date(row.start).toISOString(),
      new Date(row.until).toISOString(),
    ]);
  });
});
