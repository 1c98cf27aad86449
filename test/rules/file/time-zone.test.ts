import { afterEach, expect, it, vi } from 'vitest';
import { isTimeZone } from '../../../lib/windows/calendar.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  { name: 'Asia/Tokyo', is: true, why: 'the database has it' },
  { name: 'ASIA/tokyo', is: true, why: 'its names have no case' },
  { name: 'Asia/To\u212Ayo', is: false, why: 'a sign for kelvin is no k' },
  { name: '+09:00', is: false, why: 'an offset is no name' },
  { name: 'Asia/Mars', is: false, why: 'the database has it not' },
])('$name: $is, because $why', ({ name, is }) => {
  expect(isTimeZone(name)).toBe(is);
});

it('is remembered once, however it is spelt, so that a process remembers no more than there are', () => {
  expect(isTimeZone('Pacific/Auckland')).toBe(true);
  const asked = vi.spyOn(Intl, 'DateTimeFormat');
  for (const name of ['pacific/auckland', 'PACIFIC/AUCKLAND', 'Pacific/aucklanD'])
    expect(isTimeZone(name)).toBe(true);
  expect(asked).not.toHaveBeenCalled();
});
