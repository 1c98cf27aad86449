/** Rules of different values, each left out once. */
import type { Update } from '../../lib/document/update.ts';
import type { Mistake, StoredSums } from './planting.ts';
import { adding, expressing, incrementing, seeing, sending } from './planting.ts';

/** The path of the count of a value: of all orders, or of those that are used. */
const ALL_OF_VALUE = /^b\..*\.d\./;

/** An update whose filter asks otherwise where an operator stands. */
function operating(update: Update, operator: string, other: (asked: unknown) => unknown): Update {
  return expressing(update, (part) =>
    typeof part === 'object' && part !== null && operator in part
      ? other(part[operator as keyof typeof part])
      : undefined,
  );
}

/** Values that are there with nothing count as one. */
function withSpent({ d, ...sums }: StoredSums): StoredSums {
  if (d === undefined) return sums;
  const counted = Object.entries(d).map(
    ([value, sum]) => [value, Number(sum) === 0 ? 1 : sum] as const,
  );
  return { ...sums, d: Object.fromEntries(counted) };
}

export const SPENT_VALUES_COUNT: Mistake = {
  name: 'a value counts that no order has any more',
  found: { documents: 1, changes: ['cards'], from: 115 },
  statements: seeing(
    (update) => operating(update, '$gt', (compared) => ({ $gte: compared })),
    (_, sums) => withSpent(sums),
  ),
};

export const NO_VALUES_ASKED: Mistake = {
  name: 'the add asks for no room for another value',
  found: { documents: 1, changes: ['cards'], from: 110 },
  statements: sending((update) => operating(update, '$setUnion', () => ({ $literal: [] }))),
};

export const GOES_WITH_THE_FIRST: Mistake = {
  name: 'a value goes with the first of its orders that is given back',
  found: { documents: 1, changes: ['cards'], from: 18 },
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
  found: { documents: 2, changes: ['cards'] },
  statements: sending((update) => {
    const { expired, kept } = update.update.$push ?? {};
    if (expired === undefined && kept === undefined) return update;
    return incrementing(update, (path, by) => (ALL_OF_VALUE.test(path) ? [] : [[path, by]]));
  }),
};
