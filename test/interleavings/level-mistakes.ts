/** Rules of sums that something lowers, each left out once. */
import type { Update } from '../../lib/document/update.ts';
import { countingMore } from './failure-mistakes.ts';
import type { Mistake } from './mistakes.ts';
import { sending } from './mistakes.ts';
import type { Stored } from './stored.ts';
import { bucketsOf } from './stored.ts';

/** An expression, and all within it, of which each comparison of a level is another one. */
function comparing(expression: unknown, other: (sum: unknown, most: unknown) => unknown): unknown {
  if (typeof expression !== 'object' || expression === null || expression instanceof Date)
    return expression;
  if (Array.isArray(expression)) return expression.map((each) => comparing(each, other));
  if (isLevel(expression)) return other(...expression.$lte);
  return Object.fromEntries(
    Object.entries(expression).map(([field, value]) => [field, comparing(value, other)]),
  );
}

/** An update whose filter compares levels otherwise. */
function adding(update: Update, other: (sum: unknown, most: unknown) => unknown): Update {
  const { $expr, ...others } = update.filter;
  if ($expr === undefined) return update;
  return { ...update, filter: { ...others, $expr: comparing($expr, other) } };
}

/** Whether an expression compares a difference with a number, as nothing but a level is. */
function isLevel(value: object): value is { readonly $lte: readonly [unknown, unknown] } {
  if (!('$lte' in value) || !Array.isArray(value.$lte)) return false;
  const [less] = value.$lte as readonly unknown[];
  return typeof less === 'object' && less !== null && '$subtract' in less;
}

/** Buckets of what lowers a sum use whatever they hold. */
function withHeldUsed<Found extends Stored>(stored: Found): Found {
  const { b: buckets } = stored;
  if (typeof buckets !== 'object' || buckets === null) return stored;
  const b = Object.entries(buckets).map(([name, sums]: [string, Sums]) => [
    name,
    LOWERS.test(name) ? { ...sums, ua: sums.a ?? 0 } : sums,
  ]);
  return { ...stored, b: Object.fromEntries(b) };
}

type Sums = { readonly a?: unknown };

/** The name of a bucket of what lowers a sum. */
const LOWERS = /^[^ ]*~[acn]*t /;

/** An expression that takes off whatever is in a bucket where it took off what is used there. */
function takingAll(expression: unknown): unknown {
  if (typeof expression === 'string') return expression.replace(/\.ua$/, '.a');
  if (typeof expression !== 'object' || expression === null) return expression;
  if (Array.isArray(expression)) return expression.map(takingAll);
  return Object.fromEntries(
    Object.entries(expression).map(([field, value]) => [field, takingAll(value)]),
  );
}

export const HELD_MAKES_ROOM: Mistake = {
  name: 'an order that lowers makes room while it is held',
  statements: (statements) => ({
    ...statements,
    update: (update, endsAtMs) =>
      statements.update(
        adding(update, (sum, most) => ({ $lte: [takingAll(sum), most] })),
        endsAtMs,
      ),
    find: async (...asked) => (await statements.find(...asked)).map(withHeldUsed),
  }),
};

export const NO_LEVEL_COMPARED: Mistake = {
  name: 'the add does not compare the level',
  statements: sending((update) => adding(update, () => ({ $lte: [0, 0] }))),
};

export const RAISES_AS_WELL = countingMore(
  'an order that lowers raises the sum as well once it is confirmed',
  (before, after) => {
    const used = new Map(bucketsOf(before).map(({ name, usedAmount }) => [name, usedAmount]));
    return bucketsOf(after).flatMap(({ name, usedAmount }) => {
      const amount = usedAmount - (used.get(name) ?? 0);
      const isMore = LOWERS.test(name) && amount > 0;
      return isMore ? [{ bucket: name.replace('t ', 's '), amount }] : [];
    });
  },
);
