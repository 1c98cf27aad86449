import { describe, expect, it } from 'vitest';
import { confirmCall, rollbackCall } from '../../lib/http/calls.ts';
import { asRead, mistakesIn as mistakesOf, unrun } from '../support/as-read.ts';

const LEAST = { orderId: 'o-1' };
const BY_SUBJECTS = { orderId: 'o-1', subjects: { user: 'u-1' } };
const ONE = 'exactly one of reservation and subjects';
const TEXT = 'text of 1 to 256 characters, without U+0000, U+FFFD and half surrogate pairs';
const CALLS = { confirm: confirmCall(unrun), rollback: rollbackCall(unrun) } as const;

function mistakesIn(call: keyof typeof CALLS, body: unknown) {
  return call === 'confirm' ? mistakesOf(CALLS.confirm, body) : mistakesOf(CALLS.rollback, body);
}

describe('confirm', () => {
  it.each([
    {
      body: { orderId: 'o-1', reservation: 'abc_-9' },
      is: { whereabouts: { kind: 'reservation', token: 'abc_-9' } },
      why: 'the reservation says where the hold is',
    },
    {
      body: BY_SUBJECTS,
      is: { whereabouts: { kind: 'subjects', subjects: { user: 'u-1' } } },
      why: 'the subjects say it as well',
    },
    {
      body: { ...BY_SUBJECTS, amount: 0 },
      is: { whereabouts: { kind: 'subjects', subjects: { user: 'u-1' } }, amountMinor: 0 },
      why: 'a final amount of zero is an amount',
    },
  ])('$body is read, because $why', ({ body, is }) => {
    const request = asRead(CALLS.confirm, body);
    expect(request).toEqual({ appId: 'shop', orderId: 'o-1', ...is });
  });
});

describe('rollback', () => {
  it('keeps the reason for the records', () => {
    const body = JSON.stringify({ ...BY_SUBJECTS, reason: 'the bank said no' });
    expect(asRead(CALLS.rollback, body)).toEqual({
      appId: 'shop',
      orderId: 'o-1',
      whereabouts: { kind: 'subjects', subjects: { user: 'u-1' } },
      reason: 'the bank said no',
    });
  });
});

describe('an order alone', () => {
  const read = { confirm: asRead(CALLS.confirm, LEAST), rollback: asRead(CALLS.rollback, LEAST) };
  it.each(Object.entries(read))('%s leaves it to the audit to find', (_call, request) => {
    expect(request).toEqual({
      appId: 'shop',
      orderId: 'o-1',
      whereabouts: { kind: 'recorded' },
    });
  });
});

describe('what confirm and rollback refuse', () => {
  it.each([
    {
      body: { ...BY_SUBJECTS, reservation: 'abc' },
      found: [{ path: 'subjects', value: 'an object of 1', expected: `${ONE}, not both` }],
      why: 'they could contradict each other',
    },
    {
      body: { reservation: 'abc' },
      found: [{ path: 'orderId', expected: TEXT }],
      why: 'the order must be named',
    },
    {
      body: { orderId: 'o-1', reservation: '' },
      found: [{ path: 'reservation', value: '""' }],
      why: 'an empty text is no reservation',
    },
    {
      body: { orderId: 'o-1', reservation: 'a b' },
      found: [{ path: 'reservation', value: '"a b"' }],
      why: 'no reservation has a space',
    },
    {
      body: { orderId: 'o-1', reservation: 'a'.repeat(32_769) },
      found: [{ path: 'reservation' }],
      why: 'no reservation is so long',
    },
    {
      body: { orderId: 'o-1', subjects: {} },
      found: [{ path: 'subjects', value: 'an object of 0', expected: '1 to 10 subjects' }],
      why: 'nobody is named',
    },
    {
      body: { ...BY_SUBJECTS, currency: 'CNY' },
      found: [{ path: 'currency', value: '"CNY"' }],
      why: 'the field is not one of theirs',
    },
    { body: [], found: [{ path: '', value: 'a list of 0' }], why: 'a list is no object' },
  ])('$body, because $why', ({ body, found }) => {
    expect(mistakesIn('confirm', body)).toMatchObject(found);
    expect(mistakesIn('rollback', body)).toMatchObject(found);
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
