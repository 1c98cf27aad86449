import { expect, it } from 'vitest';
import { en } from '../src/words/en.ts';
import { zh } from '../src/words/zh.ts';

/** The places that a text has for values, each by its name. */
const placesIn = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g))].sort().join();

it('the words of the console are the same in both languages, with the same places for values', () => {
  const placesOf = (words: object) =>
    Object.entries(words).map(([name, text]) => `${name} ${placesIn(String(text))}`);
  expect(placesOf(zh).sort()).toEqual(placesOf(en).sort());
});

it('no value of a word is named so that it would stand there as it is', () => {
  const isBare = (text: unknown): boolean => /(?<!\{)\{\w+\}/.test(String(text));
  expect([...Object.values(en), ...Object.values(zh)].filter(isBare)).toEqual([]);
  expect(isBare('for {codes}')).toBe(true);
});
