import { describe, expect, it } from 'vitest';
import { sourcesBelow } from '../support/sources.ts';
import { PAGES } from './pages.ts';
import { hardSentencesOf } from './prose.ts';
import type { CodeText } from './texts.ts';
import { oddWordsOf, remarksOf, riddleIn, textsOf } from './texts.ts';

/** For those who use Headroom. */
const FOR_USERS = PAGES.filter(({ path }) => /^(README|docs\/[a-z-]+)\.md$/.test(path));
const INTERNALS = PAGES.filter(({ path }) => path.startsWith('docs/internals/'));
/** As many as somebody can read in an afternoon, and what operators read on another day. */
const WORDS_MAX = 25_250;

/** The words of the core for a hold that is over and still summed. */
const DESIGN = 'docs/internals/design.md';

/** Words that only its authors understand at once. */
const OF_OUR_OWN = /\b(as good|by (itself|themselves)|nobody (told|said))\b/gi;

/** Paragraphs, items and cells of pages, without headings and code. */
function partsOf(pages: typeof PAGES): readonly CodeText[] {
  return pages.flatMap(({ path, text }) =>
    text
      .replaceAll(/^```.*?^```$/gms, '')
      .replaceAll(/^#.*$/gm, '')
      .split(/\n|\|/)
      .map((part) => ({ at: path, text: part.replace(/^[-\d. ]+/, '').trim() })),
  );
}

async function hardIn(texts: readonly CodeText[]): Promise<readonly string[]> {
  const hard: string[] = [];
  for (const { at, text } of texts)
    for (const { why, sentence } of await hardSentencesOf(text))
      hard.push(`${at}: ${why}: ${sentence}`);
  return hard;
}

function foundIn(
  texts: readonly CodeText[],
  look: (text: string) => readonly string[],
): readonly string[] {
  return texts.flatMap(({ at, text }) => look(text).map((found) => `${at}: ${found}`));
}

describe('pages', () => {
  it('can be understood at the first reading', async () => {
    expect(await hardIn(PAGES.map(({ path, text }) => ({ at: path, text })))).toEqual([]);
    const long = `${'One two three four five, '.repeat(5)}six.`;
    expect(await hardIn([{ at: 'a page', text: long }])).toEqual([`a page: 26 words: ${long}`]);
  });

  it('use common words, subject first', () => {
    const parts = partsOf(PAGES.filter(({ path }) => path !== DESIGN));
    expect(foundIn(parts, oddWordsOf)).toEqual([]);
    expect(oddWordsOf('The proposal has lapsed. Of a refund.')).toHaveLength(2);
    expect(oddWordsOf('No rule applies. What is the type?')).toEqual([]);
  });

  it('for users have no words of our own', () => {
    expect(foundIn(partsOf(FOR_USERS), (text) => text.match(OF_OUR_OWN) ?? [])).toEqual([]);
  });

  it(`for users have at most ${WORDS_MAX} words, without code`, () => {
    const words = partsOf(FOR_USERS).flatMap(({ text }) => text.match(/[^\s|]*\w[^\s|]*/g) ?? []);
    expect(words.length).toBeLessThanOrEqual(WORDS_MAX);
  });

  it('say in their first line who they are for', () => {
    const isSaid = ({ path, text }: (typeof PAGES)[number]): boolean => {
      const [, first = ''] = text.split('\n').filter((line) => line !== '');
      return path === 'README.md'
        ? first.startsWith('Transaction limits ')
        : /^For (any|every|developers|support)/.test(first);
    };
    const silent = [...FOR_USERS, ...INTERNALS].filter((page) => !isSaid(page));
    expect(silent.map(({ path }) => path)).toEqual([]);
  });
});

/** Errors, refusals and descriptions of the API; help, output and findings of commands; the console. */
const TEXTS = [
  ...['bench', 'cli', 'contract', 'functions', 'infra', 'lib', 'tools'],
  ...['packages/cdk/src', 'packages/client/src'],
  'packages/console/src/words',
]
  .flatMap(sourcesBelow)
  // It writes TypeScript, which is no prose.
  .filter(({ path }) => !path.endsWith('/client-types.ts'))
  .flatMap(textsOf);

describe('texts that a user can meet', () => {
  it('can be understood at the first reading', async () => {
    expect(await hardIn(TEXTS)).toEqual([]);
    // Errors, help and descriptions are among them.
    const all = TEXTS.map(({ text }) => text);
    expect(all.filter((text) => text.includes('send the same call again'))).not.toEqual([]);
    expect(all).toContain('Prints the stored rules as a file.');
    expect(all).toContain('The first instant at which the hold no longer counts.');
  });

  it('use common words, subject first', () => {
    expect(foundIn(TEXTS, oddWordsOf)).toEqual([]);
  });
});

/** All code by people. The types of the client have their comments from the API. */
const REMARKS = [
  ...['bench', 'cli', 'contract', 'functions', 'infra', 'lib', 'test', 'tools'],
  ...['packages/cdk/src'],
  ...['packages/client/src', 'packages/documentdb-local'],
]
  .flatMap(sourcesBelow)
  .filter(({ path }) => !['packages/client/src/api.ts', 'test/docs/prose.test.ts'].includes(path))
  .flatMap(remarksOf);

/** In the others, comments are rewritten as they are touched. */
const REWRITTEN = /^(bench|cli|contract|functions|infra|packages|tools)\//;

describe('comments and names of tests', () => {
  it('have no riddles', () => {
    expect(foundIn(REMARKS, (text) => riddleIn(text) ?? [])).toEqual([]);
    expect(REMARKS.length).toBeGreaterThan(5_000); // the search does find them
    expect(riddleIn('It waits. The same for a hold.')).toEqual(['. The same']);
    expect(riddleIn('Says `whoever` and begins again.')).toBeUndefined();
  });

  it('beside the library use common words, subject first', () => {
    const beside = REMARKS.filter(({ at }) => REWRITTEN.test(at));
    expect(foundIn(beside, oddWordsOf)).toEqual([]);
    expect(beside.length).toBeGreaterThan(2_000);
  });
});
