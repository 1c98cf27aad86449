import { describe, expect, it } from 'vitest';
import { readInstant } from '../../lib/schema/instant.ts';

describe('instants', () => {
  it.each([
    { text: '2026-01-01T00:00:00Z', is: '2026-01-01T00:00:00.000Z', why: 'UTC' },
    { text: '2026-01-01T00:00:00+08:00', is: '2025-12-31T16:00:00.000Z', why: 'an offset' },
    { text: '2026-01-01T00:00:00-03:30', is: '2026-01-01T03:30:00.000Z', why: 'half hours' },
    { text: '2026-01-01T00:00:00.5Z', is: '2026-01-01T00:00:00.500Z', why: 'a fraction' },
    {
      text: '2026-01-01T00:00:00.123456+00:00',
      is: '2026-01-01T00:00:00.123Z',
      why: 'microseconds, as Python writes them',
    },
    {
      text: '2026-01-01T00:00:00.1239999Z',
      is: '2026-01-01T00:00:00.123Z',
      why: 'seven decimals of .NET, cut and not rounded',
    },
    {
      text: '2025-12-31T23:59:59.999999999Z',
      is: '2025-12-31T23:59:59.999Z',
      why: 'nanoseconds of Go and Java, which stay in their year',
    },
    {
      text: '1970-01-01T00:00:00.0000000000001Z',
      is: '1970-01-01T00:00:00.000Z',
      why: 'as many decimals as there are',
    },
    { text: '2026-01-01t23:59:59.999z', is: '2026-01-01T23:59:59.999Z', why: 'small letters' },
    { text: '2028-02-29T00:00:00Z', is: '2028-02-29T00:00:00.000Z', why: 'a leap year' },
    { text: '1970-01-01T00:00:00Z', is: '1970-01-01T00:00:00.000Z', why: 'the first' },
    { text: '9998-12-31T23:59:59Z', is: '9998-12-31T23:59:59.000Z', why: 'the last year' },
  ])('$text is read: $why', ({ text, is }) => {
    expect(readInstant(text)?.toISOString()).toBe(is);
  });

  it.each([
    { text: '2026-01-01T00:00:00', why: 'it has no zone' },
    { text: '2026-01-01', why: 'it is a date' },
    { text: '2026-01-01 00:00:00Z', why: 'RFC 3339 has a T' },
    { text: '2026-02-29T00:00:00Z', why: '2026 is no leap year' },
    { text: '2026-04-31T00:00:00Z', why: 'April has 30 days' },
    { text: '2026-13-01T00:00:00Z', why: 'there are 12 months' },
    { text: '2026-00-01T00:00:00Z', why: 'they begin with 1' },
    { text: '2026-01-01T24:00:00Z', why: 'a day ends before 24:00' },
    { text: '2026-01-01T00:60:00Z', why: 'an hour has 60 minutes' },
    { text: '2026-06-30T23:59:60Z', why: 'leap seconds have no instant here' },
    { text: '2026-01-01T00:00:00+24:00', why: 'no zone is so far' },
    { text: '2026-01-01T00:00:00.Z', why: 'a point has decimals after it' },
    { text: '2026-01-01T00:00:00,5Z', why: 'RFC 3339 has a point' },
    { text: '1969-12-31T23:59:59Z', why: 'it is before 1970' },
    { text: '9999-01-01T00:00:00Z', why: 'the end of all windows is too near' },
    { text: '9998-12-31T23:59:59-00:01', why: 'an answer would say the year 9999' },
    { text: '1767225600', why: 'seconds are no RFC 3339' },
    { text: 1_767_225_600, why: 'a number is no text' },
    { text: undefined, why: 'there is none' },
  ])('$text is none, because $why', ({ text }) => {
    expect(readInstant(text)).toBeUndefined();
  });
});
