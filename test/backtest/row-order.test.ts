import { describe, expect, it } from 'vitest';
import type { PastRow } from '../../lib/backtest/past-row.ts';
import { addRows, dueUnits, newOrder } from '../../lib/backtest/row-order.ts';

type Given = Partial<PastRow> & { readonly second: number };

/** A check of a user at a second of an hour, but for what is given. */
function row(id: string, { second, ...given }: Given): PastRow {
  return {
    id,
    appId: 'default',
    orderId: id,
    operation: 'check',
    outcome: 'held',
    effective: true,
    at: new Date(Date.UTC(2026, 2, 2, 10, 0, second)),
    subjects: { user: 'u-1' },
    violations: [],
    documents: ['user:u-1'],
    shares: [],
    ...given,
  };
}

function ordered(rows: readonly PastRow[]): readonly (readonly string[])[] {
  const order = newOrder();
  addRows(order, rows);
  return [...dueUnits(order)].map((unit) => unit.map(({ id }) => id));
}

describe('rows come in the order in which their documents were written', () => {
  it.each<{ why: string; rows: readonly PastRow[]; order: readonly (readonly string[])[] }>([
    {
      why: 'instants decide where no number does',
      rows: [row('b', { second: 2 }), row('a', { second: 1 })],
      order: [['a'], ['b']],
    },
    {
      why: 'a number decides in a document, whatever the clocks say',
      rows: [row('a', { second: 1, q: [2] }), row('b', { second: 2, q: [1] })],
      order: [['b'], ['a']],
    },
    {
      why: 'a refusal comes after the write that it read',
      rows: [
        row('a', { second: 1, q: [2] }),
        row('b', { second: 2, q: [1], effective: false, outcome: 'refused' }),
        row('c', { second: 3, q: [1] }),
      ],
      order: [['c'], ['b'], ['a']],
    },
    {
      why: '0 is not known',
      rows: [row('a', { second: 1, q: [5] }), row('b', { second: 2, q: [0] })],
      order: [['a'], ['b']],
    },
    {
      why: 'another document is no reason',
      rows: [
        row('a', { second: 1, q: [2] }),
        row('b', { second: 2, q: [1], documents: ['user:u-2'] }),
      ],
      order: [['a'], ['b']],
    },
    {
      why: 'home decides where two orders took turns',
      rows: [
        row('a', { second: 1, q: [2, 1], documents: ['user:u-1', 'merchant:m-1'] }),
        row('b', { second: 2, q: [1, 2], documents: ['user:u-1', 'merchant:m-1'] }),
      ],
      order: [['b'], ['a']],
    },
    {
      why: 'home decides where another order came between them at the merchant',
      rows: [
        row('a', { second: 1, q: [1, 3], documents: ['user:u-1', 'merchant:m-1'] }),
        row('c', { second: 2, q: [1, 2], documents: ['user:u-2', 'merchant:m-1'] }),
        row('b', { second: 3, q: [2, 1], documents: ['user:u-1', 'merchant:m-1'] }),
      ],
      order: [['c'], ['a'], ['b']],
    },
    {
      why: 'at one instant, a check comes before its confirm',
      rows: [
        row('b', { second: 1, operation: 'confirm', outcome: 'confirmed' }),
        row('a', { second: 1 }),
      ],
      order: [['a'], ['b']],
    },
    {
      why: 'a call of all or none is one decision, in its own order',
      rows: [
        row('b', { second: 1, atomic: true, requestId: 'r-1', inCall: 1 }),
        row('x', { second: 2 }),
        row('a', { second: 3, atomic: true, requestId: 'r-1' }),
      ],
      order: [['a', 'b'], ['x']],
    },
  ])('$why', ({ rows, order }) => {
    expect(ordered(rows)).toEqual(order);
  });

  it('holds back what others may come before', () => {
    const order = newOrder();
    addRows(order, [row('a', { second: 1, q: [2] }), row('b', { second: 40 })]);
    const until = new Date(Date.UTC(2026, 2, 2, 10, 0, 1));
    expect([...dueUnits(order, until)]).toEqual([]);
    addRows(order, [row('c', { second: 41, q: [1] })]);
    const later = new Date(Date.UTC(2026, 2, 2, 10, 0, 30));
    expect([...dueUnits(order, later)].map(([{ id }]) => id)).toEqual(['c', 'a']);
    expect([...dueUnits(order)].map(([{ id }]) => id)).toEqual(['b']);
  });
});
