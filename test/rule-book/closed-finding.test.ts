import { expect, it } from 'vitest';
import { closedSentences } from '../../lib/rule-book/closed-finding.ts';
import { readRules } from '../../lib/rule-file/rule-list.ts';

const at = new Date('2026-11-27T12:00:00.000Z');

// prettier-ignore
it.each([
  { closed: { days: 'sunday' }, mode: 'enforce', warned: false, why: 'weeks do not end' },
  { closed: { dates: ['2026-12-28', '2026-01-01'] }, mode: 'enforce', warned: false, why: 'more than 30 days are left' },
  { closed: { dates: ['2026-01-01', '2026-12-27'] }, mode: 'enforce', warned: true, why: 'less than 30 days are left' },
  { closed: { days: 'sunday', dates: '2025-12-25' }, mode: 'shadow', warned: true, why: 'they have ended' },
  { closed: { dates: '2025-12-25' }, mode: 'retired', warned: false, why: 'nothing counts by it' },
  { closed: { dates: '2026-12-25' }, mode: 'enforce', to: '2027-01-01T00:00:00Z', warned: false, why: 'another rule begins then' },
  { closed: { dates: '2026-12-25' }, mode: 'enforce', to: '2027-06-01T00:00:00Z', warned: true, why: 'it goes on for long' },
])('closed dates are warned of ($warned): $why', ({ closed, mode, to, warned }) => {
  const window = { unit: 'day', timeZone: 'UTC', closed };
  const { rules, mistakes } = readRules([{ id: 'r', per: ['user'], window, max: { count: 1 }, mode, ...(to && { to }) }]);
  expect(mistakes).toEqual([]);
  const said = closedSentences(rules, at);
  expect(said.map((sentence) => sentence.split(':')[0])).toEqual(warned ? ['r'] : []);
});
