import { describe, expect, it } from 'vitest';
import { BODY_BYTES_MAX, MANY_BODY_BYTES_MAX } from '../../lib/shared/bounds.ts';
import { InvalidRequestError } from '../../lib/shared/errors.ts';
import { confirmCall, checkCall } from '../../lib/edge/calls.ts';
import { checksCall, settlementsCall } from '../../lib/edge/many-calls.ts';
import { readJsonText } from '../../lib/http/json-text.ts';
import { problemOf } from '../../lib/http/problems.ts';
import { recordCall } from '../../lib/record/record-call.ts';
import { readSettlementMessage } from '../../lib/edge/settle-handler.ts';
import { processorTimeOf } from '../support/elapsed.ts';
import { asRead, unrun } from '../support/as-read.ts';
import { someOf } from '../support/extent.ts';

/** Every way in which a body's text is read. */
const READERS = {
  check: (text: string) => asRead(checkCall(unrun), text),
  confirm: (text: string) => asRead(confirmCall(unrun), text),
  checks: (text: string) => asRead(checksCall(unrun), text),
  settlements: (text: string) => asRead(settlementsCall(unrun), text),
  record: (text: string) => asRead(recordCall(unrun), text),
  message: (text: string) => readSettlementMessage(text, 'shop'),
} as const;
type Reader = keyof typeof READERS;

const bytesMaxOf = (reader: Reader): number =>
  ['checks', 'settlements', 'record'].includes(reader) ? MANY_BODY_BYTES_MAX : BODY_BYTES_MAX;

/** Fifty mistakes at worst, each with 80 characters of a name and of a value, written as `\u0001`. */
const ANSWER_BYTES_MAX = 131_072;

/** The slowest body takes a third of a second on two busy cores; the slowest once took 40 minutes. */
const MS_MAX = 5_000; // of a processor

function refusal(reader: Reader, text: string): InvalidRequestError {
  try {
    READERS[reader](text);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error;
    throw error;
  }
  throw new Error('it was read');
}

/** Writes `head`, then as many parts as fit into a body, then `tail`. */
function filled(
  bytes: number,
  head: string,
  part: (index: number) => string,
  tail: string,
): string {
  const parts: string[] = [];
  let left = bytes - head.length - tail.length;
  for (let next = part(0); left > next.length; next = part(parts.length)) {
    parts.push(next);
    left -= next.length + 1;
  }
  return `${head}${parts.join(',')}${tail}`;
}

const nested = (bytes: number, open: string, middle: string, close: string): string => {
  const depth = Math.floor((bytes - middle.length) / (open.length + close.length));
  return open.repeat(depth) + middle + close.repeat(depth);
};
const named = (index: number): string => `"${index.toString(36)}":0`;
const ROUNDED = '9007199254740993,'.repeat(60).slice(0, -1);
const CONTROL = '\\u0001';

/** A body that is full of fields, below these. */
const fieldsIn = (head: string, tail: string) => (bytes: number) =>
  filled(bytes, head, named, tail);

const BODIES: readonly {
  readonly what: string;
  readonly text: (bytes: number) => string;
}[] = [
  { what: 'lists in lists', text: (bytes) => nested(bytes, '[', '', ']') },
  { what: 'lists around rounded numbers', text: (bytes) => nested(bytes, '[', ROUNDED, ']') },
  { what: 'objects in objects', text: (bytes) => nested(bytes, '{"a":', `[${ROUNDED}]`, '}') },
  { what: 'lists that never end', text: (bytes) => '['.repeat(bytes) },
  {
    what: 'long names, as deep as may be, around what is wrong',
    text: () =>
      `{"${CONTROL.repeat(80)}":`.repeat(31) +
      `{${Array.from({ length: 60 }, (_, at) => `"${CONTROL.repeat(79)}${at}":1e999`).join(',')}}` +
      '}'.repeat(31),
  },
  { what: 'unknown fields', text: fieldsIn('{', '}') },
  { what: 'unknown fields of an order', text: fieldsIn('{"orders":[{', '}]}') },
  {
    what: 'unknown fields with long names and long values',
    text: (bytes) =>
      filled(bytes, '{', (index) => `"${index}${CONTROL.repeat(79)}":"${CONTROL.repeat(90)}"`, '}'),
  },
  { what: 'one field, again and again', text: (bytes) => filled(bytes, '{', () => '"a":0', '}') },
  {
    what: 'fields that stand twice',
    text: (bytes) => filled(bytes, '{', (index) => named(Math.floor(index / 2)), '}'),
  },
  { what: 'a long name', text: (bytes) => `{"${'k'.repeat(bytes - 6)}":0}` },
  {
    what: 'a text of backslashes',
    text: (bytes) => `{"a":"${'\\\\'.repeat(Math.floor((bytes - 8) / 2))}"}`,
  },
  { what: 'subjects', text: fieldsIn('{"subjects":{', '}}') },
  { what: 'subjects of an order', text: fieldsIn('{"orders":[{"subjects":{', '}}]}') },
  { what: 'attributes of an order', text: fieldsIn('{"orders":[{"attributes":{', '}}]}') },
  { what: 'orders', text: (bytes) => filled(bytes, '{"orders":[', () => '{}', ']}') },
  { what: 'rounded numbers', text: (bytes) => filled(bytes, '[', () => '1e999', ']') },
  { what: 'a number without end', text: (bytes) => `{"amount":${'1'.repeat(bytes - 12)}}` },
  {
    what: 'a number of zeros, but for its first digit and its last',
    text: (bytes) => `{"amount":1.${'0'.repeat(bytes - 14)}1}`,
  },
];

const NAMES = Object.keys(READERS) as Reader[];

describe.each(NAMES)('the largest body of %s', (reader) => {
  it.each(someOf('largestBodies', BODIES, NAMES.indexOf(reader)))(
    'full of $what is refused shortly, in time and in length',
    async ({ text }) => {
      const body = text(bytesMaxOf(reader));
      expect(Buffer.byteLength(body)).toBeLessThanOrEqual(bytesMaxOf(reader));
      const { result, ms } = await processorTimeOf(() => {
        const error = refusal(reader, body);
        return {
          error,
          answer: JSON.stringify({ body: JSON.stringify(problemOf(error, 'r-1').body) }),
        };
      });
      const { error, answer } = result;
      expect(ms).toBeLessThan(MS_MAX);
      expect(Buffer.byteLength(answer)).toBeLessThan(ANSWER_BYTES_MAX);
      expect(error.message.length).toBeLessThan(ANSWER_BYTES_MAX);
      expect(error.mistakes.length).toBeLessThanOrEqual(50);
      for (const { path } of error.mistakes) expect(path.length).toBeLessThanOrEqual(201);
    },
  );
});

describe('the parts of a request that no answer repeats', () => {
  it('is counted', () => {
    const fields = Array.from({ length: 3_000 }, (_, index) => `"x${index}":0`).join(',');
    const body = `{"orderId":"o-1","subjects":{"user":"u-1"},${fields}}`;
    const error = refusal('confirm', body);
    expect(error.mistakes).toHaveLength(50);
    expect(error.further).toBe(2_950);
    const sentence =
      'x0 is 0, expected only the fields orderId, reservation, subjects, amount; and 2999 more, of which errors lists 49';
    expect(problemOf(error, 'r-1').body.detail).toBe(sentence);
    expect(error.message).toMatch(/x49 is 0, expected only the fields [^;]*; and 2950 more$/);
  });

  it('is counted once a place where fields stand many times', () => {
    const twice = Array.from({ length: 60 }, (_, index) => `"x${index}":0,`.repeat(5)).join('');
    const error = refusal('confirm', `{${twice}"orderId":"o-1"}`);
    expect(error.mistakes).toHaveLength(50);
    expect(error.further).toBe(10);
  });
});

describe('the depth of a body', () => {
  const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  it('may be 32', () => {
    expect(() => readJsonText(deep(32))).not.toThrow();
  });

  it.each([
    { text: deep(33), why: 'it is one more' },
    { text: '{"a":['.repeat(17) + ']}'.repeat(17), why: 'objects and lists count alike' },
    { text: '['.repeat(33), why: 'it need not end' },
  ])('may not be more: $why', ({ text }) => {
    const error = refusal('check', text);
    const expected = 'at most 32 levels of objects and lists';
    expect(error.mistakes).toEqual([{ path: '', value: 'nested more than 32 deep', expected }]);
    expect(problemOf(error, 'r-1').body.detail).toBe(
      'the request is nested more than 32 deep, expected at most 32 levels of objects and lists',
    );
  });

  it.each([
    { text: `{"a":"${'['.repeat(40)}"}`, why: 'brackets in a text open nothing' },
    { text: `{"a":"\\"${'['.repeat(40)}\\\\"}`, why: 'nor do they behind quotation marks in it' },
    { text: `[${'[],'.repeat(40)}[]]`, why: 'side by side is not deep' },
  ])('is not reached by $text, because $why', ({ text }) => {
    expect(() => readJsonText(text)).not.toThrow();
  });
});
