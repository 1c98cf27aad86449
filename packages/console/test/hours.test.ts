import { describe, expect, it } from 'vitest';
import { hoursOf } from '../src/screens/refusals/hours.ts';

const NEW_YORK = 'America/New_York';

describe('the hours of a day', () => {
  // prettier-ignore
  it.each([
    { start: '2026-03-02T16:00:00.000Z', end: '2026-03-03T16:00:00.000Z', timeZone: 'Asia/Shanghai', count: 24, at: 9, name: '09:00', from: '2026-03-03T01:00:00.000Z', why: 'it is a day like most' },
    { start: '2026-03-08T05:00:00.000Z', end: '2026-03-09T04:00:00.000Z', timeZone: NEW_YORK, count: 23, at: 2, name: '03:00', from: '2026-03-08T07:00:00.000Z', why: 'clocks skip 02:00' },
    { start: '2026-11-01T04:00:00.000Z', end: '2026-11-02T05:00:00.000Z', timeZone: NEW_YORK, count: 25, at: 2, name: '01:00 (2)', from: '2026-11-01T06:00:00.000Z', why: '01:00 comes twice, and each has a name' },
    { start: '2026-03-02T18:30:00.000Z', end: '2026-03-03T18:30:00.000Z', timeZone: 'Asia/Kolkata', count: 24, at: 0, name: '00:00', from: '2026-03-02T18:30:00.000Z', why: 'its hours begin half an hour later in UTC' },
  ])('are $count with $name, because $why', ({ count, at, name, from, why: _why, ...day }) => {
    const hours = hoursOf(day, 'en');
    expect(hours[at]).toMatchObject({ name, start: from });
    expect(hours).toHaveLength(count);
    expect(new Set(hours.map((hour) => hour.name)).size).toBe(count);
    expect(hours.at(-1)?.end).toBe(day.end);
  });
});
