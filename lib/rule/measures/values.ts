import { DISTINCT_MAX } from '../../shared/bounds.ts';
import { nameDigest, valueDigest } from '../counter-key.ts';
import { valueOf } from '../rule.ts';
import type { Language } from '../../shared/language.ts';
import type { CountWords, Measure } from './measure.ts';

/** Different values of a name. A value is stored as a digest, and never told. */
export const values: Measure = {
  isOf: ({ distinct }) => distinct !== undefined,
  scope: ({ distinct = '' }) => ['distinct', distinct],
  name: ({ distinct = '' }) => nameDigest(distinct),
  names: ({ distinct = '' }) => [distinct],
  needs: ({ distinct = '' }) => [distinct],
  // `1` and `"1"` are one value.
  kept({ distinct = '' }, order) {
    const value = valueOf(order, distinct);
    if (value === undefined) return undefined;
    return [nameDigest(distinct), valueDigest(String(value))];
  },
  countMax: DISTINCT_MAX,
  others: 'different values',
  told: ({ distinct = '' }) => ({ distinct }),
  words: ({ distinct = '' }, language) => WORDS[language](distinct),
};

const WORDS: Readonly<Record<Language, (name: string) => CountWords>> = {
  en: (name) => ({
    count: (figure, isOne) => `${figure} ${isOne ? 'value' : 'different values'} of ${name}`,
    asked: 'asked for another one',
  }),
  zh: (name) => ({ count: (figure) => `${figure}个不同的${name}`, asked: '本次为另一个' }),
};
