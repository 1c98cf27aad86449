import { describe, expect, it } from 'vitest';
import { summaryText, transactionsText, usageHistoryText } from '../../cli/history-text.ts';

const NOW = '2026-11-21T10:12:09.402Z';

describe('an amount whose currency no row on the page says', () => {
  const rowIn = (text: string) => text.split('\n')[1]?.split(/ {2,}/);
  const unknown = { currency: null, amount: 21_975, refunded: 1_200 };

  it('is written in minor units, as it is stored, and says so: a settlement', () => {
    const { transactions, ...page } = {
      ...{ subjects: { user: 'u-1' }, next: null },
      transactions: [{ orderId: 'o-1', app: 'shop', at: NOW, operation: 'confirm' }],
    };
    const rows = transactions.map((row) => ({ ...row, outcome: 'confirmed', amount: 21_975 }));
    const text = transactionsText({ ...page, transactions: rows } as unknown as Parameters<
      typeof transactionsText
    >[0]); // the rest of an answer is not written
    expect(rowIn(text)?.slice(4)).toEqual(['21975', 'minor units', 'shop']);
  });

  it('is written so in a window', () => {
    const text = usageHistoryText({
      ...{ subjects: { user: 'u-1' }, unit: 'day', timeZone: 'UTC', now: NOW },
      windows: [{ start: NOW, end: NOW, sums: [{ ...unknown, count: 2 }] }],
    });
    expect(rowIn(text)?.slice(1)).toEqual(['21975', '1200', 'minor units', '2']);
  });

  it('is written so in the sums of a day', () => {
    const text = summaryText({
      ...{ kind: 'user', date: '2026-11-21', timeZone: 'UTC', start: NOW, end: NOW, now: NOW },
      ...{ refused: 0, refusals: [] },
      sums: [
        {
          currency: null,
          confirmed: { amount: 21_975, count: 2 },
          recorded: { amount: 1_200, count: 1 },
          refunded: { amount: 0, count: 0 },
        },
      ],
    });
    expect(rowIn(text)).toEqual(['minor units', '21975', '2', '0', '0']);
    expect(text).toContain('\n\n1 payment of other days was recorded: 1200 minor units.\n\n');
  });
});
