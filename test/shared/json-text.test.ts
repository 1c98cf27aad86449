import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReservation, reservationToken } from '../../lib/limits/reservation.ts';
import { recordDigest, requestDigest } from '../../lib/shared/digest.ts';
import { jsonText, pairsText } from '../../lib/shared/json-text.ts';
import type { CheckRequest } from '../../lib/shared/request.ts';

const anyText = fc.string({ unit: 'grapheme' });
const anyValue = fc.oneof(anyText, fc.integer(), fc.boolean());

describe('a text of JSON that is put together', () => {
  it('has each value as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(fc.oneof(anyValue, fc.constant(null)), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  it('has a record as a list of its pairs', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, anyValue), (record) => {
        expect(pairsText(Object.keys(record), record)).toBe(JSON.stringify(Object.entries(record)));
      }),
    );
  });
});

describe('a reservation', () => {
  const order = 'AAAAAAAAAAAAAAAA';
  const name = 'count-01 0hl62o';

  it.each([
    { buckets: [name], leftOut: undefined, values: undefined },
    { buckets: [`${name},${name}`, null, ''], leftOut: [['count-01'], [], []] },
    { buckets: [''], values: { k3_9aB: order } },
    { buckets: [name], leftOut: [['count-01']], values: { k3_9aB: order } },
  ])('is JSON of $buckets, $leftOut and $values', ({ buckets, leftOut, values }) => {
    const subjects = { user: 'u "1" ü', card: '\\' };
    const until = new Date('2026-03-02T06:15:00.000Z');
    const held = { digest: order, amount: 5, count: 1, until, buckets, leftOut };
    const token = reservationToken({
      order,
      nonce: 'n',
      kinds: ['user', 'card'],
      subjects,
      held: values === undefined ? held : { ...held, values },
    });
    const last = values === undefined ? [] : [Object.entries(values)];
    const left = leftOut === undefined && values === undefined ? [] : [leftOut ?? null];
    expect(Buffer.from(token, 'base64url').toString('utf8')).toBe(
      JSON.stringify([
        ...[4, order, 'n', ['user', 'card'], Object.entries(subjects)],
        ...[order, 5, 1, until.getTime(), buckets, ...left, ...last],
      ]),
    );
  });

  it('that was written by JSON.stringify is read', () => {
    const content = [4, order, 'n', ['user'], [['user', 'u "1" ü']], order, 5, 1, 0, [name]];
    const token = Buffer.from(JSON.stringify(content), 'utf8').toString('base64url');
    expect(readReservation(token)?.held?.buckets).toEqual([name]);
  });
});

describe('the stored digest of', () => {
  const plain: CheckRequest = {
    ...{ appId: 'shop', orderId: 'o-1', subjects: { user: 'u-1' }, amountMinor: 0, count: 2 },
    ...{ currency: 'JPY', attributes: {}, holdMs: 1000, capture: true, dryRun: false },
    leastMinor: 5,
  };
  const order: CheckRequest = {
    ...{ appId: 'shop', orderId: 'o-1', type: 'PAY', amountMinor: 2500, count: 1 },
    subjects: { user: 'u-1', merchant: 'M "5" ü' },
    attributes: { channel: 'app', vip: true, level: 3 },
    ...{ currency: 'CNY', holdMs: 900_000, capture: false, dryRun: false },
  };

  it.each([
    { request: order, digest: 'LOLNMjViG0vrQ54A' },
    { request: plain, digest: 'ZExZK75pii1pIYuA' },
  ])('a check of $request.orderId stays $digest', ({ request, digest }) => {
    expect(requestDigest(request)).toBe(digest);
  });

  it.each([
    { ending: undefined, digest: '5ZhTflC6aXwRoQAg' },
    { ending: { to: 'rolledBack' as const }, digest: 'onVpLrxvB7m8ixfF' },
    { ending: { to: 'rolledBack' as const, reasonCode: 'no-funds' }, digest: 'WreBg3AuhVQ2kVr8' },
  ])('a record that ends with $ending stays $digest', ({ ending, digest }) => {
    const happenedAt = new Date('2026-03-02T06:15:00.000Z');
    expect(recordDigest({ ...order, happenedAt, ending })).toBe(digest);
  });
});
