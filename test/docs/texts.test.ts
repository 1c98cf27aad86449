import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { sourcesBelow } from '../support/sources.ts';
import { hardSentencesOf } from './prose.ts';
import { oddWordsOf, remarksOf, riddleIn, textsOf } from './texts.ts';

/** Errors, refusals and descriptions of the API; help, output and findings of commands; the console. */
const SOURCES = [
  ...['bench', 'contract', 'functions', 'infra', 'lib', 'packages/cdk/src', 'packages/client/src'],
  'packages/console/src/words',
]
  .flatMap(sourcesBelow)
  // It writes TypeScript, which is no prose.
  .filter(({ path }) => path !== 'infra/openapi/client-types.ts')
  .map((source) => ({ path: source.path, texts: textsOf(source) }))
  .filter(({ texts }) => texts.length > 0);

describe('each text that a user can meet', () => {
  it.each(SOURCES)('can be understood at the first reading: $path', async ({ texts }) => {
    const hard = [];
    for (const { at, text } of texts)
      hard.push(...(await hardSentencesOf(text)).map((each) => ({ at, ...each })));
    expect(hard).toEqual([]);
  });

  it.each(SOURCES)('uses common words, subject first: $path', ({ texts }) => {
    const odd = texts.flatMap(({ at, text }) => oddWordsOf(text).map((why) => `${at}: ${why}`));
    expect(odd).toEqual([]);
  });

  it('is read: errors, help and descriptions are among them', () => {
    const all = SOURCES.flatMap(({ texts }) => texts.map(({ text }) => text));
    expect(all.filter((text) => text.includes('send the same call again'))).not.toEqual([]);
    expect(all).toContain('Prints the stored rules as a file.');
    expect(all).toContain('The first instant at which the hold no longer counts.');
  });
});

/** All code by people. The types of the client have their comments from the API. */
const CODE = [
  ...['bench', 'contract', 'functions', 'infra', 'lib', 'test', 'packages/cdk/src'],
  ...['packages/client/src', 'packages/documentdb-local'],
]
  .flatMap(sourcesBelow)
  .filter(({ path }) => !['packages/client/src/api.ts', 'test/docs/texts.test.ts'].includes(path));

it('comments and names of tests have no riddles', () => {
  const remarks = CODE.flatMap(remarksOf);
  expect(remarks.length).toBeGreaterThan(5_000); // the search does find them
  expect(
    remarks.flatMap(({ at, text }) => {
      const riddle = riddleIn(text);
      return riddle === undefined ? [] : [`${at}: ${riddle}`];
    }),
  ).toEqual([]);
});

/** In the others, comments are rewritten as they are touched. */
const REWRITTEN = /^(bench|contract|functions|infra|packages)\//;

it('comments beside the library use common words, subject first', () => {
  const remarks = CODE.filter(({ path }) => REWRITTEN.test(path)).flatMap(remarksOf);
  expect(remarks.length).toBeGreaterThan(2_000);
  const odd = remarks.flatMap(({ at, text }) => oddWordsOf(text).map((why) => `${at}: ${why}`));
  expect(odd).toEqual([]);
});

describe('the reader of texts', () => {
  it('finds comments, and names and reasons of tests', () => {
    const text =
      "/** One.\n * Two. */\nit('a name', () => {}); // three\nconst rows = [{ why: 'a reason', not: 'this' }];";
    const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2023, true);
    expect(remarksOf({ path: 'a.ts', text, tree })).toEqual([
      { at: 'a.ts:1', text: 'One. Two.' },
      { at: 'a.ts:3', text: 'three' },
      { at: 'a.ts:3', text: 'a name' },
      { at: 'a.ts:4', text: 'a reason' },
    ]);
  });

  it.each([
    { text: 'Whoever asks.', riddle: 'Whoever' },
    { text: 'It waits. The same for a hold.', riddle: '. The same' },
    { text: 'Says `whoever` and begins again.', riddle: undefined },
  ])('finds the riddle of "$text"', ({ text, riddle }) => {
    expect(riddleIn(text)).toBe(riddle);
  });

  it('finds prose in code, a row of a table by itself, and a value as code', () => {
    const text =
      "import 'a b c';\nconst a = 'One, two three';\nthrow new E(`${x} was not found`);\nf('no');\nconst h = `Two words here:\\n\\n  first   prints a row\\n  second  prints another`;";
    const tree = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ES2023, true);
    expect(textsOf({ path: 'a.ts', text, tree })).toEqual([
      { at: 'a.ts:2', text: 'One, two three' },
      { at: 'a.ts:3', text: '`value` was not found' },
      { at: 'a.ts:5', text: 'Two words here:' },
      { at: 'a.ts:5', text: 'first   prints a row' },
      { at: 'a.ts:5', text: 'second  prints another' },
    ]);
  });

  it.each([
    { text: 'The proposal has lapsed.', why: '"lapsed", expected expired' },
    { text: 'Ask whoever froze it.', why: '"whoever", expected anyone who' },
    { text: 'It fails. What was held is counted.', why: 'begins with "What was held is counted"' },
    { text: 'Of a refund.', why: 'begins with "Of a refund"' },
  ])('finds that $text is odd', ({ text, why }) => {
    expect(oddWordsOf(text)).toEqual([why]);
  });

  it('allows a question', () => {
    expect(oddWordsOf('No rule applies. What is the type?')).toEqual([]);
  });
});
