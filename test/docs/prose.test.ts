import { describe, expect, it } from 'vitest';
import { PAGES } from './pages.ts';
import { hardSentencesOf } from './prose.ts';
import { oddWordsOf } from './texts.ts';

/** For those who use Headroom. */
const FOR_USERS = PAGES.filter(({ path }) => /^(README|docs\/[a-z-]+)\.md$/.test(path));
const INTERNALS = PAGES.filter(({ path }) => path.startsWith('docs/internals/'));
/** As many as somebody can read in an afternoon, and what operators read on another day. */
const WORDS_MAX = 23_000;

it.each(PAGES)(
  'each sentence can be understood at the first reading of $path',
  async ({ text }) => {
    expect(await hardSentencesOf(text)).toEqual([]);
  },
);

/** Paragraphs, items and cells, without headings and code. */
function partsOf(text: string): readonly string[] {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/^#.*$/gm, '');
  return prose.split(/\n|\|/).map((part) => part.replace(/^[-\d. ]+/, '').trim());
}

/** The words of the core for a hold that is over and still summed. */
const DESIGN = 'docs/internals/design.md';

it.each(PAGES.filter(({ path }) => path !== DESIGN))(
  '$path uses common words, subject first',
  ({ text }) => {
    expect(partsOf(text).flatMap(oddWordsOf)).toEqual([]);
  },
);

/** Words that only its authors understand at once. */
const OF_OUR_OWN = /\b(as good|by (itself|themselves)|nobody (told|said))\b/gi;

it.each(FOR_USERS)('$path has no words of our own', ({ text }) => {
  expect(partsOf(text).flatMap((part) => part.match(OF_OUR_OWN) ?? [])).toEqual([]);
});

it(`README and docs have at most ${WORDS_MAX} words, without internals and code`, () => {
  const prose = FOR_USERS.map(({ text }) => text.replaceAll(/^```.*?^```$/gms, '')).join('\n');
  const words = prose.match(/[^\s|]*\w[^\s|]*/g) ?? [];
  expect(words.length).toBeLessThanOrEqual(WORDS_MAX);
});

it.each([...FOR_USERS, ...INTERNALS])(
  '$path says in its first line who it is for',
  ({ path, text }) => {
    const [, first = ''] = text.split('\n').filter((line) => line !== '');
    expect(first).toMatch(
      path === 'README.md' ? /^Transaction limits / : /^For (any|every|developers|support)/,
    );
  },
);

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
