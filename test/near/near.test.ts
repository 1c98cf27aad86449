import { describe, expect, it } from 'vitest';
import { AMOUNT_MINOR_MAX } from '../../lib/shared/bounds.ts';
import { percentsCrossed } from '../../lib/limits/near-row.ts';

const amount = (amountMinor: number) => ({ amountMinor });
const LARGEST = AMOUNT_MINOR_MAX;

describe('a payment crosses parts of a maximum', () => {
  it.each([
    { max: 1_000, after: 499, by: 100, crosses: [], why: 'it stays below the first' },
    { max: 1_000, after: 500, by: 1, crosses: [50], why: 'the part itself is reached' },
    { max: 1_000, after: 600, by: 100, crosses: [], why: 'half was taken before' },
    { max: 1_000, after: 800, by: 200, crosses: [80], why: 'it comes from below 80 %' },
    { max: 1_000, after: 949, by: 149, crosses: [], why: '80 % were taken before, to the unit' },
    { max: 1_000, after: 1_000, by: 1, crosses: [100], why: 'nothing is left' },
    { max: 1_000, after: 1_000, by: 1_000, crosses: [50, 80, 95, 100], why: 'it took all at once' },
    { max: 1_000, after: 960, by: 500, crosses: [50, 80, 95], why: 'it jumped' },
    { max: 1_000, after: 1_400, by: 300, crosses: [], why: 'it was exceeded before' },
    { max: 1_000, after: 1_400, by: 500, crosses: [95, 100], why: 'a record may exceed' },
    { max: 3, after: 1, by: 1, crosses: [], why: 'a third is less than half' },
    { max: 3, after: 2, by: 1, crosses: [50], why: 'two thirds are less than 80 %' },
    { max: 3, after: 3, by: 1, crosses: [80, 95, 100], why: 'the last of three' },
    { max: 1, after: 1, by: 1, crosses: [50, 80, 95, 100], why: 'the only one' },
    { max: 99, after: 79, by: 1, crosses: [], why: '80 % of 99 are 79.2' },
    { max: 99, after: 80, by: 1, crosses: [80], why: 'the next unit is above 79.2' },
    { max: 0, after: 0, by: 0, crosses: [], why: 'nothing of nothing is near nothing' },
    { max: 0, after: 5, by: 5, crosses: [50, 80, 95, 100], why: 'anything of nothing is all' },
    { max: LARGEST, after: LARGEST / 2 - 1, by: 1, crosses: [], why: 'sums stay exact' },
    { max: LARGEST, after: LARGEST / 2, by: 1, crosses: [50], why: 'of the largest maximum too' },
    { max: LARGEST - 1, after: 949_999_999_999_999, by: 1, crosses: [], why: '95 % need .05 more' },
    { max: LARGEST - 1, after: 950_000_000_000_000, by: 1, crosses: [95], why: 'here they are' },
  ])('of $max: $crosses at $after after $by more, for $why', ({ max, after, by, crosses }) => {
    expect(percentsCrossed(amount(max), amount(after), amount(by))).toEqual(crosses);
  });

  it.each([
    { after: [200, 5], by: [10, 1], crosses: [50], why: 'the count alone is near' },
    { after: [500, 6], by: [100, 1], crosses: [], why: 'the count was at half before the amount' },
    { after: [800, 9], by: [400, 1], crosses: [], why: 'the count was further all along' },
    { after: [1_000, 9], by: [100, 1], crosses: [95, 100], why: 'the amount overtakes it' },
  ])(
    'by the larger of amount and count: $crosses, because $why',
    ({ after: [amountMinor = 0, count = 0], by: [more = 0, one = 0], crosses }) => {
      const max = { amountMinor: 1_000, count: 10 };
      const by = { amountMinor: more, count: one };
      const after = { amountMinor, count };
      expect(percentsCrossed(max, after, by)).toEqual(crosses);
    },
  );

  it('of no kind where nothing is limited', () => {
    expect(percentsCrossed({}, { amountMinor: 9, count: 9 }, { amountMinor: 9, count: 9 })).toEqual(
      [],
    );
  });
});
