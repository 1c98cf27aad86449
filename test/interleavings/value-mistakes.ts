/** Rules of different values, each left out once. */
import type { Update } from '../../lib/document/update.ts';
import type { Mistake } from './mistakes.ts';
import { sending } from './mistakes.ts';
import type { Stored } from './stored.ts';

/** An expression, and all within it, in which some are others. */
function within(expression: unknown, other: (each: object) => unknown): unknown {
  if (typeof expression !== 'object' || expression === null || expression instanceof Date)
    return expression;
  const changed = other(expression);
  if (changed !== undefined) return changed;
  if (Array.isArray(expression)) return expression.map((each) => within(each, other));
  return Object.fromEntries(
    Object.entries(expression).map(([field, value]) => [field, within(value, other)]),
  );
}

/** An update whose filter asks otherwise. */
function asking(update: Update, other: (each: object) => unknown): Update {
  const { $expr, ...others } = update.filter;
  if ($expr === undefined) return update;
  return { ...update, filter: { ...others, $expr: within($expr, other) } };
}

/** The path of the count of a value: of all orders, or of those that are used. */
const ALL_OF_VALUE = /^b\..*\.d\./;

type Sums = Readonly<Record<string, bigint>>;

/** An update with other sums. */
function adding(update: Update, other: (sums: Sums) => Update['update']): Update {
  const { $inc, ...rest } = update.update as { readonly $inc?: Sums };
  return $inc === undefined ? update : { ...update, update: { ...rest, ...other($inc) } };
}

/** Values that are there with nothing count as one. */
function withSpent<Found extends Stored>(stored: Found): Found {
  const { b: buckets } = stored;
  if (typeof buckets !== 'object' || buckets === null) return stored;
  const b = Object.entries(buckets).map(([name, sums]: [string, { readonly d?: object }]) => {
    if (sums.d === undefined) return [name, sums] as const;
    const d = Object.entries(sums.d).map(([value, sum]: [string, unknown]) => [
      value,
      Number(sum) === 0 ? 1 : sum,
    ]);
    return [name, { ...sums, d: Object.fromEntries(d) as object }] as const;
  });
  return { ...stored, b: Object.fromEntries(b) };
}

export const SPENT_VALUES_COUNT: Mistake = {
  name: 'a value counts that no order has any more',
  statements: (statements) => ({
    ...statements,
    update: (update, endsAtMs) =>
      statements.update(
        asking(update, (each) => ('$gt' in each ? { $gte: each.$gt } : undefined)),
        endsAtMs,
      ),
    find: async (...asked) => (await statements.find(...asked)).map(withSpent),
  }),
};

export const NO_VALUES_ASKED: Mistake = {
  name: 'the add asks for no room for another value',
  statements: sending((update) =>
    asking(update, (each) => ('$setUnion' in each ? { $literal: [] } : undefined)),
  ),
};

export const GOES_WITH_THE_FIRST: Mistake = {
  name: 'a value goes with the first of its orders that is given back',
  statements: sending((update) =>
    adding(update, (sums) => {
      const isGone = ([path, by]: readonly [string, bigint]): boolean =>
        by < 0n && ALL_OF_VALUE.test(path);
      const gone = Object.entries(sums).filter(isGone);
      const { $unset = {} } = update.update;
      if (gone.length === 0) return { $inc: sums };
      const paths = Object.fromEntries(gone.map(([path]) => [path, true]));
      const left = Object.entries(sums).filter((one) => !isGone(one));
      return { $inc: Object.fromEntries(left), $unset: { ...$unset, ...paths } };
    }),
  ),
};

export const EXPIRED_KEEPS_VALUE: Mistake = {
  name: 'what expires leaves its value',
  statements: sending((update) => {
    const { expired, kept } = update.update.$push ?? {};
    if (expired === undefined && kept === undefined) return update;
    return adding(update, (sums) => ({
      $inc: Object.fromEntries(Object.entries(sums).filter(([path]) => !ALL_OF_VALUE.test(path))),
    }));
  }),
};
