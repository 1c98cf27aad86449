import ts from 'typescript-api';
import type { Source } from '../sources.ts';
import { importsOf } from '../sources.ts';

/** Files of some sources, with the files among them that each imports, types counted. */
export type Graph = ReadonlyMap<string, readonly string[]>;

export function graphOf(sources: readonly Source[]): Graph {
  const paths = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map((one) => [one.path, importsOf(one).filter((path) => paths.has(path))]),
  );
}

/** The longest chain of files, each importing the next, the highest first. The graph has no circle. */
export function longestChainIn(graph: Graph): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const chainFrom = (path: string): readonly string[] => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const below = (graph.get(path) ?? []).map(chainFrom);
    const chain = [path, ...longestOf(below)];
    known.set(path, chain);
    return chain;
  };
  return longestOf([...graph.keys()].map(chainFrom));
}

function longestOf(chains: readonly (readonly string[])[]): readonly string[] {
  let longest: readonly string[] = [];
  for (const chain of chains) if (chain.length > longest.length) longest = chain;
  return longest;
}

/** Functions, types and classes that stand at the top of files, by name, with the files that define them. */
export function definedIn(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, tree } of sources)
    for (const statement of tree.statements)
      for (const name of namesIn(statement)) {
        const files = found.get(name) ?? [];
        // Overloads are one function.
        if (!files.includes(path)) files.push(path);
        found.set(name, files);
      }
  return found;
}

function namesIn(statement: ts.Statement): readonly string[] {
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isClassDeclaration(statement);
  if (isNamed) return statement.name === undefined ? [] : [statement.name.text];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)
      ? [name.text]
      : [],
  );
}

/** Files that say a word, in code or comments: as a word, or as a part of a name. */
export function filesNaming(word: string, sources: readonly Source[]): readonly string[] {
  const said = new RegExp(`(?<![a-z])${word}(?![a-z])|${word}(?=[A-Z_])`, 'i');
  return sources.filter(({ text }) => said.test(text)).map(({ path }) => path);
}
