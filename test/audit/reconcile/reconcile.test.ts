import { describe, expect, it } from 'vitest';
import type { RecordedRow } from '../../../lib/audit/reconcile/reconcile.ts';
import { Recorded } from '../../../lib/audit/reconcile/reconcile.ts';
import type { StoredCounters } from '../../../lib/audit/reconcile/stored-counters.ts';
import type { Hold } from '../../../lib/document/document.ts';
import { bucketName } from '../../../lib/counter/name.ts';
import { placesOf } from '../../../lib/document/document.ts';
import { entrantsAt } from '../../../lib/document/written.ts';

const NOW = new Date('2026-03-02T10:00:00.000Z');

const TODAY = {
  start: new Date('2026-03-02T00:00:00.000Z'),
  until: new Date('2026-03-03T00:00:00.000Z'),
};
const PAYMENT = {
  ...{ appId: 'default', orderId: 'o-1', nonce: 'n-1', amountMinor: 800, count: 1, at: NOW },
};
const NOTHING_STORED: StoredCounters = {
  ...{ now: NOW, databaseNow: NOW, buckets: [], holds: [], settled: [], expired: [] },
  openCounts: {},
};

/** Rows of a payment of 8.00 that was counted in one bucket and refunded whole. */
function refundedIn(counter: string): readonly RecordedRow[] {
  const shares = [{ document: 'user:u-1', buckets: [{ counter, ...TODAY }] }];
  const row = { ...PAYMENT, shares };
  return [
    { ...row, outcome: 'held', holdExpiresAt: new Date('2026-03-02T09:15:00.000Z') },
    { ...row, outcome: 'confirmed' },
    { ...row, outcome: 'refunded' },
  ];
}

describe('a bucket that a refund emptied, and that is gone since', () => {
  it.each([
    { counter: 'digest', missing: [], why: 'the refund gave back all of it' },
    { counter: 'digest~n', missing: [], why: 'without currency no amount was ever summed' },
    { counter: 'digest~an', missing: [], why: 'an amount that is not given back was not summed' },
    { counter: 'digest~c', missing: ['usedCount'], why: 'the count stays counted' },
    { counter: 'digest~a', missing: ['usedAmount'], why: 'the amount stays counted' },
    { counter: 'digest~cn', missing: ['usedCount'], why: 'its count was summed, and stays' },
  ])('$counter: $missing are missing, because $why', ({ counter, missing }) => {
    const recorded = new Recorded('user:u-1');
    for (const row of refundedIn(counter)) recorded.add(row);
    const found = recorded.compare(NOTHING_STORED);
    expect(found.map((one) => (one.kind === 'sum' ? one.sum : one.kind))).toEqual(missing);
  });
});

describe('a payment that was refunded, and whose confirm is in no row', () => {
  it('is no reason to take a sum below zero', () => {
    const recorded = new Recorded('user:u-1');
    for (const row of refundedIn('digest'))
      if (row.outcome !== 'confirmed') recorded.add({ ...row, holdExpiresAt: undefined });
    expect(recorded.compare(NOTHING_STORED)).toEqual([]);
  });
});

describe('a late payment of 8.00 that the document may not have counted', () => {
  const held: RecordedRow = {
    ...{ ...PAYMENT, outcome: 'held', holdExpiresAt: new Date('2026-03-02T09:15:00.000Z') },
    shares: [{ document: 'merchant:m-1', buckets: [{ counter: 'digest', ...TODAY }] }],
  };
  const confirmed: RecordedRow = { ...PAYMENT, outcome: 'confirmed', shares: [] };
  const repeated: RecordedRow = { ...confirmed, repeated: true };
  const part: RecordedRow = {
    ...{ ...PAYMENT, outcome: 'refunded', amountMinor: 300, count: 0, shares: [] },
  };
  const rest: RecordedRow = { ...part, amountMinor: 500, count: 1 };
  const none: readonly (readonly [string, number])[] = [];

  // prettier-ignore
  it.each([
    { rows: [held, confirmed],            expected: none, why: 'its row says that it was not' },
    { rows: [held, confirmed, part],      expected: none, why: 'nothing was given back either' },
    { rows: [held, repeated],             expected: [['usedAmount', 800] as const, ['usedCount', 1] as const], why: 'the row of a repeat does not say where' },
    { rows: [held, repeated, part],       expected: [['usedAmount', 500] as const, ['usedCount', 1] as const], why: 'what was refunded need not be counted any more' },
    { rows: [held, repeated, part, rest], expected: none, why: 'all of it was refunded' },
  ])('misses $expected, because $why', ({ rows, expected }) => {
    const recorded = new Recorded('merchant:m-1');
    for (const one of rows) recorded.add(one);
    const found = recorded.compare(NOTHING_STORED);
    expect(found.map((one) => one.kind === 'sum' && [one.sum, one.expected])).toEqual(expected);
  });
});

describe('a payment of 8.00 that home remembers, and no row says where it counts', () => {
  const remembered = {
    ...{ id: 'default:o-1', nonce: 'n-1', digest: 'asked', amount: 800, count: 1, late: false },
    state: 'confirmed' as const,
  };
  const today = new Date('2026-03-02T09:00:00.000Z');
  const yesterday = new Date('2026-03-01T09:00:00.000Z');

  // prettier-ignore
  it.each([
    { used: 800, settled: remembered,                       differs: [],    why: 'it may count here' },
    { used: 900, settled: remembered,                       differs: [800], why: 'it explains no more than itself' },
    { used: 0,   settled: remembered,                       differs: [],    why: 'it may count elsewhere' },
    { used: 800, settled: { ...remembered, at: today },     differs: [],    why: 'it was counted since' },
    { used: 800, settled: { ...remembered, at: yesterday }, differs: [0],   why: 'it was counted before' },
  ])('expects $differs of $used used, because $why', ({ used, settled, differs }) => {
    const sums = { usedAmount: used, usedCount: 0, heldAmount: 0, heldCount: 0 };
    const found = new Recorded('user:u-1').compare({
      ...{ ...NOTHING_STORED, settled: [settled] },
      buckets: [{ counter: 'digest', ...TODAY, ...sums }],
    });
    expect(found.map((one) => one.kind === 'sum' && one.expected)).toEqual(differs);
  });
});

describe('a sum that no number says exactly', () => {
  const most = Number.MAX_SAFE_INTEGER;
  const confirmed = (nonce: string, amountMinor: number): RecordedRow => ({
    ...{ ...PAYMENT, nonce, amountMinor, outcome: 'confirmed' },
    shares: [{ document: 'user:u-1', buckets: [{ counter: 'digest', ...TODAY }] }],
  });
  const back = (nonce: string, amountMinor: number): RecordedRow => ({
    ...{ ...confirmed(nonce, amountMinor), outcome: 'refunded', count: 0 },
  });

  // prettier-ignore
  it.each([
    { used: most,     held: 0, rows: [confirmed('n-1', most)],                                               differs: [],       why: 'it is the largest exact one' },
    { used: most + 1, held: 0, rows: [confirmed('n-1', most), confirmed('n-2', 1)],                          differs: ['usedAmount', 'heldAmount'], why: 'the document has more, of both together' },
    { used: most,     held: 0, rows: [confirmed('n-1', most), confirmed('n-2', 2)],                          differs: ['usedAmount'], why: 'its rows add up to more' },
    { used: most,     held: 0, rows: [confirmed('n-1', most), confirmed('n-2', 2), back('n-1', 2)],          differs: ['usedAmount'], why: 'its rows were rounded on the way' },
    { used: most - 1, held: 2, rows: [confirmed('n-1', most - 1)],                                           differs: ['heldAmount'], why: 'used and held are stored together' },
  ])('is told of $used used and $held held: $differs, because $why', ({ used, held, rows, differs }) => {
    const recorded = new Recorded('user:u-1');
    for (const one of rows) recorded.add(one);
    const usedCount = rows.filter(({ outcome }) => outcome === 'confirmed').length;
    const sums = { usedAmount: used, usedCount, heldAmount: held, heldCount: 0 };
    const found = recorded.compare({
      ...NOTHING_STORED,
      buckets: [{ counter: 'digest', ...TODAY, ...sums }],
    });
    expect(found.map((one) => one.kind === 'beyond' && one.sum)).toEqual(differs);
  });
});

describe('the number of open holds of a document with one hold and two shares', () => {
  const NAMES = ['digest 0hl62o'];
  const entered = entrantsAt(placesOf([], NAMES).list);
  const hold: Hold = {
    ...{ state: 'open', id: 'default:o-1', nonce: 'n-1', digest: 'asked', amount: 0, count: 1 },
    ...{ leftOut: [], until: TODAY.until, places: placesOf([], NAMES) },
  };
  const share: Hold = { ...hold, nonce: 'n-2', home: 'user:u-2' };
  const holds = [hold, share, { ...share, nonce: 'n-3', places: placesOf([], []) }];

  // prettier-ignore
  it.each([
    { counts: { open: 1, shares: 2, [entered]: 2 },                differs: [], why: 'they are what is there' },
    { counts: { open: 101, shares: 2, [entered]: 2 },              differs: [['open', 101, 1]], why: '100 holds that nobody has take places' },
    { counts: { open: 1, shares: 0, [entered]: 2 },                differs: [['shares', 0, 2]], why: 'too many shares find a place' },
    { counts: { open: 1, shares: 2, [entered]: 1 },                differs: [[entered, 1, 2]], why: 'the buckets would go before the last hold' },
    { counts: { open: 1, shares: 2, [entered]: 2, 'p.gone.n': 0 }, differs: [], why: 'names may stay for a while after the last hold' },
    { counts: { open: 1, shares: 2, [entered]: 2, 'p.gone.n': 1 }, differs: [['p.gone.n', 1, 0]], why: 'these buckets would never go' },
    { counts: {},                                                  differs: [['open', 0, 1], [entered, 0, 2], ['shares', 0, 2]], why: 'a field that is gone counts nothing' },
  ])('of $counts: $differs differs, because $why', ({ counts: openCounts, differs }) => {
    const found = new Recorded('user:u-1').compare({ ...NOTHING_STORED, holds, openCounts });
    expect(found).toEqual(
      differs.map(([field, stored, expected]) => ({ kind: 'open', field, stored, expected })),
    );
  });
});

describe('an attempt that nobody ended, and that one use of the document may be', () => {
  const COUNTER = 'digest~acn~x';
  const bucket = { counter: COUNTER, ...TODAY };
  const ended = new Date('2026-03-02T09:15:00.000Z');
  const row: RecordedRow = {
    ...{ ...PAYMENT, outcome: 'held', holdExpiresAt: ended },
    shares: [{ document: 'user:u-1', buckets: [bucket] }],
  };
  const open: RecordedRow = { ...row, holdExpiresAt: new Date('2026-03-02T10:15:00.000Z') };
  const back: RecordedRow = { ...row, outcome: 'rolledBack', holdExpiresAt: undefined };
  const hold: Hold = {
    ...{ state: 'expired', id: 'default:o-1', nonce: 'n-1', digest: 'asked', leftOut: [] },
    ...{ amount: 800, count: 1, until: ended, places: placesOf([bucket], [bucketName(bucket)]) },
  };
  const settled = { ...hold, state: 'rolledBack', late: true } as const;
  const missed = [{ kind: 'sum', sum: 'usedCount', expected: 0 }];

  // prettier-ignore
  it.each([
    { rows: [row],       stored: {},                       differs: [],     why: 'its row tells when it expired' },
    { rows: [],          stored: { expired: [hold] },      differs: [],     why: 'the document remembers it, and its row got lost' },
    { rows: [row],       stored: { expired: [hold] },      differs: [],     why: 'it is one attempt' },
    { rows: [row, back], stored: {},                       differs: missed, why: 'it ended after all' },
    { rows: [row],       stored: { settled: [settled] },   differs: missed, why: 'home knows that it ended' },
    { rows: [row],       stored: { holds: [{ ...hold, state: 'open' as const }] }, differs: missed, why: 'it is held still' },
    { rows: [open],      stored: {},                       differs: [...missed, { kind: 'hold' }], why: 'its time is not over' },
    { rows: [],          stored: {},                       differs: missed, why: 'nothing tells of it' },
  ])('$stored and its rows explain the use but for $differs, because $why', ({ rows, stored, differs }) => {
    const recorded = new Recorded('user:u-1');
    for (const one of rows) recorded.add(one);
    const sums = { usedAmount: null, usedCount: 1, heldAmount: null, heldCount: 0 };
    const found = recorded.compare({
      ...{ ...NOTHING_STORED, openCounts: {}, buckets: [{ ...bucket, ...sums }], ...stored },
    });
    const used = found.filter((one) => one.kind === 'hold' || (one.kind === 'sum' && one.sum === 'usedCount'));
    expect(used).toMatchObject(differs);
    expect(used).toHaveLength(differs.length);
  });

  it('is looked for among ends whose windows are over', () => {
    const recorded = new Recorded('user:u-1');
    recorded.add(row);
    expect(recorded.untold(NOTHING_STORED)).toMatchObject([{ id: 'default:o-1', nonce: 'n-1' }]);
    const ordinary = new Recorded('user:u-1');
    ordinary.add({
      ...row,
      shares: [{ document: 'user:u-1', buckets: [{ ...bucket, counter: 'digest' }] }],
    });
    expect(ordinary.untold(NOTHING_STORED)).toEqual([]);
  });
});
