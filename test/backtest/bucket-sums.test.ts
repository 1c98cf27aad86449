import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { BucketSums } from '../../lib/backtest/bucket-sums.ts';
import {
  NONE_HELD,
  TIMES,
  addSums,
  bucketsIn,
  dropEmpty,
  dropOver,
  bucketPlace,
} from '../../lib/backtest/bucket-sums.ts';
import { noNames } from '../../lib/backtest/known-names.ts';
import type { Bucket, BucketReference } from '../../lib/counter/sums.ts';
import { holdsAny } from '../../lib/counter/sums.ts';
import { SEED } from '../support/extent.ts';

/** Counters of an amount, of a count alone, and of different values. */
const COUNTERS = ['gAmount', 'gCount~n', 'gValues~n~c~~card'];
const ENDS = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)));

const operation = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      counter: fc.constantFrom(...COUNTERS),
      until: fc.constantFrom(...ENDS),
      used: fc.nat(3),
      held: fc.nat(3),
      value: fc.constantFrom('a', 'b'),
    }),
  },
  fc.record({ do: fc.constant('dropOver' as const), at: fc.constantFrom(...ENDS) }),
  fc.record({ do: fc.constant('dropEmpty' as const) }),
);

function nameOf({ counter, until }: BucketReference): string {
  return `${counter} ${until.toISOString()}`;
}

function rowOf(bucket: Bucket): readonly unknown[] {
  const { usedAmount, usedCount, heldAmount, heldCount, cells = {} } = bucket;
  return [nameOf(bucket), usedAmount, usedCount, heldAmount, heldCount, cells];
}

it('the buckets of a replay have what was added to each, whichever went before', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
      const rows: BucketSums = {
        known: noNames(),
        numbers: Array<number>(TIMES).fill(0),
        held: NONE_HELD,
      };
      let naive: Bucket[] = [];
      for (const one of operations) {
        if (one.do === 'dropOver') {
          dropOver(rows, one.at);
          naive = naive.filter(({ until }) => until > one.at);
        } else if (one.do === 'dropEmpty') {
          dropEmpty(rows);
          naive = naive.filter(holdsAny);
        } else {
          const { used, held, value, ...name } = one;
          const isOfValues = name.counter === 'gValues~n~c~~card';
          const cells = isOfValues ? { [value]: { used, held } } : undefined;
          const by = {
            usedAmount: used * 10,
            usedCount: used,
            heldAmount: held * 10,
            heldCount: held,
          };
          addSums(rows, bucketPlace(rows, name), { ...by, ...(cells && { cells }) });
          const known = naive.find((bucket) => nameOf(bucket) === nameOf(name));
          const sumsAmounts = name.counter === 'gAmount';
          const is = known ?? { ...name, usedAmount: 0, usedCount: 0, heldAmount: 0, heldCount: 0 };
          const ofValue = is.cells?.[value] ?? { used: 0, held: 0 };
          const next = {
            counter: name.counter,
            until: name.until,
            usedAmount: sumsAmounts ? (is.usedAmount ?? 0) + used * 10 : null,
            usedCount: is.usedCount + used,
            heldAmount: sumsAmounts ? (is.heldAmount ?? 0) + held * 10 : null,
            heldCount: is.heldCount + held,
            ...(isOfValues && {
              cells: {
                ...is.cells,
                [value]: { used: ofValue.used + used, held: ofValue.held + held },
              },
            }),
          };
          naive =
            known === undefined
              ? [...naive, next]
              : naive.map((each) => (each === known ? next : each));
        }
        expect(bucketsIn(rows).map(rowOf)).toEqual(naive.map(rowOf));
      }
    }),
    { numRuns: 300, seed: SEED },
  );
  expect(NONE_HELD).toEqual([]);
});
