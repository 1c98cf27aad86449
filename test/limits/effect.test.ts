import { describe, expect, it } from 'vitest';
import type { ShareBefore, ShareOutcome } from '../../lib/counter/effect.ts';
import { effectOf, isOver } from '../../lib/counter/effect.ts';

const END = new Date('2026-03-03T00:00:00.000Z');
const BEFORE_END = new Date(END.getTime() - 1);
const NOTHING = { usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };
/** 700 held, 900 in the end, two payments. */
const SHARE = { amount: 700, count: 2 };
const endAs = (to: ShareOutcome) => ({ to, amountMinor: to === 'expired' ? undefined : 900 });
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
    expect(effectOf(bucket, before, endAs(outcome), SHARE, at)).toEqual(effect);
  });

  // prettier-ignore
  it.each<{ ends: string; before: ShareBefore; outcome: ShareOutcome; effect: object; at?: Date; why: string }>([
    { ends: 'x', before: 'nothing', outcome: 'held', effect: HELD, why: 'it may expire' },
    { ends: 'x', before: 'open', outcome: 'expired', effect: { ...FREED, usedAmount: 700, usedCount: 2 }, why: 'nobody ended it' },
    { ends: 'x', before: 'open', outcome: 'confirmed', effect: FREED, why: 'somebody ended it in time' },
    { ends: 'x', before: 'open', outcome: 'withdrawn', effect: FREED, why: 'the attempt was refused elsewhere' },
    { ends: 'x', before: 'over', outcome: 'confirmed', effect: { ...NOTHING, usedAmount: -700, usedCount: -2 }, why: 'it ended after all' },
    { ends: 'x', before: 'over', outcome: 'confirmed', effect: NOTHING, at: END, why: 'the window is over' },
    { ends: 'x', before: 'over', outcome: 'rolledBack', effect: { ...NOTHING, usedAmount: -700, usedCount: -2 }, why: 'it ended after all' },
    { ends: 'cx', before: 'over', outcome: 'confirmed', effect: { ...NOTHING, usedAmount: 200, usedCount: 0 }, why: 'the amount is the final one' },
    { ends: 'cx', before: 'over', outcome: 'confirmed', effect: NOTHING, at: END, why: 'the window is over' },
    { ends: 'crx', before: 'over', outcome: 'rolledBack', effect: { ...NOTHING, usedAmount: 200, usedCount: 0 }, why: 'it counts either way' },
    { ends: 'r', before: 'open', outcome: 'expired', effect: FREED, why: 'only failures count' },
    { ends: 'r', before: 'over', outcome: 'confirmed', effect: NOTHING, why: 'it did not count before' },
  ])('where $ends counts: $before, then $outcome, because $why', ({ ends, before, outcome, effect, at = BEFORE_END }) => {
    const end = endAs(outcome);
    const found = effectOf({ counter: `day-amount~ac~${ends}`, until: END }, before, end, SHARE, at);
    expect(found).toEqual(effect);
    const one = effectOf({ counter: `day-amount~ac~${ends}~~k3_9aB`, until: END }, before, end, { ...SHARE, values: { k3_9aB: 'v' } }, at);
    expect(one.cells).toEqual({ v: { used: found.usedCount, held: found.heldCount } });
  });

  it.each([
    { counter: 'day-amount', usedAmount: -900, usedCount: -2 },
    { counter: 'day-amount~a', usedAmount: 0, usedCount: -2 },
    { counter: 'day-amount~c', usedAmount: -900, usedCount: 0 },
    { counter: 'day-amount~ac', usedAmount: 0, usedCount: 0 },
  ])('a refund takes off $counter what it does not keep', ({ counter, usedAmount, usedCount }) => {
    const effect = effectOf({ counter, until: END }, 'counted', endAs('refunded'), SHARE);
    expect(effect).toEqual({ ...NOTHING, usedAmount, usedCount });
  });
});

it('a hold or a window is over from its end on', () => {
  expect(isOver({ until: END }, BEFORE_END)).toBe(false);
  expect(isOver({ until: END }, END)).toBe(true);
});
