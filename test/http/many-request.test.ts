import { describe, expect, it } from 'vitest';
import { checksCall, settlementsCall } from '../../lib/edge/many-calls.ts';
import { asRead, mistakesIn as mistakesOf, unrun } from '../support/as-read.ts';

const CHECK = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 5, currency: 'CNY' };
const END = { orderId: 'o-1', subjects: { user: 'u-1' }, status: 'SUCCESS' };
const CALLS = { checks: checksCall(unrun), settlements: settlementsCall(unrun) } as const;

function mistakesIn(call: keyof typeof CALLS, body: unknown) {
  return call === 'checks' ? mistakesOf(CALLS.checks, body) : mistakesOf(CALLS.settlements, body);
}

describe('many checks', () => {
  it('are read as single ones are, each for itself unless atomic', () => {
    const body = { orders: [CHECK, { ...CHECK, orderId: 'o-2', hold: 'PT1H' }] };
    const read = asRead(CALLS.checks, body);
    const rest = { appId: 'shop', subjects: { user: 'u-1' }, amountMinor: 5, currency: 'CNY' };
    const defaults = { count: 1, attributes: {}, capture: false, dryRun: false };
    expect(read).toEqual({
      atomic: false,
      report: 'violations',
      orders: [
        { ...rest, ...defaults, orderId: 'o-1', holdMs: 900_000 },
        { ...rest, ...defaults, orderId: 'o-2', holdMs: 3_600_000 },
      ],
    });
  });

  const LIST = 'a list of 1 to 100 orders';
  const OTHER = { ...CHECK, orderId: 'o-2' };
  const HIDDEN =
    '{"orderId":"o-2","orderId":"o-3","subjects":{"user":"u"},"amount":9007199254740993,"currency":"CNY"}';
  const ONCE = 'an order that stands once; it is orders[0], too';
  const KNOWN = 'only the fields orders, atomic, report';

  // prettier-ignore
  it.each([
    { body: [],                                                   why: 'a list is no object',                              found: [{ path: '', value: 'a list of 0' }] },
    { body: {},                                                   why: 'there are none',                                   found: [{ path: 'orders', expected: LIST }] },
    { body: { orders: {} },                                       why: 'that is no list',                                  found: [{ path: 'orders', expected: LIST }] },
    { body: { orders: [] },                                       why: 'it is empty',                                      found: [{ path: 'orders', expected: LIST }] },
    { body: { orders: Array(101).fill(5) },                       why: 'too many are not looked at one by one',            found: [{ path: 'orders', value: 'a list of 101', expected: LIST }] },
    { body: { orders: [5] },                                      why: '5 is no order',                                    found: [{ path: 'orders[0]', value: '5' }] },
    { body: { orders: [CHECK], atomic: 1, colour: 'red' },        why: 'the call has fields of its own',                   found: [{ path: 'atomic' }, { path: 'colour', expected: KNOWN }] },
    { body: { orders: [CHECK, CHECK, OTHER, CHECK] },             why: 'nobody knows which was meant',                     found: [{ path: 'orders[1].orderId', value: '"o-1"', expected: ONCE }, { path: 'orders[3].orderId', expected: ONCE }] },
    { body: { orders: [{ ...CHECK, attributes: { user: 'x' } }] }, why: 'one name would mean two things',                  found: [{ path: 'orders[0].attributes.user' }] },
    { body: { orders: [{ ...CHECK, capture: true }, { ...OTHER, dryRun: true }] }, why: 'it would say nothing true',       found: [{ path: 'orders[1].dryRun', expected: 'no dry run among many orders' }] },
    { body: { orders: [{ ...CHECK, partial: { min: 1 } }], atomic: true }, why: 'all or none is not a part',                found: [{ path: 'orders[0].partial', value: 'an object with "min"', expected: 'no partial in an atomic call, which holds all orders whole, or none' }] },
    { body: { orders: [CHECK, { ...CHECK, orderId: 'o-2', partial: { min: 1_000_000 } }] }, why: 'it is more than the amount', found: [{ path: 'orders[1].partial.min' }] },
    { body: { orders: [{ ...CHECK, capture: true }], atomic: true }, why: 'what is counted cannot be given back',          found: [{ path: 'orders[0].capture', value: 'true' }] },
    { body: `{"orders":[${JSON.stringify(CHECK)},${HIDDEN}]}`,    why: 'what JSON.parse hides is named at its order, too', found: [{ path: 'orders[1].orderId', expected: 'a field that stands once' }, { path: 'orders[1].amount', value: '9007199254740993' }] },
  ])('are refused, because $why', ({ body, found }) => {
    const mistakes = mistakesIn('checks', body);
    expect(mistakes).toHaveLength(found.length);
    expect(mistakes).toMatchObject(found);
  });

  it('are refused with every mistake of every order, up to fifty', () => {
    const wrong = (index: number): object => ({ orderId: `o-${index}`, amount: -1, hue: 1 });
    const two = mistakesIn('checks', {
      orders: [{ ...CHECK, orderId: 'o-0' }, wrong(1), wrong(2)],
    });
    expect(two.map(({ path }) => path)).toEqual(
      [1, 2].flatMap((index) =>
        ['subjects', 'amount', 'currency', 'hue'].map((field) => `orders[${index}].${field}`),
      ),
    );
    const all = mistakesIn('checks', { orders: Array.from({ length: 100 }, (_, at) => wrong(at)) });
    expect(all).toHaveLength(50);
  });
});

describe('many settlements', () => {
  it('are read as confirms and rollbacks', () => {
    const settlements = [
      { ...END, amount: 3 },
      { orderId: 'o-2', status: 'FAIL', reservation: 'abc', reason: 'no funds' },
    ];
    const text = JSON.stringify({ settlements });
    expect(asRead(CALLS.settlements, text)).toEqual([
      {
        appId: 'shop',
        orderId: 'o-1',
        to: 'confirmed',
        whereabouts: { kind: 'subjects', subjects: { user: 'u-1' } },
        amountMinor: 3,
      },
      {
        appId: 'shop',
        orderId: 'o-2',
        to: 'rolledBack',
        whereabouts: { kind: 'reservation', token: 'abc' },
        reason: 'no funds',
      },
    ]);
  });

  it.each([
    { one: { ...END, status: 'success' }, at: '.status', why: 'states have one spelling' },
    { one: { ...END, status: undefined }, at: '.status', why: 'how it ended must be said' },
    { one: { ...END, status: 'FAIL', amount: 5 }, at: '.amount', why: 'a rollback gives back all' },
    { one: { ...END, reason: 'x' }, at: '.reason', why: 'a success needs none' },
    { one: { ...END, reservation: 'abc' }, at: '.subjects', why: 'two places could contradict' },
    { one: { ...END, currency: 'CNY' }, at: '.currency', why: 'nobody knows the field' },
    { one: { ...END, appId: 'other' }, at: '.appId', why: 'the caller is who it is' },
    { one: null, at: '', why: 'null is no settlement' },
  ])('$one is refused at its place, because $why', ({ one, at }) => {
    const settlements = [{ ...END, orderId: 'o-0' }, one];
    expect(mistakesIn('settlements', { settlements }).map(({ path }) => path)).toContain(
      `settlements[1]${at}`,
    );
  });

  it('name an order once', () => {
    const settlements = [END, { ...END, status: 'FAIL' }];
    expect(mistakesIn('settlements', { settlements })).toMatchObject([
      { path: 'settlements[1].orderId' },
    ]);
  });
});
