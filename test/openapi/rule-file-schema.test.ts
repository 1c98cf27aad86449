import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatted } from '../../tools/formatted.ts';
import { RULES_SCHEMA_PATH } from '../../tools/openapi/document-path.ts';
import { ruleFileSchema } from '../../tools/openapi/rule-file-schema.ts';
import { parseRuleFile } from '../../cli/rules/rule-file.ts';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import { BASE, FIELDS, SINGLE } from './rule-values.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const ajv = new Ajv({ strict: false });
formats.default(ajv);
const fits = ajv.compile(ruleFileSchema());

it('docs/rules.schema.json is what the reader of rule files says; write it again with -u', async () => {
  const text = await formatted(RULES_SCHEMA_PATH, JSON.stringify(ruleFileSchema()));
  await expect(text).toMatchFileSnapshot(RULES_SCHEMA_PATH);
});

it('examples/rules.yaml names the schema, and fits', () => {
  const text = readFileSync(join(ROOT, 'examples', 'rules.yaml'), 'utf8');
  const [, path = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
  expect(join(ROOT, 'examples', path)).toBe(RULES_SCHEMA_PATH);
  expect(fits(parse(text)), ajv.errorsText(fits.errors)).toBe(true);
});

it('the rules of docs/rules.md fit', () => {
  const text = readFileSync(join(ROOT, 'docs', 'rules.md'), 'utf8');
  const [, file = ''] = /^```yaml\n(.*?)^```$/ms.exec(text) ?? [];
  expect(file).toMatch(/^rules:/);
  expect(fits(parse(file)), ajv.errorsText(fits.errors)).toBe(true);
});

/** Says whether the reader takes a file. */
function isTaken(file: unknown): boolean {
  try {
    parseRuleFile(JSON.stringify(file), 'rules.json');
    return true;
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return false;
    throw error;
  }
}

/** Both answers, where they differ. */
function differing(files: readonly unknown[]): readonly object[] {
  return files.flatMap((file) => {
    const found = { file, isTaken: isTaken(file), fits: fits(file) };
    return found.isTaken === found.fits ? [] : [found];
  });
}

const fileOf = (rule: object): object => ({ rules: [{ id: 'rule', ...rule }] });

describe('the schema of rule files allows what the reader takes, and nothing else', () => {
  it.each(FIELDS)('whatever %s of a rule is', (name, rule, values) => {
    const files = values.map((value) => fileOf({ ...rule, [name]: value }));
    expect(files.length).toBeGreaterThan(0);
    expect(differing(files)).toEqual([]);
  });

  it('whichever field of a rule is left out', () => {
    const files = [
      { id: 'rule', ...BASE },
      { id: 'rule', ...SINGLE },
    ].flatMap((rule) =>
      Object.keys(rule).map((left) => ({
        rules: [Object.fromEntries(Object.entries(rule).filter(([name]) => name !== left))],
      })),
    );
    expect(differing(files)).toEqual([]);
    expect(files.filter((file) => fits(file))).toEqual([]);
  });

  const exact = { rolling: 'PT3S', step: 'exact' };
  const count = { per: ['user'], max: { count: 1 }, window: 'lifetime' };
  const window = (unit: string, more: object) => ({ unit, timeZone: 'UTC', ...more });
  const since = { attribute: 'joined' };

  // prettier-ignore
  it.each([
    { rule: { ...SINGLE, max: undefined, min: { amount: 1 } }, why: 'a minimum may be alone' },
    { rule: { ...SINGLE, max: undefined }, why: 'a maximum is needed without a minimum' },
    { rule: { ...BASE, min: { amount: 1 } }, why: 'a minimum is of single transactions' },
    { rule: { ...SINGLE, refunds: {} }, why: 'a single transaction counts nothing' },
    { rule: { ...SINGLE, counts: { type: 'A' } }, why: 'a single transaction counts nothing' },
    { rule: { ...SINGLE, appliesTo: { type: 'A' } }, why: 'it says what it applies to' },
    { rule: { ...count, max: { distinct: { card: 3 } } }, why: 'different values need no currency' },
    { rule: { ...count, max: { distinct: { card: 3 } }, currency: 'CNY' }, why: 'they have none' },
    { rule: { ...count, max: { distinct: { card: 3 }, count: 3 } }, why: 'one rule, one count' },
    { rule: { ...count, max: { distinct: { card: 3 } }, window: 'transaction' }, why: 'one order has one value' },
    { rule: { ...count, max: { distinct: { card: 3 } }, window: { rolling: 'PT1H' } }, why: 'a step has no values' },
    { rule: { ...count, max: { distinct: { card: 3 } }, window: window('day', {}) }, why: 'a day has' },
    { rule: { ...count, min: {} }, why: 'no minimum is one' },
    { rule: { ...count, window: 'transaction', min: { amount: 1 } }, why: 'it has no currency' },
    { rule: { ...count, refunds: { count: false } }, why: 'counts have no currency' },
    { rule: { ...count, refunds: { amount: false } }, why: 'amounts have a currency' },
    { rule: { ...count, digits: 6 }, why: 'digits are of a currency' },
    { rule: { ...BASE, match: {}, counts: {} }, why: 'match is short for it' },
    { rule: { ...BASE, match: {}, appliesTo: {} }, why: 'match is short for it' },
    { rule: { ...BASE, counts: {}, appliesTo: {} }, why: 'both may stand' },
    { rule: { ...count, window: exact }, why: 'an exact window has a maximum of counts' },
    { rule: { ...count, window: exact, max: { count: 0 } }, why: 'of 1 at least' },
    { rule: { ...count, window: exact, max: { count: 100 } }, why: 'of 100 at most' },
    { rule: { ...count, window: exact, max: { count: 101 } }, why: 'of 100 at most' },
    { rule: { ...BASE, window: exact, max: { amount: 1 } }, why: 'of counts' },
    { rule: { ...count, window: exact, appliesTo: {} }, why: 'it is asked about all it counts' },
    { rule: { ...count, window: window('week', { weekStart: 'monday' }) }, why: 'of weeks' },
    { rule: { ...count, window: window('day', { weekStart: 'monday' }) }, why: 'of weeks' },
    { rule: { ...count, window: window('hour', { dayStart: '04:00' }) }, why: 'of days' },
    { rule: { ...count, window: window('month', { dayStart: '04:00' }) }, why: 'and longer' },
    { rule: { ...count, window: window('week', { monthDay: 5 }) }, why: 'of months' },
    { rule: { ...count, window: window('year', { monthDay: 5 }) }, why: 'and longer' },
    { rule: { ...count, window: window('day', { closed: {} }) }, why: 'something is closed' },
    { rule: { ...count, window: window('day', { closed: { days: 'sunday' }, every: 1 }) }, why: 'business days come one by one' },
    { rule: { ...count, window: window('day', { closed: { days: 'sunday' }, since }) }, why: 'and begin by themselves' },
    { rule: { ...count, window: window('week', { closed: { days: 'sunday' } }) }, why: 'of days alone' },
    { rule: { ...count, window: window('hour', { since }) }, why: 'no hour begins on a date' },
    { rule: { ...count, window: window('week', { since }) }, why: 'a week does' },
    { rule: { ...count, window: window('week', { since, weekStart: 'sunday' }) }, why: 'on the day of that' },
    { rule: { ...count, window: window('month', { since, monthDay: 1 }) }, why: 'on the day of that' },
  ])('where fields must agree: $why ($rule)', ({ rule }) => {
    expect(differing([fileOf(rule)])).toEqual([]);
  });

  it.each([
    ...[6, { digits: 6 }, { digits: 13 }, {}, { digits: 6, more: 1 }].map((USDT) => ({
      currencies: { USDT },
      rules: [{ id: 'rule', ...BASE, currency: 'USDT' }],
    })),
    ...[{}, [], 5, { usdt: { digits: 6 } }].map((currencies) => ({ currencies, rules: [] })),
    ...[{}, [], null, { rules: null }, { rules: [], more: 1 }, { rules: [] }, { rules: [5] }],
  ])('where a file is %j', (file) => {
    expect(differing([file])).toEqual([]);
  });
});

it.each([
  { rule: { ...SINGLE, min: { amount: 9_000 } }, why: 'which of two numbers is larger' },
  { rule: { ...BASE, window: { unit: 'day', timeZone: 'Asia/Atlantis' } }, why: 'time zones' },
  { rule: { ...BASE, window: { rolling: 'PT0S' } }, why: 'how long a duration is' },
  { rule: { ...BASE, digits: 2 }, why: 'which currencies ISO 4217 has' },
  {
    rule: { ...BASE, from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    why: 'which of two instants is earlier',
  },
])('only the reader knows $why', ({ rule }) => {
  expect([fits(fileOf(rule)), isTaken(fileOf(rule))]).toEqual([true, false]);
});
