import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { bucketName, endText, readBucketName } from '../../lib/counter/name.ts';
import { NEVER } from '../../lib/shared/bounds.ts';
import { counterKey } from '../../lib/rule/counter.ts';
import { durationMs, durationText } from '../../lib/shared/duration.ts';
import type { Reservation } from '../../lib/limits/reservation.ts';
import { readReservation, reservationToken } from '../../lib/limits/reservation.ts';
import { documentId, holdId, homeKind, visitOrder } from '../../lib/shared/subject.ts';
import { USER_DAY } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

describe('a document is named so that no id imitates another', () => {
  it.each([
    { kind: 'user', id: 'u-1', name: 'user:u-1', why: 'ordinary names stay readable' },
    { kind: 'user', id: 'a:b', name: 'user:a\\:b', why: 'a colon in an id is not a separator' },
    { kind: 'user', id: 'a\\', name: 'user:a\\\\', why: 'nor is an escape at the end' },
    { kind: 'user', id: '', name: 'user:', why: 'an empty id is a name, too' },
  ])('$kind $id: $name, because $why', ({ kind, id, name }) => {
    expect(documentId(kind, id)).toBe(name);
  });

  it('keeps orders of applications apart', () => {
    expect(holdId({ appId: 'a', orderId: 'b:c' })).not.toBe(holdId({ appId: 'a:b', orderId: 'c' }));
  });
});

describe('home', () => {
  it.each([
    { subjects: { user: 'u', card: 'c' }, kinds: ['user'], home: 'user', why: 'it is preferred' },
    {
      subjects: { merchant: 'm', card: 'c' },
      kinds: ['user'],
      home: 'card',
      why: 'of the alphabet',
    },
    {
      subjects: { card: 'c', account: 'a' },
      kinds: ['wallet', 'card'],
      home: 'card',
      why: 'of order',
    },
  ])('is $home, because $why', ({ subjects, kinds, home }) => {
    expect(homeKind(subjects, kinds)).toBe(home);
  });

  it('is visited first, then the others by document', () => {
    const subjects = { user: 'u', merchant: 'm', card: 'c' };
    expect(visitOrder(subjects, ['merchant', 'user', 'card'], 'user')).toEqual([
      'user',
      'card',
      'merchant',
    ]);
  });
});

describe('a counter', () => {
  const rule = libRule(USER_DAY);
  const key = counterKey(rule, { user: 'u-1' });

  it.each([
    { other: { ...USER_DAY, id: 'renamed' }, why: 'an id is a name' },
    { other: { ...USER_DAY, max: { amount: 1 } }, why: 'raising a maximum keeps what was used' },
    { other: { ...USER_DAY, mode: 'shadow' as const }, why: 'enforcing keeps what was used' },
    { other: { ...USER_DAY, from: new Date(0) }, why: 'dates say when, not what' },
  ])('stays the same, because $why', ({ other }) => {
    expect(counterKey(libRule(other), { user: 'u-2' })).toBe(key);
  });

  it.each([
    { other: { ...USER_DAY, currency: 'USD' }, why: 'two currencies are never added' },
    { other: { ...USER_DAY, match: { type: 'PAYMENT' } }, why: 'it counts fewer transactions' },
    { other: { ...USER_DAY, window: 'lifetime' as const }, why: 'it counts over another time' },
    { other: { ...USER_DAY, per: ['user', 'card'] as const }, why: 'it counts for other subjects' },
  ])('is another, because $why', ({ other }) => {
    expect(counterKey(libRule(other), { user: 'u-1', card: 'c' })).not.toBe(key);
  });

  it('of two kinds is one per pair', () => {
    const pair = libRule({ ...USER_DAY, per: ['user', 'card'] });
    const [a, b] = ['c-1', 'c-2'].map((card) => counterKey(pair, { user: 'u', card }));
    expect(a).not.toBe(b);
  });

  it('has 96 bits where callers choose its names, and 48 where rules alone do', () => {
    const pair = libRule({ ...USER_DAY, per: ['user', 'card'] });
    expect(key).toMatch(/^[\w-]{8}$/);
    expect(counterKey(pair, { user: 'u', card: 'c' })).toMatch(/^[\w-]{16}@/);
  });
});

describe("a bucket's name", () => {
  const end = fc.oneof(
    fc.integer({ min: 0, max: NEVER.getTime() }),
    fc.integer({ min: 0, max: NEVER.getTime() / 60_000 }).map((minutes) => minutes * 60_000),
  );

  it('says its counter and its end, to the millisecond', () => {
    fc.assert(
      fc.property(end, fc.constantFrom('ZMf9ydbP', 'ZMf9ydbP~acn~r~k3_9aB'), (endMs, counter) => {
        const bucket = { counter, until: new Date(endMs) };
        expect(readBucketName(bucketName(bucket))).toEqual(bucket);
      }),
    );
  });

  it('sorts by the end, until the year 6109', () => {
    fc.assert(
      fc.property(end, fc.integer({ min: 0, max: 120_000 }), (endMs, moreMs) => {
        fc.pre(endMs + moreMs < Date.UTC(6108, 0));
        expect(endText(endMs + moreMs) >= endText(endMs)).toBe(true);
        expect(endText(endMs + moreMs) === endText(endMs)).toBe(moreMs === 0);
      }),
    );
  });
});

describe('a reservation', () => {
  const reservation: Reservation = {
    order: 'Q_2iF-o9rT5x0aBz',
    nonce: 'nonce',
    kinds: ['user', 'merchant'],
    subjects: { user: '用户:1', merchant: '__proto__' },
  };

  it('is read as it was written', () => {
    const token = reservationToken(reservation);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(readReservation(token)).toEqual(reservation);
  });

  const { order } = reservation;
  const heldWith = (leftOut: unknown) => [
    ...[4, order, 'n', ['user'], [['user', 'u']], order, 5, 1, 1_772_000_000_000],
    ...[['count-01 0hl62o'], leftOut],
  ];
  const of = (count: number) => Array.from({ length: count }, (_, at) => [`k${at}`, 'x']);
  it.each([
    { content: [4, order, 'n', ['user', 'user'], [['user', 'u']]], why: 'a kind stands twice' },
    { content: [4, order, 'n', [], [['user', 'u']]], why: 'it has no home' },
    { content: [4, order, 'n', ['user'], [['card', 'c']]], why: 'home is no subject' },
    { content: [4, order, 'n', ['user'], [['user', 'u'.repeat(257)]]], why: 'an id is too long' },
    { content: [4, order, 'n', ['user'], [['user', '']]], why: 'an id is empty' },
    { content: [4, order, 'n', ['a\0'], [['a\0', 'u']]], why: 'no check has such a kind' },
    { content: [4, order, 'n', ['user'], [['user', 'u\0']]], why: 'no check has such an id' },
    { content: [4, order, 'n', ['constructor'], [['user', 'u']]], why: 'a kind is inherited' },
    { content: [4, order, 'n', ['k0'], of(11)], why: 'no check has eleven subjects' },
    { content: [4, order, 5, ['user'], [['user', 'u']]], why: 'the nonce is no text' },
    { content: [4, order, '\0', ['user'], [['user', 'u']]], why: 'the nonce is no name' },
    { content: [4, 'o', 'n', ['user'], [['user', 'u']]], why: 'it is of no order' },
    { content: [4, order, 'n', ['user'], [['user', 'u']], 1], why: 'there is more' },
    { content: [3, order, 'n', ['user'], [['user', 'u']]], why: 'it is of another version' },
    { content: heldWith([['count-01'], []]), why: 'more documents left something out' },
    { content: heldWith(['count-01']), why: 'what was left out is no list' },
    { content: heldWith([['$where']]), why: 'what was left out is no counter' },
    { content: { 0: 1 }, why: 'it is no list' },
  ])('is not read where $why', ({ content }) => {
    expect(readReservation(Buffer.from(JSON.stringify(content)).toString('base64url'))).toBe(
      undefined,
    );
  });

  it('says which counters a hold did not enter, in each of its documents', () => {
    const [text, leftOut] = ['count-01 0hl62o', [['count-02~n'], []]];
    const until = new Date('2026-03-02T06:15:00.000Z');
    const held = {
      digest: order,
      amount: 5,
      count: 1,
      until,
      buckets: [text, text],
      leftOut,
    };
    const token = reservationToken({ held, ...reservation });
    expect(readReservation(token)).toEqual({ held, ...reservation });
  });

  it('of ten subjects with the longest names is read', () => {
    const kinds = Array.from({ length: 10 }, (_, at) => `k${at}`.padEnd(32, 'x'));
    const [home = '', ...others] = kinds;
    const subjects = Object.fromEntries(kinds.map((kind) => [kind, '\u0001'.repeat(256)]));
    const longest: Reservation = {
      order,
      nonce: 'x'.repeat(64),
      kinds: [home, ...others],
      subjects,
    };
    const token = reservationToken(longest);
    expect(token.length).toBeLessThanOrEqual(32_768);
    expect(readReservation(token)).toEqual(longest);
  });
});

describe('a duration', () => {
  it.each([
    { text: 'PT15M', ms: 900_000 },
    { text: 'P1W', ms: 604_800_000 },
    { text: 'P1DT1H', ms: 90_000_000 },
    { text: 'PT0.021S', ms: 21 },
    { text: 'PT24H', ms: 86_400_000 },
  ])('$text is $ms ms', ({ text, ms }) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['', 'P', 'PT', 'P1Y', 'P1M', '-PT1S', 'PT1.5M', '15', 'pt1s', `PT${'9'.repeat(400)}S`])(
    'is not %j',
    (text) => {
      expect(durationMs(text)).toBe(undefined);
    },
  );

  it.each([
    { ms: 86_400_000, text: 'PT24H' },
    { ms: 1_800_000, text: 'PT30M' },
    { ms: 1_250, text: 'PT1.25S' },
    { ms: 0, text: 'PT0S' },
    { ms: 31_622_399_999, text: 'PT8783H59M59.999S' },
  ])('of $ms ms is written $text', ({ ms, text }) => {
    expect(durationText(ms)).toBe(text);
  });

  it('is written as Temporal writes it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31_622_400_000 }), (ms) => {
        const balanced = Temporal.Duration.from({ milliseconds: ms }).round({
          largestUnit: 'hour',
        });
        expect(durationText(ms)).toBe(balanced.toString());
      }),
    );
  });
});
