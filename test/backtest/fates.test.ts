import { expect, it } from 'vitest';
import type { Fates } from '../../lib/backtest/fates.ts';
import { addFate, noteEnd, outcomesBy } from '../../lib/backtest/fates.ts';
import type { PastRow } from '../../lib/backtest/past-row.ts';

const AT = new Date('2026-03-02T10:00:00Z');

/** It asked for 5.00 and got 3.00. */
const CHECK: PastRow = {
  id: 'row-1',
  appId: 'default',
  orderId: 'o-1',
  operation: 'check',
  outcome: 'held',
  effective: true,
  at: AT,
  nonce: 'n-1',
  subjects: { user: 'u-1' },
  askedMinor: 500,
  amountMinor: 300,
  currency: 'CNY',
  violations: [],
  documents: ['user:u-1'],
  shares: [],
};

it('what became of refused orders adds up to what they asked for, as everywhere', () => {
  const fates: Fates = new Map();
  addFate(fates, CHECK);
  noteEnd(fates, { ...CHECK, operation: 'confirm', outcome: 'confirmed', amountMinor: 250 });
  const { paid, held } = outcomesBy(fates, AT);
  expect({ paid, held }).toEqual({
    paid: { checks: 1, amount: 500 },
    held: { checks: 0, amount: 0 },
  });
});
