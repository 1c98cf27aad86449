import { describe, expect, it } from 'vitest';
import type { CheckRequest } from '../../lib/shared/request.ts';
import { checkCall } from '../../lib/edge/calls.ts';
import { asRead, mistakesIn as mistakesOf, unrun } from '../support/as-read.ts';

const LEAST = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 100, currency: 'CNY' };
const TEXT = 'text of 1 to 256 characters, without U+0000, U+FFFD and half surrogate pairs';
const AMOUNT = 'a whole number from 0 to 1000000000000000';
const KIND = expect.stringMatching(/^a subject kind: 1 to 32 letters and digits/) as string;
const NAME = expect.stringMatching(/^an attribute name: 1 to 64 letters and digits/) as string;

const CALL = checkCall(unrun);
const read = (body: unknown): CheckRequest => asRead(CALL, body).order;
const mistakesIn = (text: string) => mistakesOf(CALL, text);

/** `{ kind00: '0', … }` with so many entries. */
function many(entries: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: entries }, (_, index) => [`k${index}`, 'x']));
}

describe('a check that says the least', () => {
  it('is one transaction, held for 15 minutes', () => {
    expect(read(LEAST)).toEqual({
      appId: 'shop',
      orderId: 'o-1',
      subjects: { user: 'u-1' },
      amountMinor: 100,
      currency: 'CNY',
      count: 1,
      attributes: {},
      holdMs: 900_000,
      capture: false,
      dryRun: false,
    });
  });
});

describe('a check that says everything', () => {
  it('is read field by field', () => {
    const attributes = { channel: 'app', verified: false, level: -3 };
    const body = { ...LEAST, type: 'PAYMENT', count: 2, attributes, hold: 'PT1H30M' };
    expect(read({ ...body, partial: { min: 100 }, capture: true, dryRun: true })).toEqual({
      appId: 'shop',
      leastMinor: 100,
      orderId: 'o-1',
      type: 'PAYMENT',
      subjects: { user: 'u-1' },
      amountMinor: 100,
      currency: 'CNY',
      count: 2,
      attributes,
      holdMs: 5_400_000,
      capture: true,
      dryRun: true,
    });
  });
});

describe('edge-1: ids', () => {
  it.each([
    { id: '$NOW', why: 'it names a variable of the database' },
    { id: '$$ROOT', why: 'so does this' },
    { id: '$set', why: 'it names a stage' },
    { id: 'a.b', why: 'a dot is a path in the database' },
    { id: '__proto__', why: 'as a value it is text' },
    { id: 'constructor', why: 'as a value it is text' },
    { id: 'a:b', why: 'a colon joins kind and id' },
    { id: 'a\\:b', why: 'a backslash escapes the colon' },
    { id: ' u-1 ', why: 'spaces are part of it' },
    { id: '👩‍👩‍👧‍👦', why: 'an emoji is several code points' },
    { id: 'аdmin', why: 'the first letter is Cyrillic and stays so' },
    { id: 'e\u0301', why: 'it is not normalized to é' },
    { id: '\u0001\t\n', why: 'control characters but U+0000 can be stored' },
    { id: 'x', why: '1 character is the least' },
    { id: 'x'.repeat(256), why: '256 characters are the most' },
    { id: '👍'.repeat(256), why: 'a character beyond U+FFFF is one character' },
  ])('$id is kept as it is, because $why', ({ id }) => {
    const request = read({
      ...LEAST,
      orderId: id,
      subjects: { user: id },
      attributes: { note: id },
    });
    expect([request.orderId, request.subjects.user, request.attributes.note]).toEqual([id, id, id]);
  });

  it.each([
    { id: '""', why: 'it names nobody' },
    { id: `"${'x'.repeat(257)}"`, why: '256 characters are the most' },
    { id: `"${'👍'.repeat(257)}"`, why: 'characters beyond U+FFFF are counted, too' },
    { id: '"a\\u0000b"', why: 'U+0000 ends a string elsewhere' },
    { id: '"\\ud800"', why: 'half a surrogate pair cannot be stored' },
    { id: '"a\\udc00b"', why: 'nor can the other half' },
    { id: '"\ufffd"', why: 'a lost character makes different ids alike' },
    { id: '1', why: 'a number is no text' },
    { id: 'null', why: 'null is no text' },
    { id: '["u-1"]', why: 'a list is no text' },
    { id: '{"$ne":null}', why: 'an operator is no text' },
  ])('$id is refused, because $why', ({ id }) => {
    const text = `{"orderId":${id},"subjects":{"user":${id}},"amount":1,"currency":"CNY","attributes":{"note":"x"}}`;
    expect(mistakesIn(text)).toMatchObject([
      { path: 'orderId', expected: TEXT },
      { path: 'subjects.user', expected: TEXT },
    ]);
  });
});

describe('edge-2: amounts', () => {
  it.each([
    { amount: '0', is: 0, why: 'zero is an amount' },
    { amount: '1', is: 1, why: 'one is' },
    { amount: '1000000000000000', is: 1_000_000_000_000_000, why: 'it is the most' },
    { amount: '10.0', is: 10, why: 'JSON has one kind of number, and this one is whole' },
    { amount: '1e3', is: 1_000, why: 'so is this' },
    { amount: '1E15', is: 1_000_000_000_000_000, why: 'so is this, and the most' },
    { amount: '1.5e1', is: 15, why: 'so is this' },
    { amount: '-0', is: 0, why: 'it is zero' },
  ])('$amount is $is, because $why', ({ amount, is }) => {
    const text = JSON.stringify(LEAST).replace('100', amount);
    expect(read(text).amountMinor).toBe(is);
  });

  it.each([
    { amount: '-1', why: 'it is negative' },
    { amount: '1.5', why: 'minor units have no parts' },
    { amount: '0.1', why: 'minor units have no parts' },
    { amount: '"10"', why: 'text is no number' },
    { amount: 'null', why: 'null is no number' },
    { amount: 'true', why: 'true is no number' },
    { amount: '1000000000000001', why: 'it is one more than the most' },
    { amount: '9007199254740992', rounded: true, why: '2^53 is where numbers stop being exact' },
    { amount: '9007199254740993', rounded: true, why: 'JSON.parse makes 2^53 of it' },
    { amount: '-9007199254740993', rounded: true, why: 'nor below zero' },
    { amount: '1e400', rounded: true, why: 'JSON.parse makes Infinity of it' },
    { amount: '1e-400', rounded: true, why: 'JSON.parse makes 0 of it' },
    { amount: '1.00000000000000000001', rounded: true, why: 'JSON.parse makes 1 of it' },
    { amount: '99999999999999999999', rounded: true, why: 'JSON.parse makes 10^20 of it' },
  ])('$amount is refused and shown as it was written, because $why', ({ amount, rounded }) => {
    const text = JSON.stringify(LEAST).replace('100', amount);
    const [mistake, ...others] = mistakesIn(text);
    expect(others).toEqual([]);
    expect(mistake).toMatchObject({ path: 'amount', value: amount });
    expect(mistake?.expected).toBe(rounded ? 'a number that is read without rounding' : AMOUNT);
  });

  it.each([
    { amount: '[1]', value: 'a list of 1' },
    { amount: '{"$numberLong":"1"}', value: 'an object with "$numberLong"' },
  ])('$amount is refused', ({ amount, value }) => {
    const text = JSON.stringify(LEAST).replace('100', amount);
    expect(mistakesIn(text)).toEqual([{ path: 'amount', value, expected: AMOUNT }]);
  });
});

describe('edge-3: fields of a check', () => {
  it.each([
    { field: { type: 'a.B_9-z' }, why: 'letters, digits, dots, underscores, hyphens' },
    { field: { type: 'x'.repeat(64) }, why: '64 characters are the most' },
    { field: { currency: 'XXX' }, why: 'three letters are the least' },
    { field: { currency: 'POINTS2026AB' }, why: 'twelve are the most' },
    { field: { count: 1_000_000 }, why: 'a million is the most' },
    { field: { hold: 'PT1S' }, why: 'a second is the least' },
    { field: { hold: 'P7D' }, why: 'seven days are the most' },
    { field: { subjects: many(10) }, why: 'ten subjects are the most' },
    { field: { attributes: many(50) }, why: 'fifty attributes are the most' },
    { field: { attributes: { ['a'.repeat(64)]: 1 } }, why: '64 characters are the most' },
    { field: { subjects: { ['a'.repeat(32)]: 'x' } }, why: '32 characters are the most' },
    { field: { attributes: { level: 9_007_199_254_740_991 } }, why: 'it is exact' },
  ])('$field is accepted, because $why', ({ field }) => {
    expect(() => read({ ...LEAST, ...field })).not.toThrow();
  });

  // prettier-ignore
  it.each([
    { field: { type: '' },                            path: 'type',                       why: 'it is empty' },
    { field: { type: 'a b' },                         path: 'type',                       why: 'a space is no letter' },
    { field: { type: 'x'.repeat(65) },                path: 'type',                       why: '64 characters are the most' },
    { field: { type: null },                          path: 'type',                       why: 'null is not the same as absent' },
    { field: { currency: 'cny' },                     path: 'currency',                   why: 'it is not in capitals' },
    { field: { currency: 'CN' },                      path: 'currency',                   why: 'it is too short' },
    { field: { currency: 'POINTS2026ABC' },           path: 'currency',                   why: 'it is too long' },
    { field: { currency: 156 },                       path: 'currency',                   why: 'a number is no code' },
    { field: { count: 0 },                            path: 'count',                      why: 'it counts nothing' },
    { field: { count: 1_000_001 },                    path: 'count',                      why: 'a million is the most' },
    { field: { count: 1.5 },                          path: 'count',                      why: 'a count is whole' },
    { field: { hold: 'PT0S' },                        path: 'hold',                       why: 'it holds nothing' },
    { field: { hold: 'PT0.999S' },                    path: 'hold',                       why: 'a second is the least' },
    { field: { hold: 'P7DT0.001S' },                  path: 'hold',                       why: 'seven days are the most' },
    { field: { hold: 'P1M' },                         path: 'hold',                       why: 'months differ' },
    { field: { hold: '15 minutes' },                  path: 'hold',                       why: 'it is no ISO 8601' },
    { field: { hold: '-PT1M' },                       path: 'hold',                       why: 'it is negative' },
    { field: { hold: 900 },                           path: 'hold',                       why: 'its unit is not said' },
    { field: { hold: `P${'9'.repeat(30)}D` },         path: 'hold',                       why: 'no calendar reaches so far' },
    { field: { capture: 'true' },                     path: 'capture',                    why: 'text is neither true nor false' },
    { field: { dryRun: 1 },                           path: 'dryRun',                     why: 'a number is neither' },
    { field: { partial: true },                       path: 'partial',                    why: 'nobody says how little is enough' },
    { field: { partial: {} },                         path: 'partial.min',                why: 'nor here' },
    { field: { partial: { min: 0 } },                 path: 'partial.min',                why: 'nothing is of no use' },
    { field: { partial: { min: 1.5 } },               path: 'partial.min',                why: 'minor units have no parts' },
    { field: { partial: { min: 101 } },               path: 'partial.min',                why: 'it is more than the amount' },
    { field: { partial: { min: 1, max: 2 } },         path: 'partial.max',                why: 'amount is the most' },
    { field: { subjects: {} },                        path: 'subjects',                   why: 'somebody must be counted for' },
    { field: { subjects: many(11) },                  path: 'subjects',                   why: 'ten are the most' },
    { field: { subjects: [] },                        path: 'subjects',                   why: 'a list has no kinds' },
    { field: { subjects: 'user:u-1' },                path: 'subjects',                   why: 'a text has no kinds' },
    { field: { subjects: { User: 'x' } },             path: 'subjects.User',              why: 'it begins with a capital' },
    { field: { subjects: { user_id: 'x' } },          path: 'subjects.user_id',           why: 'underscores' },
    { field: { subjects: { 'a.b': 'x' } },            path: 'subjects["a.b"]',            why: 'a dot is a path' },
    { field: { subjects: { $where: 'x' } },           path: 'subjects["$where"]',         why: 'an operator' },
    { field: { subjects: { '': 'x' } },               path: 'subjects[""]',               why: 'no name' },
    { field: { subjects: { ['a'.repeat(33)]: 'x' } }, path: `subjects.${'a'.repeat(33)}`, why: '32' },
    { field: { subjects: { type: 'x' } },             path: 'subjects.type',              why: 'type is a field' },
    { field: { subjects: { currency: 'x' } },         path: 'subjects.currency',          why: 'so is currency' },
    { field: { subjects: { constructor: 'x' } },      path: 'subjects.constructor',       why: 'a trap' },
    { field: { subjects: { toString: 'x' } },         path: 'subjects.toString',          why: 'a trap' },
    { field: { attributes: { prototype: 1 } },        path: 'attributes.prototype',       why: 'a trap' },
    { field: { attributes: { type: 'x' } },           path: 'attributes.type',            why: 'type is a field' },
    { field: { attributes: many(51) },                path: 'attributes',                 why: 'fifty are the most' },
    { field: { attributes: { a: 'x'.repeat(257) } },  path: 'attributes.a',               why: '256 are the most' },
    { field: { attributes: { level: 1.5 } },          path: 'attributes.level',           why: 'rounding' },
    { field: { attributes: { level: null } },         path: 'attributes.level',           why: 'null is nothing' },
    { field: { attributes: { tags: ['a'] } },         path: 'attributes.tags',            why: 'a list' },
    { field: { attributes: { user: 'x' } },           path: 'attributes.user',            why: 'it is a subject kind' },
    { field: { surprise: 1 },                         path: 'surprise',                   why: 'a mistyped field must not be ignored' },
  ])('$path of $field is refused, because $why', ({ field, path }) => {
    const mistakes = mistakesIn(JSON.stringify({ ...LEAST, ...field }));
    expect(mistakes.map((mistake) => mistake.path)).toEqual([path]);
  });

  it('names every mistake, with its value and what was expected', () => {
    const text =
      '{"type":7,"subjects":{"User":"u"},"amount":"10","attributes":{"a b":1},"colour":"red"}';
    expect(mistakesIn(text)).toEqual([
      { path: 'orderId', expected: TEXT },
      { path: 'type', value: '7', expected: expect.stringMatching(/^a type: /) as string },
      { path: 'subjects.User', value: '"u"', expected: KIND },
      { path: 'amount', value: '"10"', expected: AMOUNT },
      { path: 'currency', expected: expect.stringMatching(/^a currency: /) as string },
      { path: 'attributes["a b"]', value: '1', expected: NAME },
      {
        path: 'colour',
        value: '"red"',
        expected:
          'only the fields orderId, type, subjects, amount, currency, count, attributes, proofs, hold, partial, capture, dryRun, report',
      },
    ]);
  });

  it('says what the least amount may be at most', () => {
    expect(mistakesIn(JSON.stringify({ ...LEAST, partial: { min: 101 } }))).toEqual([
      { path: 'partial.min', value: '101', expected: 'at most the amount, which is 100' },
    ]);
  });

  it('shortens what it repeats, and says how long it is', () => {
    const [mistake] = mistakesIn(JSON.stringify({ ...LEAST, currency: 'x'.repeat(5_000) }));
    expect(mistake?.value).toBe(`"${'x'.repeat(80)}…" (5000 characters)`);
  });

  it('counts what it shortens as it counts ids, and cuts no character in two', () => {
    const orderId = `x${'👍'.repeat(257)}`;
    const [mistake] = mistakesIn(JSON.stringify({ ...LEAST, orderId }));
    expect(mistake?.value).toBe(`"x${'👍'.repeat(39)}…" (258 characters)`);
  });

  it('lists at most 50 mistakes', () => {
    expect(mistakesIn(JSON.stringify({ ...LEAST, ...many(3_000) }))).toHaveLength(50);
  });

  it.each(['[]', '"text"', '5', 'true', 'null', '[{"orderId":"o-1"}]'])(
    '%s in place of an object is refused',
    (text) => {
      expect(mistakesIn(text)).toMatchObject([{ path: '', expected: 'a JSON object' }]);
    },
  );
});
