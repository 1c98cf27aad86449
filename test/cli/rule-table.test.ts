import { describe, expect, it } from 'vitest';
import type { Standing } from '../../cli/rule-table.ts';
import { rulesTable, termsText, withoutInstantText } from '../../cli/rule-table.ts';

const LIFE: Standing = {
  rule: 'life',
  subjects: { user: 'u-1', merchant: 'm-1' },
  mode: 'enforce',
  window: { kind: 'lifetime' },
  max: { amount: 10_000, count: 5 },
  used: { amount: 2_500, count: 1 },
  held: { amount: 500, count: 1 },
  remaining: { amount: 7_000, count: 3 },
  outcome: 'within',
  currency: 'CNY',
};

/** The cells of a table's rows, without the names of its columns. */
const cellsOf = (rules: readonly Standing[]) =>
  rulesTable(rules, 'CNY')
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ {2,}/));

describe('the table of rules', () => {
  // prettier-ignore
  it.each([
    { why: 'on trial', rule: { mode: 'shadow', outcome: 'exceeded-shadow' }, cell: 'exceeded (on trial)' },
    { why: 'what it counts', rule: { outcomes: ['rolledBack'], outcome: 'reached' }, cell: 'reached (of failures)' },
    { why: 'what it counts', rule: { outcomes: ['confirmed', 'rolledBack'] }, cell: 'within (of all that end)' },
    { why: 'what it counts', rule: { outcomes: ['rolledBack', 'expired'] }, cell: 'within (of those rolled back or expired)' },
    { why: 'when it says yes', rule: { outcome: 'exceeded', retryAt: '2026-12-01T00:00:00.000Z' }, cell: '2026-12-01T00:00:00.000Z' },
    { why: 'it never does', rule: { outcome: 'exceeded', retryAt: null }, cell: 'never' },
    { why: 'nothing may be taken', rule: { max: { amount: 0 } }, cell: '100%' },
    { why: 'a window of several days', rule: { window: { kind: 'calendar', unit: 'day', every: 3, timeZone: 'UTC', start: '', end: '' } }, cell: '3 day UTC' },
  ] as const)('says $cell, because it tells $why', ({ rule, cell }) => {
    expect(cellsOf([{ ...LIFE, ...rule }])[0]).toContain(cell);
  });

  it('names rules whose windows nobody said the beginning of, a line each', () => {
    const withoutInstant = ['a', 'b'].map((rule) => ({ rule, attribute: 'joined' }));
    const answer = { subjects: {}, frozen: [], rules: [], now: '', withoutInstant };
    expect(withoutInstantText(answer)).toBe(
      '  a begins with the attribute joined: say it with --attribute\n  b begins with the attribute joined: say it with --attribute\n',
    );
  });

  it('names what a maximum depends on, where nobody said it', () => {
    const maxBy = { amount: { by: 'tier', values: { gold: 50_000 }, else: 10_000 } };
    const rule = { ...LIFE, max: { count: 5 }, remaining: { count: 3 }, maxBy };
    const [amount, count] = cellsOf([{ ...rule, outcome: 'depends' }]);
    expect(amount?.slice(3, 8)).toEqual(['25.00', '5.00', 'by tier', '-', '-']);
    expect(amount).toContain('depends');
    expect(count?.slice(3, 8)).toEqual(['1', '1', '5', '3', '40%']);
  });

  it("marks a subject's own maximum, and one that was taken away for it", () => {
    const override = { reason: 'VIP "week"', until: '2026-12-01T00:00:00.000Z', own: LIFE.max };
    const rule = { ...LIFE, max: { amount: 20_000 }, override };
    const cells = cellsOf([rule]);
    expect(cells[0]).toContain('200.00 *');
    expect(cells[1]).toContain('none *');
    expect(termsText([rule], [])).toBe(
      '* life: a maximum of its own until 2026-12-01T00:00:00.000Z: "VIP \\"week\\""\n',
    );
  });

  it('names who is frozen, and why', () => {
    expect(termsText([LIFE], [{ subjects: { user: 'u-1' }, reason: 'stolen', until: null }])).toBe(
      'FROZEN: user:u-1: "stolen"\n',
    );
    expect(termsText([LIFE], [])).toBe('');
  });
});
