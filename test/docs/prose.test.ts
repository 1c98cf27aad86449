import { describe, expect, it } from 'vitest';
import { PAGES } from './pages.ts';
import { hardSentencesOf } from './prose.ts';

/** Pages that are still to be rewritten. */
const LATER = /^docs\/(internals\/.*|command-line)\.md$|^packages\//;

describe('each sentence can be understood at the first reading', () => {
  it.each(PAGES.filter(({ path }) => !LATER.test(path)))('of $path', async ({ text }) => {
    expect(await hardSentencesOf(text)).toEqual([]);
  });
});

describe('a hard sentence is one that', () => {
  it.each([
    {
      text: 'One two three four five six seven eight nine ten eleven twelve thirteen, one two three four five six seven eight nine ten eleven twelve thirteen.',
      why: '26 words',
    },
    {
      text: 'The order is held, the share is taken, and the row is written.',
      why: '3 passive verbs',
    },
    {
      text: 'Administrative interdependencies necessitate comprehensive methodologies and multidimensional organizational reinterpretation internationally, notwithstanding considerations.',
      why: 'Unexpected hard to read sentence, according to 6 out of 7 algorithms',
    },
  ])('$why', async ({ text, why }) => {
    expect((await hardSentencesOf(text)).map((hard) => hard.why)).toEqual([why]);
  });
});
