/** Rules of sums that something lowers, each left out once. */
import type { Update } from '../../lib/document/update.ts';
import { countingMore } from './failure-mistakes.ts';
import type { Mistake } from './planting.ts';
import { expressing, foundIn, inExpression, seeing, sending } from './planting.ts';
import { KEYS, bucketsOf } from './stored.ts';

/** An update whose filter compares levels otherwise. */
function comparing(update: Update, other: (sum: unknown, most: unknown) => unknown): Update {
  return expressing(update, (part) => (isLevel(part) ? other(...part.$lte) : undefined));
}

/** Whether an expression compares a difference with a number, as nothing but a level is. */
function isLevel(value: unknown): value is { readonly $lte: readonly [unknown, unknown] } {
  if (typeof value !== 'object' || value === null) return false;
  if (!('$lte' in value) || !Array.isArray(value.$lte)) return false;
  const [less] = value.$lte as readonly unknown[];
  return typeof less === 'object' && less !== null && '$subtract' in less;
}

/** An expression that takes off whatever is in a bucket where it took off what is used there. */
const takingAll = (expression: unknown): unknown =>
  inExpression(expression, (part) =>
    typeof part === 'string' ? part.replace(/\.ua$/, '.a') : undefined,
  );

export const HELD_MAKES_ROOM: Mistake = {
  name: 'an order that lowers makes room while it is held',
  found: { documents: 2, changes: ['levels'], from: 13 },
  statements: seeing(
    (update) => comparing(update, (sum, most) => ({ $lte: [takingAll(sum), most] })),
    // What lowers a sum uses whatever it holds.
    (bucket, sums) => (KEYS.ofLowering.test(bucket) ? { ...sums, ua: sums.a ?? 0 } : sums),
  ),
};

export const NO_LEVEL_COMPARED: Mistake = {
  name: 'the add does not compare the level',
  found: { documents: 1, changes: ['levels'], from: 16 },
  statements: sending((update) => comparing(update, () => ({ $lte: [0, 0] }))),
};

export const RAISES_AS_WELL = foundIn(
  { documents: 2, changes: ['levels'], from: 7 },
  countingMore(
    'an order that lowers raises the sum as well once it is confirmed',
    (before, after) => {
      const used = new Map(bucketsOf(before).map(({ name, usedAmount }) => [name, usedAmount]));
      return bucketsOf(after).flatMap(({ name, usedAmount }) => {
        const amount = usedAmount - (used.get(name) ?? 0);
        const isMore = KEYS.ofLowering.test(name) && amount > 0;
        return isMore ? [{ bucket: name.replace('t ', 's '), amount }] : [];
      });
    },
  ),
);
