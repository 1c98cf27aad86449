import { describe, expect, it } from 'vitest';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import { noteTry, noTries } from '../../lib/backtest/tries.ts';

function refused(orderId: string, time: string, amountMinor = 100, user = 'u-1'): PastRow {
  return {
    id: `${orderId} ${time}`,
    appId: 'default',
    orderId,
    operation: 'check',
    outcome: 'refused',
    effective: false,
    at: new Date(`2026-03-02T${time}Z`),
    subjects: { user },
    amountMinor,
    currency: 'CNY',
    violations: [],
    documents: [`user:${user}`],
    shares: [],
  };
}

describe('tries of one payment are put together', () => {
  const FIRST = refused('o-1', '10:00:00');
  it.each([
    { next: refused('o-1', '10:01:00'), isOrder: false, isPayment: false, why: 'the same order' },
    { next: refused('o-1', '23:00:00'), isOrder: false, isPayment: false, why: 'it, hours later' },
    { next: refused('o-2', '10:09:59'), isOrder: true, isPayment: false, why: 'the same amount' },
    { next: refused('o-2', '10:10:00'), isOrder: true, isPayment: true, why: 'ten minutes later' },
    { next: refused('o-2', '10:01:00', 99), isOrder: true, isPayment: true, why: 'another amount' },
    {
      next: refused('o-2', '10:01:00', 100, 'u-2'),
      isOrder: true,
      isPayment: true,
      why: 'another subject',
    },
  ])('$why', ({ next, isOrder, isPayment }) => {
    const tries = noTries();
    expect(noteTry(tries, FIRST)).toEqual({ isOrder: true, isPayment: true });
    expect(noteTry(tries, next)).toEqual({ isOrder, isPayment });
  });
});
