import { DISTINCT_MAX } from '../../shared/bounds.ts';
import { digestOf } from '../../shared/digest.ts';
import { valueOf } from '../rule.ts';
import type { Measure } from './measure.ts';

/** Different values of a name. A value is stored as a digest, and never told. */
export const values: Measure = {
  isOf: ({ distinct }) => distinct !== undefined,
  scope: ({ distinct = '' }) => ['distinct', distinct],
  name: ({ distinct = '' }) => digestOf(distinct).slice(0, NAME_LENGTH),
  names: ({ distinct = '' }) => [distinct],
  needs: ({ distinct = '' }) => [distinct],
  // `1` and `"1"` are one value.
  kept({ distinct = '' }, order) {
    const value = valueOf(order, distinct);
    if (value === undefined) return undefined;
    return [
      digestOf(distinct).slice(0, NAME_LENGTH),
      digestOf(String(value)).slice(0, VALUE_LENGTH),
    ];
  },
  countMax: DISTINCT_MAX,
  isOfOthers: true,
};

/** Characters of digests: 60 bits for a value, where one counter has some hundred at most. */
const [NAME_LENGTH, VALUE_LENGTH] = [6, 10];
