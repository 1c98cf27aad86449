import { describe, expect, it } from 'vitest';
import { readJsonText } from '../../lib/http/json-text.ts';
import { mistakesOf } from '../support/as-read.ts';

const refusal = (text: string) => mistakesOf(() => readJsonText(text));

describe('a body that is no JSON', () => {
  it.each([
    { text: '', value: undefined, why: 'it is empty' },
    { text: ' \n', value: undefined, why: 'it is blank' },
    { text: '{', value: '"{"', why: 'it ends too early' },
    { text: '{"amount":NaN}', value: '"{\\"amount\\":NaN}"', why: 'JSON has no NaN' },
    { text: '{"amount":Infinity}', value: '"{\\"amount\\":Infinity}"', why: 'nor Infinity' },
    { text: '{"amount":010}', value: '"{\\"amount\\":010}"', why: 'nor octal numbers' },
    { text: '{"amount":+1}', value: '"{\\"amount\\":+1}"', why: 'nor plus signs' },
    { text: '{"a":1,}', value: '"{\\"a\\":1,}"', why: 'nor a comma at the end' },
    { text: "{'a':1}", value: '"{\'a\':1}"', why: 'nor single quotation marks' },
    { text: 'orderId=o-1&amount=5', value: '"orderId=o-1&amount=5"', why: 'it is a form' },
    { text: '<check/>', value: '"<check/>"', why: 'it is XML' },
    { text: '\ufeff{}', value: '"\ufeff{}"', why: 'RFC 8259 forbids the byte order mark' },
  ])('$text is refused, because $why', ({ text, value }) => {
    expect(refusal(text)).toEqual([
      {
        path: '',
        ...(value === undefined ? {} : { value: `not JSON: ${value}` }),
        expected: 'a JSON object',
      },
    ]);
  });

  it('shows no more than its beginning', () => {
    const beginning = 'x'.repeat(80);
    expect(refusal('x'.repeat(1_000))[0]?.value).toBe(
      `not JSON: "${beginning}…" (1000 characters)`,
    );
  });
});

describe('the size of a body', () => {
  const of = (bytes: number): string => `{"a":"${'x'.repeat(bytes - 8)}"}`;

  it('may be 65,536 bytes', () => {
    expect(refusal(of(65_536))).toEqual([]);
  });

  it.each([
    { text: of(65_537), value: '65537 bytes', why: 'it is one more' },
    { text: of(1_048_576), value: '1048576 bytes', why: 'it is a megabyte' },
    {
      text: `{"a":"${'é'.repeat(32_765)}"}`,
      value: '65538 bytes',
      why: 'bytes count, not letters',
    },
  ])('may not be $value, because $why', ({ text, value }) => {
    expect(refusal(text)).toEqual([{ path: '', value, expected: 'at most 65536 bytes' }]);
  });
});

describe('what JSON.parse hides', () => {
  const twice = (path: string): object => ({
    path,
    value: 'there twice',
    expected: 'a field that stands once',
  });
  const trap = (path: string): object => ({
    path,
    value: 'there',
    expected: 'no field of this name',
  });
  const rounded = (path: string, value: string): object => ({
    path,
    value,
    expected: 'a number that is read without rounding',
  });

  it.each([
    { text: '{"a":1,"a":1}', found: [twice('a')], why: 'one reader takes the first, one the last' },
    { text: '{"a":1,"\\u0061":2}', found: [twice('a')], why: 'an escape spells the same name' },
    { text: '{"s":{"user":"a","user":"b"}}', found: [twice('s.user')], why: 'in objects as well' },
    { text: '{"a":[{"b":1},{"b":1,"b":2}]}', found: [twice('a[1].b')], why: 'and in lists' },
    { text: '{"__proto__":{"x":1}}', found: [trap('__proto__')], why: 'it would pollute' },
    { text: '{"s":{"constructor":"x"}}', found: [trap('s.constructor')], why: 'it is inherited' },
    { text: '{"s":{"toString":"x"}}', found: [trap('s.toString')], why: 'it is inherited' },
    { text: '{"a":9007199254740993}', found: [rounded('a', '9007199254740993')], why: 'it is odd' },
    { text: '{"a":9007199254740993.0}', found: [rounded('a', '9007199254740993.0')], why: 'so' },
    { text: '{"a":[1,1e400]}', found: [rounded('a[1]', '1e400')], why: 'it is not infinite' },
    {
      text: '{"a":1.00000000000000001}',
      found: [rounded('a', '1.00000000000000001')],
      why: 'not 1',
    },
  ])('$text: is found, because $why', ({ text, found }) => {
    expect(refusal(text)).toEqual(found);
  });

  it.each([
    { text: '{"a":{"b":1},"c":{"b":1}}', why: 'the same name in two objects' },
    {
      text: '{"a":"a","b":"a","c":"\\"b\\":1,\\"b\\":2"}',
      why: 'values may be equal, and hold JSON',
    },
    { text: '{"a":"__proto__"}', why: 'a value is no name' },
    { text: '{"a":["x","x"]}', why: 'a list has no names' },
    { text: '{"a":"\\\\","b":"\\\\\\""}', why: 'backslashes before quotation marks' },
    { text: '{"a":1.5,"b":0.1,"c":-0,"d":0.0,"e":1e3,"f":10.00}', why: 'nothing is lost' },
    { text: '{"a":9007199254740991.0}', why: 'the largest whole number may have a fraction of 0' },
  ])('$text is all there is, because $why', ({ text }) => {
    expect(readJsonText(text)).toEqual(JSON.parse(text));
  });

  it('pollutes nothing', () => {
    refusal('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined(); // what an attack would add
  });
});
