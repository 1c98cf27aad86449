import ts from 'typescript-api';
import type { Source } from '../support/sources.ts';

/** A text in the code that people read: an error, a help text, a description of the API. */
export type CodeText = { readonly at: string; readonly text: string };

/** Three words with spaces between them. Names, paths and operators have none. */
const LIKE_PROSE = /\p{L}[\p{L}'’]*[,;:]? +\S*\p{L}+[,;:]? +\S*\p{L}/u;

/** Names of settings, options, fields and addresses, which cannot be other words. */
const NAMES = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+(=\w+)?|--[a-z][\w-]*|https?:\S+|\b[a-z]+[A-Z]\w*/g;

/**
 * Finds the texts of a source that read like prose. A value that a template puts in stands as code, so
 * that it counts as one word. A row of a table, which begins with two spaces, is a text of its own.
 */
export function textsOf({ path, tree }: Source): readonly CodeText[] {
  const found: CodeText[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    const text = textOf(node);
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
    for (const part of text?.split(/\n(?= {2}\S)|\n\n/) ?? [])
      if (LIKE_PROSE.test(part)) found.push({ at: `${path}:${line + 1}`, text: asMarkdown(part) });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Marks names as code, so that each counts as one word. */
function asMarkdown(text: string): string {
  const parts = text.trim().split(/(`[^`]*`)/);
  return parts
    .map((part) => (part.startsWith('`') ? part : part.replaceAll(NAMES, '`$&`')))
    .join('');
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return node.templateSpans.reduce(
    (text, { literal }) => `${text}\`value\`${literal.text}`,
    node.head.text,
  );
}

/** Finds the comments of a source, each as one text, and the names and reasons of its tests. */
export function remarksOf({ path, text, tree }: Source): readonly CodeText[] {
  const found = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ])
      found.set(pos, withoutMarks(text.slice(pos, end)));
    const title = titleOf(node);
    if (title !== undefined) found.set(title.getStart(), title.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return [...found].map(([pos, words]) => ({
    at: `${path}:${tree.getLineAndCharacterOfPosition(pos).line + 1}`,
    text: words,
  }));
}

function withoutMarks(comment: string): string {
  return comment
    .replaceAll(/^\/\*\*?|\*\/$/g, '')
    .replaceAll(/^\s*(\*|\/\/)\s?/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function titleOf(node: ts.Node): ts.StringLiteralLike | undefined {
  const given = ts.isCallExpression(node)
    ? /^(it|describe)\b/.test(node.expression.getText()) && node.arguments[0]
    : ts.isPropertyAssignment(node) &&
      /^(why|title)$/.test(node.name.getText()) &&
      node.initializer;
  return given !== undefined && given !== false && ts.isStringLiteralLike(given)
    ? given
    : undefined;
}

const RIDDLES =
  /\b([Ww]ho(so)?ever|[Ww]hat of|all the same|anew|where nothing is said)\b|(^|\. )The same\b/;

export function riddleIn(text: string): readonly string[] | undefined {
  return RIDDLES.exec(text.replaceAll(/`[^`]*`|"[^"]*"/g, ''))?.slice(0, 1);
}

/** Words of our own, each with the common word. */
const PRIVATE_WORDS: readonly { readonly word: RegExp; readonly instead: string }[] = [
  { word: /\blapsed?\b/i, instead: 'expired' },
  { word: /\banew\b/i, instead: 'again' },
  { word: /\bwho(so)?ever\b/i, instead: 'anyone who' },
  { word: /\bnowhere as\b/i, instead: 'no longer applies' },
  { word: /\b(is|are|was|were|not) told\b/i, instead: 'shows, returns' },
  { word: /\bthe call's own\b/i, instead: 'of the call' },
  { word: /\ball the same\b/i, instead: 'anyway' },
  { word: /\bwhere nothing is said\b/i, instead: 'the default' },
  { word: /\bkept with\b/i, instead: 'stored with' },
  { word: /\bwhat became of\b/i, instead: 'the result of' },
  { word: /\bin the words of\b/i, instead: 'the reason given' },
];

/** A sentence that begins so hides its subject. A question may, and "That is", which points back. */
const INVERTED =
  /(?:^|[.;:]\s+)((?:What|That(?! (?:is|was|gave|\w+s)\b)|Whoever|Of|The same|Nor)\s[^.?!]*)(?![^.!]*\?)/;

export function oddWordsOf(given: string): readonly string[] {
  const text = given.replaceAll(/`[^`]*`/g, '``');
  const words = PRIVATE_WORDS.flatMap(({ word, instead }) => {
    const [found] = word.exec(text) ?? [];
    return found === undefined ? [] : [`"${found}", expected ${instead}`];
  });
  const inverted = INVERTED.exec(text)?.[1];
  return [...words, ...(inverted === undefined ? [] : [`begins with "${inverted.slice(0, 40)}"`])];
}
