import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { packNames } from '../../cli/rules/packs.ts';
import { parseRules } from '../../lib/rule-file/rule-list.ts';

const PAGE = readFileSync('docs/published-limits.md', 'utf8');
const RULES = [...PAGE.matchAll(/`(\{ per: .+?\})`/g)].map(([, rule = '']) => rule);

it('the page of published limits has rules', () => {
  expect(RULES.length).toBeGreaterThan(10);
});

it.each(RULES)('%s is a rule', (text) => {
  const rule = { id: 'r', ...(parse(text) as object) };
  expect(parseRules([rule], 'the page')).toHaveLength(1);
});

it('each pack is among the published limits', () => {
  const named = [...PAGE.matchAll(/the pack `([a-z0-9-]+)`/g)].map(([, name]) => name);
  expect(named.sort()).toEqual([...packNames()]);
});
