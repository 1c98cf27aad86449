import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import GithubSlugger from 'github-slugger';
import { lexer, walkTokens } from 'marked';
import type { Token, Tokens, TokensList } from 'marked';

export const ROOT = join(import.meta.dirname, '..', '..');

export type Page = {
  /** Below the project's folder: `docs/calls.md`. */
  readonly path: string;
  readonly text: string;
  readonly tokens: TokensList;
};

/** The README, that of the library, every page of docs/, and the READMEs of packages and of the clients in other languages. */
export const PAGES: readonly Page[] = [
  'README.md',
  'lib/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .toSorted(),
  ...readdirSync(join(ROOT, 'packages')).map((name) => `packages/${name}/README.md`),
  ...readdirSync(join(ROOT, 'examples', 'clients'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('README.md'))
    .map((name) => `examples/clients/${name}`),
].map(readPage);

function readPage(path: string): Page {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, tokens: lexer(text) };
}

export function pageAt(path: string): Page {
  const page = PAGES.find((each) => each.path === path);
  if (page === undefined) throw new Error(`there is no page ${path}`);
  return page;
}

/** Where its links and pictures lead, as they are written. */
export function targetsOf({ tokens }: Page): readonly string[] {
  return flatten(tokens).flatMap((token) =>
    token.type === 'link' || token.type === 'image' ? [(token as Tokens.Link).href] : [],
  );
}

/** The names under which GitHub finds its headings, by which links go to them. */
export function anchorsOf({ tokens }: Page): readonly string[] {
  const slugger = new GithubSlugger();
  return flatten(tokens)
    .filter((token) => token.type === 'heading')
    .map((heading) => slugger.slug(wordsOf(heading)));
}

function wordsOf(token: Token): string {
  if ('tokens' in token) return token.tokens.map(wordsOf).join('');
  return 'text' in token ? String(token.text) : '';
}

function flatten(tokens: TokensList): readonly Token[] {
  const all: Token[] = [];
  void walkTokens(tokens, (token) => {
    all.push(token);
  });
  return all;
}
