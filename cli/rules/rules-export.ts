import { isDeepStrictEqual } from 'node:util';
import {
  Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  parseDocument,
  visit,
  type Alias,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { ruleFileOf } from './rule-file.ts';
import { visible } from '../output.ts';

/** Characters of a line of a rule file. */
const LINE_WIDTH = 100;

/** Writes rules as a file. */
export function ruleFileText(rules: readonly StoredRule[]): string {
  const document = new Document(ruleFileOf(rules));
  visit(document, {
    Scalar(_key, scalar) {
      // A terminal is shown `\u009b` in its place, which only a text in quotation marks may have.
      const { value } = scalar;
      if (typeof value === 'string' && visible(value) !== value) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  return document.toString({ lineWidth: LINE_WIDTH });
}

/**
 * Writes rules into the text of a file that has some already: its comments and its order stay, what is
 * the same stays as it was written, what is gone goes, and what is new comes last.
 *
 * @param text of a rule file that was read without a mistake
 */
export function withRules(text: string, stored: readonly StoredRule[]): string {
  const { currencies, rules } = ruleFileOf(stored);
  const document = parseDocument(text, { schema: 'core' });
  const list = document.get('rules', true);
  if (!isSeq(list)) throw new TypeError('a rule file has a list of rules');
  const wanted = new Map(rules.map((rule) => [rule.id, rule]));
  const meant = aliasesIn(document);
  const kept = list.items.flatMap((item) => {
    const rule = wanted.get(String(isMap(item) ? item.get('id') : ''));
    if (rule === undefined || !isMap(item)) return [];
    wanted.delete(rule.id);
    merge(document, item, rule);
    return [item];
  });
  const said = document.get('currencies', true);
  if (currencies === undefined) document.delete('currencies');
  else if (isMap(said)) merge(document, said, currencies);
  else document.set('currencies', document.createNode(currencies));
  list.items = [...kept, ...[...wanted.values()].map((rule) => document.createNode(rule))];
  writeOut(document, meant);
  return withNarrowLists(document.toString({ lineWidth: LINE_WIDTH }));
}

/** The part of the text that each reference means. */
function aliasesIn(document: Document): ReadonlyMap<Alias, unknown> {
  const meant = new Map<Alias, unknown>();
  visit(document, {
    Alias(_key, alias) {
      meant.set(alias, plain(document, alias));
    },
  });
  return meant;
}

/** Writes out what is referred to where that went with a rule or a field. */
function writeOut(document: Document, meant: ReadonlyMap<Alias, unknown>): void {
  visit(document, {
    Alias: (_key, alias) =>
      alias.resolve(document) === undefined ? document.createNode(meant.get(alias)) : undefined,
  });
}

/** Marks of the lexer's own, which are in no text. */
const LEXER_MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);

/** Writes `[user]` where the library writes `[ user ]`: it has one choice for lists and objects. */
function withNarrowLists(text: string): string {
  const lexemes = [...new Lexer().lex(text)].filter((lexeme) => !LEXER_MARKS.has(lexeme));
  const isPadding = (lexeme: string, index: number): boolean =>
    lexeme === ' ' && (lexemes[index - 1] === '[' || lexemes[index + 1] === ']');
  return lexemes.filter((lexeme, index) => !isPadding(lexeme, index)).join('');
}

/** Makes an object in the text say what it should, and touches nothing that says it already. */
function merge(document: Document, map: YAMLMap, wanted: object): void {
  const fields = new Map<string, unknown>(Object.entries(wanted));
  for (const { key } of [...map.items]) {
    const name = String(isScalar(key) ? key.value : key);
    if (!fields.has(name)) map.delete(name);
  }
  for (const [name, value] of fields) {
    const node = map.get(name, true) as Node | undefined; // what is kept as a node
    if (node !== undefined && isDeepStrictEqual(plain(document, node), value)) continue;
    if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value))
      merge(document, node, value);
    else if (isScalar(node) && (typeof value !== 'object' || value === null)) node.value = value;
    else map.set(name, document.createNode(value));
  }
}

function plain(document: Document, node: Node): unknown {
  return (isAlias(node) ? node.resolve(document) : node)?.toJS(document) as unknown; // any value of YAML
}
