import { expect, it } from 'vitest';
import { leavesOf } from '../src/ui/leaves.ts';

const textOf = (thing: object): string =>
  [...leavesOf(thing)].map(([path, text]) => `${path}: ${text}`).join('; ');

it.each([
  { one: { type: ['A', 'B'] }, other: { type: ['A, B'] }, says: 'type: A, B', is: 'type: "A, B"' },
  { one: { code: 3 }, other: { code: '3' }, says: 'code: 3', is: 'code: "3"' },
  { one: { code: [1, 2] }, other: { code: ['1', 2] }, says: 'code: 1, 2', is: 'code: "1", 2' },
  { one: { open: true }, other: { open: 'true' }, says: 'open: true', is: 'open: "true"' },
  { one: { code: '3' }, other: { code: '"3"' }, says: 'code: "3"', is: 'code: "\\"3\\""' },
])('$one differs from $other where both are shown', ({ one, other, says, is }) => {
  expect(textOf(one)).toBe(says);
  expect(textOf(other)).toBe(is);
});

it('a title with a comma, an hour and a date stand as they are', () => {
  const thing = { title: { en: 'Day, week' }, dayStart: '23:00', dates: ['2026-12-25'] };
  expect(textOf(thing)).toBe('title.en: Day, week; dayStart: 23:00; dates: 2026-12-25');
});
