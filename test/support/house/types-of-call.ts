import { join, relative } from 'node:path';
import ts from 'typescript-api';
import type { Entered } from '../../../bench/entered.ts';
import { ROOT } from '../sources.ts';

/**
 * Types that some rooms declare, and that stand in signatures of functions that a call entered: what a reader must
 * know to follow it. Each by its name and file.
 */
export function typesOfCall(
  entered: readonly Entered[],
  rooms: readonly string[],
): readonly string[] {
  const files = [...new Set(entered.map(({ file }) => file))];
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(ROOT, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(
    files.map((file) => join(ROOT, file)),
    options,
  );
  const checker = program.getTypeChecker();
  const found = new Set<string>();
  const note = (symbol: ts.Symbol | undefined): void => {
    for (const declaration of declaredBy(checker, symbol)) {
      const file = relative(ROOT, declaration.getSourceFile().fileName).replaceAll('\\', '/');
      if (rooms.some((room) => file.startsWith(`${room}/`))) found.add(`${symbol?.name} ${file}`);
    }
  };
  for (const file of files) {
    const tree = program.getSourceFile(join(ROOT, file));
    if (tree === undefined) continue;
    const lines = new Set(entered.flatMap((one) => (one.file === file ? [one.line] : [])));
    for (const one of functionsIn(tree))
      if (lines.has(lineOf(tree, one))) noteSignature(checker, one, note);
  }
  return [...found].sort();
}

type Note = (symbol: ts.Symbol | undefined) => void;

function declaredBy(checker: ts.TypeChecker, symbol: ts.Symbol | undefined) {
  if (symbol === undefined) return [];
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
  const own = isAlias ? checker.getAliasedSymbol(symbol) : symbol;
  return (own.declarations ?? []).filter(
    (one) =>
      ts.isTypeAliasDeclaration(one) ||
      ts.isInterfaceDeclaration(one) ||
      ts.isClassDeclaration(one),
  );
}

function functionsIn(tree: ts.SourceFile): readonly ts.FunctionLikeDeclaration[] {
  const found: ts.FunctionLikeDeclaration[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const lineOf = (tree: ts.SourceFile, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Parameters as they are written, or as they are inferred; and so what is returned. */
function noteSignature(checker: ts.TypeChecker, one: ts.FunctionLikeDeclaration, note: Note): void {
  const written = (node: ts.Node): void => {
    if (ts.isTypeReferenceNode(node)) note(checker.getSymbolAtLocation(node.typeName));
    ts.forEachChild(node, written);
  };
  for (const parameter of one.parameters)
    if (parameter.type === undefined) noteType(checker, checker.getTypeAtLocation(parameter), note);
    else written(parameter.type);
  if (one.type !== undefined) written(one.type);
  else {
    const signature = checker.getSignatureFromDeclaration(one);
    if (signature !== undefined) noteType(checker, signature.getReturnType(), note);
  }
}

/** How far inferred types are looked into. */
const DEPTH_MAX = 4;

function noteType(checker: ts.TypeChecker, type: ts.Type, note: Note, depth = 0): void {
  if (depth > DEPTH_MAX) return;
  if (type.aliasSymbol !== undefined) {
    note(type.aliasSymbol);
    for (const one of type.aliasTypeArguments ?? []) noteType(checker, one, note, depth + 1);
    return;
  }
  if (type.isUnionOrIntersection()) {
    for (const one of type.types) noteType(checker, one, note, depth + 1);
    return;
  }
  const symbol = type.getSymbol();
  if (declaredBy(checker, symbol).some((one) => !ts.isTypeAliasDeclaration(one))) note(symbol);
  const isReference = (type.flags & ts.TypeFlags.Object) !== 0;
  if (isReference)
    for (const one of checker.getTypeArguments(type as ts.TypeReference))
      // an object type: none, or its own
      noteType(checker, one, note, depth + 1);
  const isLiteral =
    ((symbol?.flags ?? 0) & (ts.SymbolFlags.TypeLiteral | ts.SymbolFlags.ObjectLiteral)) !== 0;
  if (isLiteral)
    for (const property of type.getProperties())
      noteType(checker, checker.getTypeOfSymbol(property), note, depth + 2);
}
