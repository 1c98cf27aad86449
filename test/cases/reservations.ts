/** Black-box cases about one order's life: check, repeat, confirm, rollback, capture. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { check, confirm, rollback } from './case.ts';

const DAY: ModelRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 100, count: 5 },
  mode: 'enforce',
};

export const RESERVATION_CASES: readonly LimitCase[] = [
  {
    id: 'reserve-1',
    title: 'The same check twice takes one hold',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 10 },
        {
          kind: 'allowed',
          repeated: false,
          state: 'held',
          holdExpiresAt: '2026-03-02T10:15:00+08:00',
          limitReached: false,
          applying: ['user-day'],
          rules: {
            'user-day': {
              used: { amount: 0, count: 0 },
              held: { amount: 10, count: 1 },
              remaining: { amount: 90, count: 4 },
              outcome: 'within',
            },
          },
          headroom: { amount: 90, earliestAt: '2026-03-02T10:00:00+08:00' },
        },
      ),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'X', amount: 10 },
        {
          kind: 'allowed',
          repeated: true,
          state: 'held',
          holdExpiresAt: '2026-03-02T10:15:00+08:00',
          rules: { 'user-day': { held: { amount: 10, count: 1 } } },
        },
      ),
    ],
    why: 'a retry must neither hold twice nor lengthen the hold',
  },
  {
    id: 'reserve-2',
    title: 'An order that comes back with another amount is an error, and the hold stays',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:01+08:00', { orderId: 'X', amount: 11 }, { kind: 'orderReused' }),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 10 },
        {
          kind: 'allowed',
          repeated: true,
          rules: { 'user-day': { held: { amount: 10, count: 1 } } },
        },
      ),
    ],
    why: 'two different payments under one name are a fault of the caller, never a second hold',
  },
  {
    id: 'reserve-2-content',
    title: 'Content is everything in the request: type, attributes, count, hold length, capture',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 10, type: 'PAYMENT', attributes: { channel: 'app', tier: 1 } },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 10, type: 'PAYMENT', attributes: { tier: 1, channel: 'app' } },
        { kind: 'allowed', repeated: true },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 10, type: 'TRANSFER', attributes: { channel: 'app', tier: 1 } },
        { kind: 'orderReused' },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'X', amount: 10, type: 'PAYMENT', attributes: { channel: 'app', tier: '1' } },
        { kind: 'orderReused' },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        {
          orderId: 'X',
          amount: 10,
          count: 2,
          type: 'PAYMENT',
          attributes: { channel: 'app', tier: 1 },
        },
        { kind: 'orderReused' },
      ),
      check(
        '2026-03-02T10:00:05+08:00',
        {
          orderId: 'X',
          amount: 10,
          holdMs: 60_000,
          type: 'PAYMENT',
          attributes: { channel: 'app', tier: 1 },
        },
        { kind: 'orderReused' },
      ),
      check(
        '2026-03-02T10:00:06+08:00',
        {
          orderId: 'X',
          amount: 10,
          capture: true,
          type: 'PAYMENT',
          attributes: { channel: 'app', tier: 1 },
        },
        { kind: 'orderReused' },
      ),
      check(
        '2026-03-02T10:00:07+08:00',
        {
          orderId: 'X',
          amount: 10,
          currency: 'USD',
          type: 'PAYMENT',
          attributes: { channel: 'app', tier: 1 },
        },
        { kind: 'orderReused' },
      ),
    ],
    why: 'the order of attributes is not content; the string "1" is not the number 1',
  },
  {
    id: 'reserve-2-confirmed',
    title: 'A confirmed order that comes back with another amount is reused as well',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      confirm('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'confirmed' }),
      check('2026-03-02T10:00:02+08:00', { orderId: 'X', amount: 11 }, { kind: 'orderReused' }),
    ],
    why: 'other content is looked at before the state',
  },
  {
    id: 'reserve-2-rolled-back',
    title: 'A rolled-back order that comes back with another amount is reused as well',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      rollback('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'rolledBack' }),
      check('2026-03-02T10:00:02+08:00', { orderId: 'X', amount: 11 }, { kind: 'orderReused' }),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'X', amount: 10 },
        { kind: 'alreadyRolledBack' },
      ),
    ],
    why: 'other content is looked at before the state',
  },
  {
    id: 'reserve-3-confirm',
    title: 'A second confirm repeats the answer and counts nothing',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: false, late: false, amount: 10, exceeded: [] },
      ),
      confirm(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: true, late: false, amount: 10 },
      ),
      confirm(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'X', amount: 10 },
        { kind: 'confirmed', repeated: true, late: false, amount: 10 },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'X', amount: 10 },
        {
          kind: 'allowed',
          repeated: true,
          state: 'confirmed',
          rules: {
            'user-day': {
              used: { amount: 10, count: 1 },
              held: { amount: 0, count: 0 },
              remaining: { amount: 90, count: 4 },
            },
          },
        },
      ),
    ],
    why: 'queues deliver twice',
  },
  {
    id: 'reserve-3-rollback',
    title: 'A second rollback repeats the answer and gives nothing back again',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:00+08:00', { orderId: 'Y', amount: 20 }, { kind: 'allowed' }),
      rollback(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X' },
        { kind: 'rolledBack', repeated: false },
      ),
      rollback(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X' },
        { kind: 'rolledBack', repeated: true },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'Y', amount: 20 },
        { kind: 'allowed', rules: { 'user-day': { held: { amount: 20, count: 1 } } } },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'X', amount: 10 },
        { kind: 'alreadyRolledBack' },
      ),
    ],
    why: 'a room given back twice is a limit that leaks',
  },
  {
    id: 'reserve-4',
    title: 'What is confirmed cannot be rolled back, what is rolled back cannot be confirmed',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:00+08:00', { orderId: 'Y', amount: 20 }, { kind: 'allowed' }),
      confirm('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'confirmed' }),
      rollback('2026-03-02T10:00:02+08:00', { orderId: 'X' }, { kind: 'alreadyConfirmed' }),
      rollback('2026-03-02T10:00:03+08:00', { orderId: 'Y' }, { kind: 'rolledBack' }),
      confirm('2026-03-02T10:00:04+08:00', { orderId: 'Y' }, { kind: 'alreadyRolledBack' }),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'X', amount: 10 },
        {
          kind: 'allowed',
          repeated: true,
          rules: {
            'user-day': { used: { amount: 10, count: 1 }, held: { amount: 0, count: 0 } },
          },
        },
      ),
    ],
    why: 'an end is an end',
  },
  {
    id: 'reserve-5-less',
    title: 'A confirm for less than held frees the rest at once',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 80 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 50 },
        { kind: 'refused', exceeded: ['user-day'] },
      ),
      confirm(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 30 },
        { kind: 'confirmed', amount: 30, late: false, exceeded: [] },
      ),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'Y', amount: 50 },
        {
          kind: 'allowed',
          repeated: false,
          rules: {
            'user-day': {
              used: { amount: 30, count: 1 },
              held: { amount: 50, count: 1 },
              remaining: { amount: 20, count: 3 },
            },
          },
        },
      ),
    ],
    why: 'part of an order was out of stock; and a refused order may be asked again',
  },
  {
    id: 'reserve-5-more',
    title: 'A confirm for more than held is counted, and says by how much a maximum is exceeded',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 90 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 120 },
        {
          kind: 'confirmed',
          repeated: false,
          amount: 120,
          exceeded: [{ rule: 'user-day', amount: 20 }],
        },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Y', amount: 0 },
        {
          kind: 'refused',
          exceeded: ['user-day'],
          rules: {
            'user-day': {
              used: { amount: 120, count: 1 },
              held: { amount: 0, count: 0 },
              remaining: { amount: 0, count: 4 },
              outcome: 'exceeded',
              retryAt: '2026-03-03T00:00:00+08:00',
            },
          },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
    ],
    why: 'a payment that happened is counted; remaining is never below zero',
  },
  {
    id: 'reserve-5-zero',
    title: 'A confirm for zero keeps the count and frees the amount',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 80 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 0 },
        { kind: 'confirmed', amount: 0 },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 80 },
        {
          kind: 'allowed',
          repeated: true,
          state: 'confirmed',
          rules: {
            'user-day': {
              used: { amount: 0, count: 1 },
              remaining: { amount: 100, count: 4 },
            },
          },
        },
      ),
    ],
    why: 'zero is a value, not an absent amount',
  },
  {
    id: 'reserve-5-other',
    title: 'A second confirm with another amount is an error and changes nothing',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 50 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 30 },
        { kind: 'confirmed', repeated: false, amount: 30 },
      ),
      confirm(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 50 },
        { kind: 'alreadyConfirmed' },
      ),
      confirm(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'X', amount: 30 },
        { kind: 'confirmed', repeated: true, amount: 30 },
      ),
      confirm(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: true, amount: 30 },
      ),
      check(
        '2026-03-02T10:00:05+08:00',
        { orderId: 'X', amount: 50 },
        { kind: 'allowed', rules: { 'user-day': { used: { amount: 30, count: 1 } } } },
      ),
    ],
    why: 'the amount to compare with is the confirmed one, not the held one',
  },
  {
    id: 'reserve-6-unknown',
    title: 'Confirm and rollback of an order that was never checked find nothing',
    rules: [DAY],
    steps: [
      confirm('2026-03-02T10:00:00+08:00', { orderId: 'X' }, { kind: 'notFound' }),
      rollback('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'notFound' }),
      check('2026-03-02T10:00:02+08:00', { orderId: 'Y', amount: 1 }, { kind: 'allowed' }),
      confirm('2026-03-02T10:00:03+08:00', { orderId: 'X' }, { kind: 'notFound' }),
      rollback('2026-03-02T10:00:04+08:00', { orderId: 'X' }, { kind: 'notFound' }),
    ],
    why: 'on a subject never seen and on a known one: success would hide a lost payment',
  },
  {
    id: 'reserve-6-refused',
    title: 'Confirm and rollback of a refused order find nothing',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 101 },
        { kind: 'refused', exceeded: ['user-day'] },
      ),
      confirm('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'notFound' }),
      rollback('2026-03-02T10:00:02+08:00', { orderId: 'X' }, { kind: 'notFound' }),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'X', amount: 100 },
        { kind: 'allowed', repeated: false, limitReached: true },
      ),
    ],
    why: 'a refusal leaves nothing behind, not even the content of the order',
  },
  {
    id: 'reserve-6-subjects',
    title: 'An order is found at the subject that it was checked for, and nowhere else',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 10 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', subjects: { user: 'u-2' } },
        { kind: 'notFound' },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Y', amount: 100, subjects: { user: 'u-2' } },
        { kind: 'allowed', limitReached: true },
      ),
    ],
    why: 'one customer does not use up the limit of another',
  },
  {
    id: 'reserve-7',
    title: 'After a lost answer the retry is confirmed, and it counts once',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:00:30+08:00',
        { orderId: 'X', amount: 60 },
        { kind: 'allowed', repeated: true },
      ),
      confirm(
        '2026-03-02T10:00:31+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: false, amount: 60 },
      ),
      check(
        '2026-03-02T10:00:32+08:00',
        { orderId: 'Y', amount: 40 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: {
            'user-day': {
              used: { amount: 60, count: 1 },
              held: { amount: 40, count: 1 },
              remaining: { amount: 0, count: 3 },
              outcome: 'reached',
            },
          },
        },
      ),
    ],
    why: '60 that needed its own room again would have been refused',
  },
  {
    id: 'reserve-full-repeat',
    title: 'A repeat is allowed even where the order itself has filled the limit',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 100 },
        { kind: 'allowed', repeated: false, limitReached: true },
      ),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X', amount: 100 },
        {
          kind: 'allowed',
          repeated: true,
          limitReached: true,
          rules: { 'user-day': { held: { amount: 100, count: 1 }, outcome: 'reached' } },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
    ],
    why: 'known orders are looked for before the rules are',
  },
  {
    id: 'capture-1',
    title: 'Capture counts at once: used, no hold, and its repeat says confirmed',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 10, capture: true },
        {
          kind: 'allowed',
          repeated: false,
          state: 'confirmed',
          rules: {
            'user-day': {
              used: { amount: 10, count: 1 },
              held: { amount: 0, count: 0 },
              remaining: { amount: 90, count: 4 },
            },
          },
        },
      ),
      check(
        '2026-03-02T12:00:00+08:00',
        { orderId: 'X', amount: 10, capture: true },
        {
          kind: 'allowed',
          repeated: true,
          state: 'confirmed',
          rules: { 'user-day': { used: { amount: 10, count: 1 } } },
        },
      ),
    ],
    why: 'the time of a hold has no meaning for what is already counted',
  },
  {
    id: 'capture-2',
    title: 'A captured order is confirmed: confirm repeats, rollback is an error',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 10, capture: true },
        { kind: 'allowed', state: 'confirmed' },
      ),
      confirm(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: true, late: false, amount: 10 },
      ),
      confirm(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'X', amount: 11 },
        { kind: 'alreadyConfirmed' },
      ),
      rollback('2026-03-02T10:00:03+08:00', { orderId: 'X' }, { kind: 'alreadyConfirmed' }),
    ],
    why: 'there is one state confirmed, however it was reached',
  },
  {
    id: 'capture-3',
    title: 'A capture that does not fit is refused and leaves nothing',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 101, capture: true },
        {
          kind: 'refused',
          exceeded: ['user-day'],
          rules: {
            'user-day': {
              used: { amount: 0, count: 0 },
              remaining: { amount: 100, count: 5 },
              outcome: 'exceeded',
              retryAt: null,
            },
          },
          headroom: { amount: 100, earliestAt: null },
        },
      ),
      confirm('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'notFound' }),
    ],
    why: 'more than the maximum never fits, so there is no instant to come back at',
  },
  {
    id: 'holds-bound',
    title: 'More open holds than the bound is an error, until one of them ends',
    rules: [{ ...DAY, max: { amount: 1_000_000 } }],
    openHoldsMax: 2,
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1, holdMs: 60_000 },
        { kind: 'allowed' },
      ),
      check('2026-03-02T10:00:01+08:00', { orderId: 'Y', amount: 1 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:02+08:00', { orderId: 'Z', amount: 1 }, { kind: 'tooManyOpenHolds' }),
      check(
        '2026-03-02T10:00:03+08:00',
        { orderId: 'Y', amount: 1 },
        { kind: 'allowed', repeated: true },
      ),
      check(
        '2026-03-02T10:00:04+08:00',
        { orderId: 'Z', amount: 1_000_000 },
        { kind: 'refused', exceeded: ['user-day'] },
      ),
      check(
        '2026-03-02T10:00:59.999+08:00',
        { orderId: 'Z', amount: 1 },
        { kind: 'tooManyOpenHolds' },
      ),
      check(
        '2026-03-02T10:01:00+08:00',
        { orderId: 'Z', amount: 1 },
        { kind: 'allowed', repeated: false },
      ),
      confirm('2026-03-02T10:01:01+08:00', { orderId: 'Y' }, { kind: 'confirmed' }),
      check('2026-03-02T10:01:02+08:00', { orderId: 'W', amount: 1 }, { kind: 'allowed' }),
    ],
    why: 'repeats pass, a refusal comes first, and a lapsed hold is not open though nobody swept it',
  },
  {
    id: 'holds-bound-capture',
    title: 'A capture needs no room among the open holds',
    rules: [{ ...DAY, max: { amount: 1_000_000 } }],
    openHoldsMax: 1,
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:01+08:00', { orderId: 'Y', amount: 1 }, { kind: 'tooManyOpenHolds' }),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Y', amount: 1, capture: true },
        {
          kind: 'allowed',
          repeated: false,
          state: 'confirmed',
          rules: {
            'user-day': { used: { amount: 1, count: 1 }, held: { amount: 1, count: 1 } },
          },
        },
      ),
    ],
    why: 'it leaves no open hold behind; and an error left no content of Y behind either',
  },
  {
    id: 'holds-bound-other',
    title: 'The open holds of one customer are not those of another',
    rules: [{ ...DAY, max: { amount: 1_000_000 } }],
    openHoldsMax: 1,
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:00:01+08:00',
        { orderId: 'Y', amount: 1, subjects: { user: 'u-2' } },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:00:02+08:00',
        { orderId: 'Z', amount: 1, subjects: { user: 'u-2' } },
        { kind: 'tooManyOpenHolds' },
      ),
    ],
    why: 'the bound is on a document',
  },
];
