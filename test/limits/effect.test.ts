import { describe, expect, it } from 'vitest';
import type { ShareBefore, ShareOutcome } from '../../lib/document/effect.ts';
import { effectOf, isOver } from '../../lib/document/effect.ts';

const END = new Date('2026-03-03T00:00:00.000Z');
const BEFORE_END = new Date(END.getTime() - 1);
const NOTHING = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };
/** 700 held, 900 in the end, two payments. */
const SHARE = { amount: 700, count: 2, finalMinor: 900 };
const HELD = { ...NOTHING, heldAmount: 700, heldCount: 2 };
const FREED = { ...NOTHING, heldAmount: -700, heldCount: -2 };
const USED = { ...NOTHING, usedAmount: 900, usedCount: 2 };

const ROWS: readonly [ShareBefore, ShareOutcome, object, at?: Date][] = [
  ['nothing', 'held', HELD],
  ['nothing', 'confirmed', USED],
  ['open', 'confirmed', { ...FREED, usedAmount: 900, usedCount: 2 }],
  // A window may end while a hold is open, or while it is counted: the payment stays in it.
  ['nothing', 'confirmed', USED, END],
  ['open', 'confirmed', { ...FREED, usedAmount: 900, usedCount: 2 }, END],
  ['open', 'rolledBack', FREED],
  ['open', 'expired', FREED],
  ['open', 'dropped', FREED],
  ['over', 'confirmed', USED, BEFORE_END],
  ['over', 'confirmed', NOTHING, END],
  ['over', 'rolledBack', NOTHING],
  ['over', 'dropped', NOTHING],
];

describe('what an outcome does to the sums of a bucket', () => {
  it.each(ROWS)('%s, then %s', (before, outcome, effect, at = BEFORE_END) => {
    const bucket = { counter: 'day-amount', until: END };
    expect(effectOf(bucket, before, outcome, SHARE, at)).toEqual(effect);
  });

  it.each([
    { counter: 'day-amount', usedAmount: -900, usedCount: -2 },
    { counter: 'day-amount~a', usedAmount: 0, usedCount: -2 },
    { counter: 'day-amount~c', usedAmount: -900, usedCount: 0 },
    { counter: 'day-amount~ac', usedAmount: 0, usedCount: 0 },
  ])('a refund takes off $counter what it does not keep', ({ counter, usedAmount, usedCount }) => {
    const effect = effectOf({ counter, until: END }, 'counted', 'refunded', SHARE);
    expect(effect).toEqual({ ...NOTHING, usedAmount, usedCount });
  });
});

it('a hold or a window is over from its end on', () => {
  expect(isOver({ until: END }, BEFORE_END)).toBe(false);
  expect(isOver({ until: END }, END)).toBe(true);
});
