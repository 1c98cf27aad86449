import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidConfigurationError } from '../../lib/shared/errors.ts';
import { parseRuleFile, ruleFileOf } from '../../cli/rules/rule-file.ts';

function problems(text: string): InvalidConfigurationError {
  try {
    parseRuleFile(text, 'limits.yaml');
  } catch (error) {
    if (error instanceof InvalidConfigurationError) return error;
    throw error;
  }
  throw new Error('the rules were accepted');
}

const RULE = 'per: [user], max: { count: 1 }, window: lifetime';

describe('a rule file', () => {
  it('gives the rules as they are written, ready to be stored', () => {
    const text = `
rules:
  - id: user-day # the day
    title: { en: Daily limit, zh: 单日累计限额 }
    per: [user]
    currency: CNY
    window: { unit: day, timeZone: Asia/Shanghai, dayStart: 23:00 }
    max: { amount: 5000000, count: 20 }
    from: 2026-01-01T00:00:00+08:00
`;
    expect(parseRuleFile(text, 'limits.yaml')).toEqual([
      {
        id: 'user-day',
        title: { en: 'Daily limit', zh: '单日累计限额' },
        per: ['user'],
        currency: 'CNY',
        window: { unit: 'day', timeZone: 'Asia/Shanghai', dayStart: '23:00' },
        max: { amount: 5_000_000, count: 20 },
        from: '2026-01-01T00:00:00+08:00',
      },
    ]);
  });

  it('may be JSON', () => {
    const rule = { id: 'a', per: ['user'], max: { count: 1 }, window: 'lifetime' };
    expect(parseRuleFile(JSON.stringify({ rules: [rule] }), 'limits.json')).toEqual([rule]);
  });

  it('may repeat parts by reference', () => {
    const text = `rules: [{ id: a, per: &p [user], max: { count: 1 }, window: lifetime }, { id: b, per: *p, max: { count: 1 }, window: lifetime }]`;
    expect(parseRuleFile(text, 'limits.yaml').map(({ per }) => per)).toEqual([['user'], ['user']]);
  });

  it('may hold 1,000 rules and no rule', () => {
    const rules = (count: number): string =>
      `rules: [${Array.from({ length: count }, (_, index) => `{ id: r${index}, ${RULE} }`).join(', ')}]`;
    expect(parseRuleFile(rules(1_000), 'limits.yaml')).toHaveLength(1_000);
    expect(parseRuleFile('rules: []', 'limits.yaml')).toEqual([]);
    expect(problems(rules(1_001)).mistakes).toEqual([
      { path: 'rules', value: 'a list of 1001', expected: 'a list of at most 1000 rules' },
    ]);
  });

  it('is loaded by npm start: the example has no mistake', () => {
    const path = join(import.meta.dirname, '..', '..', 'examples', 'rules.yaml');
    expect(parseRuleFile(readFileSync(path, 'utf8'), path).length).toBeGreaterThan(10);
  });
});

describe('currencies of a rule file', () => {
  const COIN = 'per: [user], currency: USDT, window: lifetime, max: { amount: 5000000 }';
  const DIGITS = 'currencies: { USDT: { digits: 6 } }';
  const fileOf = (...rules: readonly string[]): string => `rules: [${rules.join(', ')}]`;

  it('give their digits to each rule of the currency, which is stored with them', () => {
    const text = `${DIGITS}\n${fileOf(`{ id: a, ${COIN} }`, `{ id: b, ${RULE} }`, `{ id: c, ${COIN}, digits: 6 }`)}`;
    const rules = parseRuleFile(text, 'limits.yaml');
    expect(rules.map(({ id, digits }) => [id, digits])).toEqual([
      ...[['a', 6] as const, ['b', undefined] as const, ['c', 6] as const],
    ]);
    expect(parseRuleFile(JSON.stringify(ruleFileOf(rules)), 'again')).toEqual(rules);
  });

  // prettier-ignore
  it.each([
    { text: `currencies: { CNY: { digits: 2 } }\n${fileOf(`{ id: a, ${RULE}, currency: CNY }`)}`, path: 'currencies.CNY.digits', expected: 'nothing here: ISO 4217 says 2' },
    { text: `currencies: { USTD: { digits: 6 } }\n${fileOf(`{ id: a, ${COIN} }`)}`, path: 'currencies.USTD.digits', expected: 'nothing here: no rule has this currency' },
    { text: `${DIGITS}\n${fileOf(`{ id: a, ${COIN}, digits: 8 }`)}`, path: 'rules[0].digits', expected: '6, as currencies says' },
    { text: fileOf(`{ id: a, ${COIN} }`, `{ id: b, ${COIN}, digits: 6 }`), path: 'rules[b].digits', expected: 'nothing here, as in the other rules of USDT' },
    { text: fileOf(`{ id: a, ${RULE}, currency: HUF, digits: 0 }`), path: 'rules[a].digits', expected: 'nothing here: ISO 4217 says 2 for HUF' },
    { text: fileOf(`{ id: a, ${RULE}, digits: 6 }`), path: 'rules[a].digits', expected: 'nothing here: the rule has no currency' },
    { text: `currencies: { USDT: 6 }\n${fileOf(`{ id: a, ${COIN} }`)}`, path: 'currencies.USDT', expected: 'an object of currencies, each with its digits: { USDT: { digits: 6 } }' },
    { text: `currencies: { USDT: { digits: 13 } }\n${fileOf(`{ id: a, ${COIN} }`)}`, path: 'currencies.USDT.digits', expected: 'a whole number from 0 to 12' },
  ])('are refused where nobody could tell the digits: $expected', ({ text, path, expected }) => {
    expect(problems(text).mistakes).toMatchObject([{ path, expected }]);
  });
});

describe('a rule file that cannot be read', () => {
  // prettier-ignore
  it.each([
    { text: '', says: 'the value is null, expected an object with the field rules, and perhaps currencies', why: 'empty' },
    { text: '- id: a', says: 'the value is a list of 1, expected an object', why: 'a bare list' },
    { text: 'rules: 5', says: 'rules is 5, expected a list of rules', why: 'a number' },
    { text: 'rule: []', says: 'rule is a list of 0, expected an object with', why: 'a mistyped name' },
    { text: 'rules: [', says: 'is no YAML (', why: 'an open bracket' },
    { text: 'rules:\n  - { id: a, id: b }', says: 'line 2, column 14 is no YAML (Map keys must be unique)', why: 'a field that stands twice' },
    { text: 'rules: []\n---\nrules: []', says: 'is no YAML (', why: 'two documents' },
    { text: 'rules: !!js/function "x"', says: 'is no YAML (Unresolved tag', why: 'a tag' },
    { text: '{"rules": [}', says: 'is no YAML (', why: 'broken JSON' },
    { text: '['.repeat(50_000), says: 'is no YAML (', why: 'a depth bomb' },
    { text: `#${'x'.repeat(2_097_152)}`, says: 'expected at most 2097152', why: 'two megabytes' },
  ])('is refused: $why', ({ text, says }) => {
    expect(problems(text).message).toContain(says);
  });

  it('is refused when references unfold without end', () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x,x]'];
    for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg', 'gh'])
      lines.push(
        `${to ?? ''}: &${to ?? ''} [${Array<string>(10)
          .fill(`*${from ?? ''}`)
          .join(',')}]`,
      );
    expect(problems([...lines, 'rules: *h'].join('\n')).message).toContain('alias count');
  });
});

describe('a rule file with more mistakes than anybody reads', () => {
  it('is refused with the first 50, and how many more there are', () => {
    const rules = Array.from({ length: 1_000 }, (_, index) => `{ id: r-${index}, hue: red }`);
    const { mistakes, message } = problems(`rules: [${rules.join(', ')}]`);
    expect(mistakes).toHaveLength(50);
    expect(message.split('\n')).toHaveLength(52);
    expect(message).toMatch(/\n {2}- and \d{4} more$/);
  });

  it('is refused shortly where what is wrong is long', () => {
    const tag = 'x'.repeat(10_000);
    const { message } = problems(`rules: [${`!${tag} a, `.repeat(60)}]`);
    expect(message).toContain('is no YAML (Unresolved tag');
    expect(message.length).toBeLessThan(20_000);
  });
});

describe('what YAML makes of unquoted text', () => {
  it.each([
    { rule: `id: no, ${RULE}`, why: 'no is a text in YAML 1.2' },
    { rule: `id: on, ${RULE}`, why: 'so is on' },
    { rule: `id: a, ${RULE}, match: { country: NO }`, why: 'Norway is a text' },
    { rule: `id: a, ${RULE}, from: 2026-01-01T00:00:00Z`, why: 'an instant is a text' },
    {
      rule: 'id: a, per: [user], max: { count: 1 }, window: { unit: day, timeZone: UTC, dayStart: 00:30 }',
      why: 'a time of day is a text, and not 30 seconds',
    },
  ])('{ $rule } is right, because $why', ({ rule }) => {
    expect(() => parseRuleFile(`rules: [{ ${rule} }]`, 'limits.yaml')).not.toThrow();
    expect(() => parseRuleFile(`%YAML 1.1\n---\nrules: [{ ${rule} }]`, 'x')).not.toThrow();
  });

  // prettier-ignore
  it.each([
    { rule: `id: 007, ${RULE}`, path: 'rules[0].id', value: '7', why: 'it is a number' },
    { rule: `id: 1e3, ${RULE}`, path: 'rules[0].id', value: '1000', why: 'it is a number' },
    { rule: `id: null, ${RULE}`, path: 'rules[0].id', value: 'null', why: 'it is nothing' },
    { rule: `id: true, ${RULE}`, path: 'rules[0].id', value: 'true', why: 'it is true' },
    { rule: `id: a, ${RULE}, currency: 156`, path: 'rules[a].currency', value: '156', why: 'a number' },
    { rule: `id: a, ${RULE}, from: 2026-01-01`, path: 'rules[a].from', value: '"2026-01-01"', why: 'a date has no zone' },
    { rule: 'id: a, per: [user], currency: CNY, max: { amount: 1_000 }, window: lifetime', path: 'rules[a].max.amount', value: '"1_000"', why: 'underscores are text in YAML 1.2' },
    { rule: 'id: a, per: [user], currency: CNY, max: { amount: .inf }, window: lifetime', path: 'rules[a].max.amount', value: 'Infinity', why: 'no amount is infinite' },
  ])('{ $rule } is named, because $why', ({ rule, path, value }) => {
    expect(problems(`rules: [{ ${rule} }]`).mistakes).toMatchObject([{ path, value }]);
  });
});

describe('a mistyped field', () => {
  // prettier-ignore
  it.each([
    { rule: 'id: a, per: [user], max: { amont: 1 }, window: lifetime', path: 'max.amont', like: 'amount' },
    { rule: 'id: a, per: [user], max: { count: 1 }, min: { cuont: 1 }, window: transaction', path: 'min.cuont', like: 'count' },
    { rule: `id: a, ${RULE}, refunds: { Amount: true }`, path: 'refunds.Amount', like: 'amount' },
    { rule: 'id: a, per: [user], max: { count: 1 }, window: { unit: day, timeZone: UTC, timezone: UTC }', path: 'window.timezone', like: 'timeZone' },
    { rule: `id: a, ${RULE}, curency: CNY`, path: 'curency', like: 'currency' },
  ])('of { $rule } is told that $like is likely meant', ({ rule, path, like }) => {
    const expected = expect.stringMatching(`^${like} instead \\(only the fields `) as unknown;
    expect(problems(`rules: [{ ${rule} }]`).mistakes).toContainEqual(
      expect.objectContaining({ path: `rules[a].${path}`, expected }),
    );
  });
});

it('mistakes in several rules are named by rule and field, all at once', () => {
  const text = `
rules:
  - { id: a, ${RULE}, colour: red }
  - { id: a, ${RULE} }
  - { id: B, ${RULE} }
  - { id: c, per: [user], max: {}, window: { unit: day } }
  - text
`;
  expect(problems(text).message).toBe(
    [
      'The rules of limits.yaml are wrong:',
      '  - rules[a].colour is "red", expected only the fields id, title, per, counterparts, currency, digits, match, counts, appliesTo, minus, outcome, reasonCodes, require, window, when, min, max, onExceed, refunds, from, to, mode',
      '  - rules[1].id is "a", expected an id that no other rule has',
      '  - rules[2].id is "B", expected an id as text: a lower-case letter, then up to 63 lower-case letters, digits, hyphens',
      '  - rules[c].window.timeZone is missing, expected a time zone of the IANA database, such as Asia/Shanghai',
      '  - rules[c].max is an empty object, expected an object with amount, count or both, or with distinct',
      '  - rules[4] is "text", expected an object that describes a rule',
    ].join('\n'),
  );
});
