import { describe, expect, it } from 'vitest';
import { confirmCall, refundCall, rollbackCall } from '../../lib/edge/calls.ts';
import { asRead, mistakesIn as mistakesOf, unrun } from '../support/as-read.ts';

const BY_SUBJECTS = { orderId: 'o-1', subjects: { user: 'u-1' } };
const ONE = 'exactly one of reservation and subjects';
const TEXT = 'text of 1 to 256 characters, without U+0000, U+FFFD and half surrogate pairs';
const CALLS = { confirm: confirmCall(unrun), rollback: rollbackCall(unrun) } as const;

function mistakesIn(call: keyof typeof CALLS, body: unknown) {
  return call === 'confirm' ? mistakesOf(CALLS.confirm, body) : mistakesOf(CALLS.rollback, body);
}

const SUBJECTS = { kind: 'subjects', subjects: { user: 'u-1' } };

describe('what confirm and rollback read', () => {
  // prettier-ignore
  it.each<{ call: keyof typeof CALLS; more: object; is: object; why: string }>([
    { call: 'confirm',  more: { reservation: 'abc_-9' },             is: { whereabouts: { kind: 'reservation', token: 'abc_-9' } }, why: 'the reservation says where the hold is' },
    { call: 'confirm',  more: BY_SUBJECTS,                           is: { whereabouts: SUBJECTS },                                 why: 'the subjects say it as well' },
    { call: 'confirm',  more: { ...BY_SUBJECTS, amount: 0 },         is: { whereabouts: SUBJECTS, amountMinor: 0 },                 why: 'a final amount of zero is an amount' },
    { call: 'rollback', more: { ...BY_SUBJECTS, reason: 'no' },      is: { whereabouts: SUBJECTS, reason: 'no' },                   why: 'the reason is for the records' },
    { call: 'confirm',  more: {},                                    is: { whereabouts: { kind: 'recorded' } },                     why: 'an order alone leaves it to the audit' },
    { call: 'rollback', more: {},                                    is: { whereabouts: { kind: 'recorded' } },                     why: 'an order alone leaves it to the audit' },
  ])('$call of $more, because $why', ({ call, more, is }) => {
    const body = { orderId: 'o-1', ...more };
    const read = call === 'confirm' ? asRead(CALLS.confirm, body) : asRead(CALLS.rollback, body);
    expect(read).toEqual({ appId: 'shop', orderId: 'o-1', ...is });
  });
});

describe('what confirm and rollback refuse', () => {
  // prettier-ignore
  it.each([
    { body: { ...BY_SUBJECTS, reservation: 'abc' },                   found: { path: 'subjects', value: 'an object with "user"', expected: `${ONE}, not both` },  why: 'they could contradict each other' },
    { body: { reservation: 'abc' },                                   found: { path: 'orderId', expected: TEXT },                                         why: 'the order must be named' },
    { body: { orderId: 'o-1', reservation: '' },                      found: { path: 'reservation', value: '""' },                                        why: 'an empty text is no reservation' },
    { body: { orderId: 'o-1', reservation: 'a b' },                   found: { path: 'reservation', value: '"a b"' },                                     why: 'no reservation has a space' },
    { body: { orderId: 'o-1', reservation: 'a'.repeat(32_769) },      found: { path: 'reservation' },                                                     why: 'no reservation is so long' },
    { body: { orderId: 'o-1', subjects: {} },                         found: { path: 'subjects', value: 'an empty object', expected: '1 to 10 subjects' }, why: 'nobody is named' },
    { body: { ...BY_SUBJECTS, currency: 'CNY' },                      found: { path: 'currency', value: '"CNY"' },                                        why: 'the field is not one of theirs' },
    { body: [],                                                       found: { path: '', value: 'a list of 0' },                                          why: 'a list is no object' },
  ])('$body, because $why', ({ body, found }) => {
    expect(mistakesIn('confirm', body)).toMatchObject([found]);
    expect(mistakesIn('rollback', body)).toMatchObject([found]);
  });

  it.each([
    { amount: -1, why: 'it is negative' },
    { amount: 1.5, why: 'minor units have no parts' },
    { amount: '10', why: 'text is no number' },
    { amount: null, why: 'null is not the same as absent' },
    { amount: 1_000_000_000_000_001, why: 'it is one more than the most' },
  ])('a final amount of $amount, because $why', ({ amount }) => {
    expect(mistakesIn('confirm', { ...BY_SUBJECTS, amount })).toMatchObject([{ path: 'amount' }]);
  });

  it.each([
    { call: 'rollback', body: { ...BY_SUBJECTS, amount: 5 }, path: 'amount' },
    { call: 'confirm', body: { ...BY_SUBJECTS, reason: 'x' }, path: 'reason' },
    { call: 'rollback', body: { ...BY_SUBJECTS, reason: '' }, path: 'reason' },
    { call: 'rollback', body: { ...BY_SUBJECTS, reason: 'x'.repeat(257) }, path: 'reason' },
  ] as const)('$path in $call of $body', ({ call, body, path }) => {
    expect(mistakesIn(call, body)).toMatchObject([{ path }]);
  });
});

describe('what refund refuses', () => {
  const REFUND = { orderId: 'o-1', refundId: 'r' };
  // prettier-ignore
  it.each([
    { body: { orderId: 'o-1' },               path: 'refundId', why: 'a repeat would be a second refund' },
    { body: { ...REFUND, amount: 0 },         path: 'amount',   why: 'it is nothing' },
    { body: { ...REFUND, amount: 1.5 },       path: 'amount',   why: 'it is no unit' },
    { body: { orderId: 'o-1', refundId: '' }, path: 'refundId', why: 'it names nothing' },
    { body: { refundId: 'r-1' },              path: 'orderId',  why: 'nobody knows of what' },
    { body: { ...REFUND, currency: 'CNY' },   path: 'currency', why: 'an order has one currency' },
    { body: { ...REFUND, subjects: { user: 'u' }, reservation: 'AA' }, path: 'subjects', why: 'one place is enough' },
  ])('$body: $why', ({ body, path }) => {
    expect(mistakesOf(refundCall(unrun), body)).toMatchObject([{ path }]);
  });
});
