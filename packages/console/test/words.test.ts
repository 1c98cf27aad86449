import { describe, expect, it } from 'vitest';
import { en } from '../src/words/en.ts';
import { zh } from '../src/words/zh.ts';

const namesIn = (text: string) =>
  new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));

describe('the words of the console', () => {
  it('are the same in both languages', () => {
    expect(Object.keys(zh).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.entries(en).map(([word, text]) => ({ word, text })))(
    '$word is filled in with the same in Chinese',
    ({ word, text }) => {
      const other = Object.entries(zh).find(([name]) => name === word)?.[1] ?? '';
      expect(namesIn(other)).toEqual(namesIn(text));
    },
  );
});
