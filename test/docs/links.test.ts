import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseRuleFile } from '../../cli/rules/rule-file.ts';
import { ruleSentence } from '../../lib/http/sentences/rule-sentence.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';
import type { Page } from './pages.ts';
import { anchorsOf, pageAt, PAGES, ROOT, targetsOf } from './pages.ts';

const README_BYTES_MAX = 10_240;
const ELSEWHERE = /^https?:/;
/** A file of this project, named in running text: `test/fault/one-call.test.ts`. */
const NAMED =
  /\b(?:lib|functions|cli|infra|tools|bench|examples|test)\/[\w./-]+\.(?:ts|mjs|sh|json|ya?ml)\b/g;

/** Says why a link is broken; undefined if it is not. */
function whyLost(page: Page, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? page.path : normalize(join(dirname(page.path), path));
  if (!existsSync(join(ROOT, file))) return `${target}: there is no ${file}`;
  if (anchor === undefined) return undefined;
  return anchorsOf(pageAt(file)).includes(anchor) ? undefined : `${target}: no such heading`;
}

describe('pages', () => {
  it('print no command that fetches a package of somebody else where it is typed elsewhere', () => {
    const warning = 'Outside of a clone, `npx headroom` would';
    const found = PAGES.flatMap(
      ({ text }) => text.replace(warning, '').match(/npx headroom.*/g) ?? [],
    );
    expect(found).toEqual([]);
  });

  it('have no broken link', () => {
    const lost = PAGES.flatMap((page) =>
      targetsOf(page)
        .filter((target) => !ELSEWHERE.test(target))
        .flatMap((target) => whyLost(page, target) ?? [])
        .map((why) => `${page.path}: ${why}`),
    );
    expect(lost).toEqual([]);
    const targets = ['no-such.md', '../no-such/file.ts', '#no-such', 'rules.md#no-such'];
    const page = pageAt('docs/calls.md');
    expect(targets.filter((target) => whyLost(page, target) === undefined)).toEqual([]);
  });

  it('name no file that is not there', () => {
    const named = PAGES.flatMap(({ path, text }) =>
      (text.match(NAMED) ?? []).map((file) => ({ path, file })),
    );
    expect(named.filter(({ file }) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});

it(`the README has at most ${README_BYTES_MAX} bytes, for it is the first ten minutes`, () => {
  expect(Buffer.byteLength(pageAt('README.md').text)).toBeLessThanOrEqual(README_BYTES_MAX);
});

it('the README leads to every page', () => {
  const linked = targetsOf(pageAt('README.md')).map((target) => target.replace(/#.*/, ''));
  expect(PAGES.map(({ path }) => path).filter((path) => !linked.includes(path))).toEqual([
    'README.md',
  ]);
});

it('examples of rules in docs/rules.md can be loaded, and mean what stands below them', () => {
  const { text } = pageAt('docs/rules.md');
  const examples = [...text.matchAll(/^```yaml\n(rules:\n(?:[^`].*\n|\n)*)```\n\n> (.*)$/gm)];
  expect(examples.length).toBeGreaterThan(5);
  const differing: string[] = [];
  for (const [, file = '', said = ''] of examples) {
    const { rules } = parse(file) as { readonly rules: readonly unknown[] }; // as it begins
    const [rule] = parseRules(rules, 'docs/rules.md');
    const means = rule && ruleSentence(rule, 'en').replaceAll('\u00a0', ' ');
    if (means !== said) differing.push(`${said}\n${means}`);
  }
  expect(differing).toEqual([]);
});

it('the rules of docs/rules.md are rules', () => {
  const [file] = pageAt('docs/rules.md').tokens.flatMap((token) =>
    token.type === 'code' && token.lang === 'yaml' ? [String(token.text)] : [],
  );
  expect(parseRuleFile(file ?? '', 'docs/rules.md')).toHaveLength(6);
});
