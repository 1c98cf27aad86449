import { describe, expect, it } from 'vitest';
import { recordCall } from '../../lib/record/record-call.ts';
import { asRead, mistakesIn, unrun } from '../support/as-read.ts';

const PAYMENT = {
  orderId: 'o-1',
  at: '2026-01-02T09:30:00+08:00',
  subjects: { user: 'u-1' },
  amount: 120_000,
  currency: 'CNY',
};

const CALL = recordCall(unrun);
const read = (orders: unknown) => asRead(CALL, { orders });

/** Places of what is wrong. */
const wrongIn = (orders: unknown) => mistakesIn(CALL, { orders }).map(({ path }) => path);

describe('a record', () => {
  it('is read with its instant, and one payment where no count is said', () => {
    expect(read([{ ...PAYMENT, type: 'PAYMENT', attributes: { vip: true } }])).toEqual([
      {
        appId: 'shop',
        orderId: 'o-1',
        happenedAt: new Date('2026-01-02T01:30:00.000Z'),
        type: 'PAYMENT',
        subjects: { user: 'u-1' },
        amountMinor: 120_000,
        currency: 'CNY',
        count: 1,
        attributes: { vip: true },
      },
    ]);
  });

  // prettier-ignore
  it.each([
    { why: 'it has no instant',                    change: { at: undefined },                   wrong: 'orders[1].at' },
    { why: 'its instant has no zone',              change: { at: '2026-01-02T09:30:00' },       wrong: 'orders[1].at' },
    { why: 'the calendar has no such day',         change: { at: '2026-02-30T09:30:00Z' },      wrong: 'orders[1].at' },
    { why: 'a payment that happened holds nothing', change: { hold: 'PT1M' },                   wrong: 'orders[1].hold' },
    { why: 'it counts at once anyway',             change: { capture: true },                   wrong: 'orders[1].capture' },
    { why: 'it cannot be tried',                   change: { dryRun: true },                    wrong: 'orders[1].dryRun' },
    { why: 'amounts are whole',                    change: { amount: 12.5 },                    wrong: 'orders[1].amount' },
    { why: 'it adds one at least',                 change: { count: 0 },                        wrong: 'orders[1].count' },
    { why: 'a match could not tell them apart',    change: { attributes: { user: 'u-2' } },     wrong: 'orders[1].attributes.user' },
  ])('with $change is none: $why', ({ change, wrong }) => {
    expect(wrongIn([PAYMENT, { ...PAYMENT, orderId: 'o-2', ...change }])).toEqual([wrong]);
  });

  it.each([
    { orders: [], why: 'there is one at least' },
    { orders: Array.from({ length: 101 }, () => PAYMENT), why: 'there are 100 at most' },
    { orders: undefined, why: 'they must be there' },
  ])('is none where $why', ({ orders }) => {
    expect(wrongIn(orders)).toEqual(['orders']);
  });

  it('names an order once: both places are told', () => {
    expect(() => read([PAYMENT, PAYMENT])).toThrow(/orders\[1\]\.orderId.*orders\[0\]/s);
  });
});
