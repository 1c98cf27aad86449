import { expect, it } from 'vitest';
import { mostLike } from '../../lib/shared/similar.ts';

const KNOWN = ['amount', 'currency', 'orderId', 'subjects', 'per', 'max', 'merchant'];

it.each([
  { word: 'amout', is: 'amount', why: 'a letter is missing' },
  { word: 'ammount', is: 'amount', why: 'there is one more' },
  { word: 'mercahnt', is: 'merchant', why: 'two are swapped' },
  { word: 'order_id', is: 'orderId', why: 'it is written otherwise' },
  { word: 'Currency', is: 'currency', why: 'it is written large' },
  { word: 'subject', is: 'subjects', why: 'it is one of several' },
  { word: 'mx', is: 'max', why: 'a short word has one slip' },
  { word: 'pre', is: 'per', why: 'a swap is one slip' },
  { word: 'amnt', is: 'amount', why: 'two letters are missing' },
  { word: 'user', is: undefined, why: 'it is another word' },
  { word: 'amount', is: undefined, why: 'it is the word itself' },
  { word: 'm', is: undefined, why: 'so short a word may be anything' },
  { word: 'a'.repeat(100_000), is: undefined, why: 'that is no word' },
])('$word: $is, because $why', ({ word, is }) => {
  expect(mostLike(word, KNOWN)).toBe(is);
});
