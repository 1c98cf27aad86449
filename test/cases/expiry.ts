/** Black-box cases about holds that nobody settled in time, and about windows that moved on. */
import type { ModelRule } from '../model/model-types.ts';
import type { LimitCase } from './case.ts';
import { check, confirm, rollback } from './case.ts';

const DAY: ModelRule = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 100 },
  mode: 'enforce',
};

const COOLDOWN: ModelRule = {
  id: 'cooldown',
  per: ['user'],
  window: { rollingMs: 3_000, stepMs: 'exact' },
  max: { count: 1 },
  mode: 'enforce',
};

/** 24 hours in steps of 30 minutes. */
const ROLLING: ModelRule = {
  id: 'user-24h',
  per: ['user'],
  currency: 'CNY',
  window: { rollingMs: 86_400_000, stepMs: 1_800_000 },
  max: { amount: 100 },
  mode: 'enforce',
};

export const EXPIRY_CASES: readonly LimitCase[] = [
  {
    id: 'expiry-1',
    title: 'A hold counts until the millisecond before it ends, and not from then on',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 100 },
        { kind: 'allowed', holdExpiresAt: '2026-03-02T10:15:00+08:00' },
      ),
      check(
        '2026-03-02T10:14:59.999+08:00',
        { orderId: 'Y', amount: 1 },
        { kind: 'refused', rules: { 'user-day': { held: { amount: 100, count: 1 } } } },
      ),
      check(
        '2026-03-02T10:15:00+08:00',
        { orderId: 'Y', amount: 100 },
        {
          kind: 'allowed',
          repeated: false,
          limitReached: true,
          rules: { 'user-day': { held: { amount: 100, count: 1 } } },
        },
      ),
    ],
    why: 'no sweeper ran in between',
  },
  {
    id: 'expiry-1-refusal',
    title: 'A refusal after an expiry shows what lapsed as free',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:15:00+08:00',
        { orderId: 'Y', amount: 101 },
        {
          kind: 'refused',
          rules: {
            'user-day': { held: { amount: 0, count: 0 }, remaining: { amount: 100 } },
          },
          headroom: { amount: 100, earliestAt: null },
        },
      ),
    ],
    why: 'a refusal writes nothing, so the numbers must be right without the sweep',
  },
  {
    id: 'expiry-2-confirm',
    title: 'A confirm after the expiry counts and says late',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:15:00+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: false, late: true, amount: 60, exceeded: [] },
      ),
      confirm(
        '2026-03-02T10:15:01+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: true, late: true, amount: 60 },
      ),
      check(
        '2026-03-02T10:15:02+08:00',
        { orderId: 'Y', amount: 41 },
        {
          kind: 'refused',
          rules: {
            'user-day': { used: { amount: 60, count: 1 }, held: { amount: 0, count: 0 } },
          },
        },
      ),
    ],
    why: 'a payment that happened is counted; at `until` itself it is already late',
  },
  {
    id: 'expiry-2-confirm-over',
    title: 'A late confirm counts even over the maximum, and says by how much',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check('2026-03-02T10:16:00+08:00', { orderId: 'Y', amount: 70 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:17:00+08:00',
        { orderId: 'X' },
        {
          kind: 'confirmed',
          late: true,
          amount: 60,
          exceeded: [{ rule: 'user-day', amount: 30 }],
        },
      ),
      rollback('2026-03-02T10:18:00+08:00', { orderId: 'Y' }, { kind: 'rolledBack' }),
      check(
        '2026-03-02T10:19:00+08:00',
        { orderId: 'Z', amount: 40 },
        { kind: 'allowed', limitReached: true },
      ),
    ],
    why: 'Y took the room that X had let go; the hold that swept X must not lose it',
  },
  {
    id: 'expiry-2-confirm-amount',
    title: 'A late confirm may carry the final amount',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      confirm(
        '2026-03-02T10:20:00+08:00',
        { orderId: 'X', amount: 25 },
        { kind: 'confirmed', late: true, amount: 25 },
      ),
      check(
        '2026-03-02T10:21:00+08:00',
        { orderId: 'Y', amount: 75 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: { 'user-day': { used: { amount: 25, count: 1 } } },
        },
      ),
    ],
    why: 'late or not, what counts is what happened',
  },
  {
    id: 'expiry-2-rollback',
    title: 'A rollback after the expiry is a rollback, and gives nothing back twice',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check('2026-03-02T10:16:00+08:00', { orderId: 'Y', amount: 70 }, { kind: 'allowed' }),
      rollback(
        '2026-03-02T10:17:00+08:00',
        { orderId: 'X' },
        { kind: 'rolledBack', repeated: false },
      ),
      confirm('2026-03-02T10:18:00+08:00', { orderId: 'X' }, { kind: 'alreadyRolledBack' }),
      check(
        '2026-03-02T10:19:00+08:00',
        { orderId: 'X', amount: 60 },
        { kind: 'alreadyRolledBack' },
      ),
      check(
        '2026-03-02T10:20:00+08:00',
        { orderId: 'Z', amount: 31 },
        { kind: 'refused', rules: { 'user-day': { held: { amount: 70, count: 1 } } } },
      ),
    ],
    why: 'the room of X went back when it lapsed; Y keeps its own',
  },
  {
    id: 'expiry-again',
    title: 'An expired order that asks again with the same content is decided anew',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:15:00+08:00',
        { orderId: 'X', amount: 60 },
        {
          kind: 'allowed',
          repeated: false,
          state: 'held',
          holdExpiresAt: '2026-03-02T10:30:00+08:00',
          rules: { 'user-day': { held: { amount: 60, count: 1 } } },
        },
      ),
      confirm(
        '2026-03-02T10:16:00+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', repeated: false, late: false, amount: 60 },
      ),
    ],
    why: 'the new hold replaces what was remembered of the old one',
  },
  {
    id: 'expiry-again-other',
    title: 'An expired order that asks again with other content is reused',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check('2026-03-02T10:15:00+08:00', { orderId: 'X', amount: 61 }, { kind: 'orderReused' }),
      confirm('2026-03-02T10:16:00+08:00', { orderId: 'X' }, { kind: 'confirmed', late: true }),
    ],
    why: 'the first payment may still turn out to have happened',
  },
  {
    id: 'expiry-again-refused',
    title: 'An expired order that asks again and is refused can still be confirmed late',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check('2026-03-02T10:15:00+08:00', { orderId: 'Y', amount: 70 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:16:00+08:00',
        { orderId: 'X', amount: 60 },
        { kind: 'refused', exceeded: ['user-day'] },
      ),
      confirm(
        '2026-03-02T10:17:00+08:00',
        { orderId: 'X' },
        {
          kind: 'confirmed',
          late: true,
          amount: 60,
          exceeded: [{ rule: 'user-day', amount: 30 }],
        },
      ),
    ],
    why: 'a refusal changes nothing, so the memory of the expired hold is still there',
  },
  {
    id: 'expiry-again-window',
    title: 'An expired order that is held again counts in the window of the second check',
    rules: [DAY],
    steps: [
      check('2026-03-02T23:50:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check(
        '2026-03-03T00:05:00+08:00',
        { orderId: 'X', amount: 60 },
        {
          kind: 'allowed',
          repeated: false,
          rules: { 'user-day': { held: { amount: 60, count: 1 } } },
        },
      ),
      confirm('2026-03-03T00:06:00+08:00', { orderId: 'X' }, { kind: 'confirmed', late: false }),
      check(
        '2026-03-03T00:07:00+08:00',
        { orderId: 'Y', amount: 40 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: { 'user-day': { used: { amount: 60, count: 1 } } },
        },
      ),
    ],
    why: 'decided anew means new windows',
  },
  {
    id: 'expiry-shortest',
    title: 'A hold of one second is open for a second',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T10:00:00.250+08:00',
        { orderId: 'X', amount: 100, holdMs: 1_000 },
        { kind: 'allowed', holdExpiresAt: '2026-03-02T10:00:01.250+08:00' },
      ),
      check(
        '2026-03-02T10:00:01.249+08:00',
        { orderId: 'X', amount: 100, holdMs: 1_000 },
        { kind: 'allowed', repeated: true },
      ),
      check(
        '2026-03-02T10:00:01.250+08:00',
        { orderId: 'X', amount: 100, holdMs: 1_000 },
        { kind: 'allowed', repeated: false, holdExpiresAt: '2026-03-02T10:00:02.250+08:00' },
      ),
    ],
    why: 'the end of a hold is exact to the millisecond and not rounded to seconds',
  },
  {
    id: 'window-1',
    title: 'One second before and after midnight in Shanghai are two days',
    rules: [DAY],
    steps: [
      check(
        '2026-03-02T23:59:59+08:00',
        { orderId: 'X', amount: 100, capture: true },
        { kind: 'allowed', limitReached: true },
      ),
      check(
        '2026-03-02T23:59:59.999+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'refused',
          rules: { 'user-day': { retryAt: '2026-03-03T00:00:00+08:00' } },
        },
      ),
      check(
        '2026-03-03T00:00:00+08:00',
        { orderId: 'Y', amount: 1 },
        { kind: 'allowed', rules: { 'user-day': { used: { amount: 0, count: 0 } } } },
      ),
      check(
        '2026-03-03T00:00:01+08:00',
        { orderId: 'Z', amount: 99 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: { 'user-day': { held: { amount: 100, count: 2 } } },
        },
      ),
    ],
    why: 'a window contains its start and not its end',
  },
  {
    id: 'window-4',
    title: 'A cooldown of 3 seconds allows again at 3.000 s',
    rules: [COOLDOWN],
    steps: [
      check(
        '2026-03-02T10:00:00+08:00',
        { orderId: 'X', amount: 1 },
        {
          kind: 'allowed',
          limitReached: true,
          headroom: { amount: 0, earliestAt: '2026-03-02T10:00:03+08:00' },
        },
      ),
      confirm('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'confirmed' }),
      check(
        '2026-03-02T10:00:02.999+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'refused',
          exceeded: ['cooldown'],
          rules: { cooldown: { outcome: 'exceeded', retryAt: '2026-03-02T10:00:03+08:00' } },
        },
      ),
      check('2026-03-02T10:00:03+08:00', { orderId: 'Y', amount: 1 }, { kind: 'allowed' }),
      check('2026-03-02T10:00:05.999+08:00', { orderId: 'Z', amount: 1 }, { kind: 'refused' }),
      check('2026-03-02T10:00:06+08:00', { orderId: 'Z', amount: 1 }, { kind: 'allowed' }),
    ],
    why: 'the span runs from the check, held or confirmed, and not from the confirm',
  },
  {
    id: 'window-4-odd',
    title: 'The instant to come back at is rounded up to a whole second',
    rules: [COOLDOWN],
    steps: [
      check('2026-03-02T10:00:00.400+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:00:03.399+08:00',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'refused',
          rules: { cooldown: { retryAt: '2026-03-02T10:00:04+08:00' } },
        },
      ),
      check('2026-03-02T10:00:03.400+08:00', { orderId: 'Y', amount: 1 }, { kind: 'allowed' }),
    ],
    why: 'Retry-After speaks in seconds; a caller that waits so long is never sent away again',
  },
  {
    id: 'window-4-rollback',
    title: 'A rolled-back transaction leaves no cooldown',
    rules: [COOLDOWN],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 1 }, { kind: 'allowed' }),
      rollback('2026-03-02T10:00:01+08:00', { orderId: 'X' }, { kind: 'rolledBack' }),
      check('2026-03-02T10:00:01+08:00', { orderId: 'Y', amount: 1 }, { kind: 'allowed' }),
    ],
    why: 'what did not happen does not count',
  },
  {
    id: 'window-5-confirm',
    title: 'A hold of yesterday that is confirmed today counts in yesterday',
    rules: [DAY],
    steps: [
      check('2026-03-02T23:59:59+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      confirm(
        '2026-03-03T00:00:01+08:00',
        { orderId: 'X' },
        { kind: 'confirmed', late: false, amount: 60, exceeded: [] },
      ),
      check(
        '2026-03-03T00:00:02+08:00',
        { orderId: 'Y', amount: 100 },
        {
          kind: 'allowed',
          limitReached: true,
          rules: {
            'user-day': { used: { amount: 0, count: 0 }, held: { amount: 100, count: 1 } },
          },
        },
      ),
    ],
    why: 'the window is that of the check',
  },
  {
    id: 'window-5-rollback',
    title: 'A hold of yesterday that is rolled back today leaves the room of today as it was',
    rules: [DAY],
    steps: [
      check('2026-03-02T23:59:59+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      check('2026-03-03T00:00:00+08:00', { orderId: 'Y', amount: 50 }, { kind: 'allowed' }),
      rollback('2026-03-03T00:00:01+08:00', { orderId: 'X' }, { kind: 'rolledBack' }),
      check(
        '2026-03-03T00:00:02+08:00',
        { orderId: 'Z', amount: 51 },
        {
          kind: 'refused',
          rules: {
            'user-day': { held: { amount: 50, count: 1 }, remaining: { amount: 50 } },
          },
        },
      ),
    ],
    why: 'room given back in the wrong day is room that nobody had',
  },
  {
    id: 'window-5-rolling',
    title: 'In a rolling window the confirm counts at the instant of the check',
    rules: [ROLLING],
    steps: [
      check(
        '2026-03-02T10:10:00Z',
        { orderId: 'X', amount: 100, holdMs: 86_400_000 },
        { kind: 'allowed' },
      ),
      confirm('2026-03-03T09:00:00Z', { orderId: 'X' }, { kind: 'confirmed', late: false }),
      check(
        '2026-03-03T10:29:59.998Z',
        { orderId: 'Y', amount: 1 },
        {
          kind: 'refused',
          rules: { 'user-24h': { retryAt: '2026-03-03T10:30:00Z' } },
        },
      ),
      check(
        '2026-03-03T10:29:59.999Z',
        { orderId: 'Y', amount: 100 },
        { kind: 'allowed', rules: { 'user-24h': { used: { amount: 0, count: 0 } } } },
      ),
    ],
    why: 'the step [10:00, 10:30) has wholly left 24 hours one millisecond before 10:30 tomorrow',
  },
  {
    id: 'window-rolling-steps',
    title: 'A rolling window gives room back step by step',
    rules: [ROLLING],
    steps: [
      check(
        '2026-03-02T10:00:00Z',
        { orderId: 'X', amount: 30, capture: true },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T10:30:00Z',
        { orderId: 'Y', amount: 30, capture: true },
        { kind: 'allowed' },
      ),
      check(
        '2026-03-02T11:00:00Z',
        { orderId: 'Z', amount: 71 },
        {
          kind: 'refused',
          rules: {
            'user-24h': { remaining: { amount: 40 }, retryAt: '2026-03-03T11:00:00Z' },
          },
          headroom: { amount: 40, earliestAt: '2026-03-03T11:00:00Z' },
        },
      ),
      check(
        '2026-03-02T11:00:00Z',
        { orderId: 'Z', amount: 70 },
        {
          kind: 'refused',
          rules: { 'user-24h': { retryAt: '2026-03-03T10:30:00Z' } },
        },
      ),
      check('2026-03-03T10:30:00Z', { orderId: 'Z', amount: 70 }, { kind: 'allowed' }),
    ],
    why: '70 fits when the first step has left, 71 only when both have',
  },
  {
    id: 'expiry-retry-hold',
    title: 'The instant to come back at does not count on an open hold to fail',
    rules: [DAY],
    steps: [
      check('2026-03-02T10:00:00+08:00', { orderId: 'X', amount: 100 }, { kind: 'allowed' }),
      check(
        '2026-03-02T10:01:00+08:00',
        { orderId: 'Y', amount: 50 },
        {
          kind: 'refused',
          rules: { 'user-day': { retryAt: '2026-03-03T00:00:00+08:00' } },
          headroom: { amount: 0, earliestAt: '2026-03-03T00:00:00+08:00' },
        },
      ),
    ],
    why: 'a hold is confirmed more often than not; 10:15 would be a promise that often breaks',
  },
  {
    id: 'expiry-late-window',
    title: 'A late confirm in a window that is over counts nowhere that matters',
    rules: [DAY],
    steps: [
      check('2026-03-02T23:50:00+08:00', { orderId: 'X', amount: 60 }, { kind: 'allowed' }),
      confirm(
        '2026-03-03T09:00:00+08:00',
        { orderId: 'X', amount: 500 },
        { kind: 'confirmed', late: true, amount: 500, exceeded: [] },
      ),
      check(
        '2026-03-03T09:00:01+08:00',
        { orderId: 'Y', amount: 100 },
        { kind: 'allowed', limitReached: true },
      ),
    ],
    why: 'it belongs to yesterday; the answer is still confirmed',
  },
];
