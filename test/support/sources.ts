import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript-api';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A file of TypeScript: its path below the project's folder, its text, and what it says. */
export type Source = { readonly path: string; readonly text: string; readonly tree: ts.SourceFile };

/** Every file of TypeScript in a folder of the project and below it, but for what was built or installed there. */
export function sourcesBelow(folder: string): readonly Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/(^dist|(^|[\\/])node_modules)[\\/]/.test(name))
    .map((name) => {
      const path = join(folder, name).replaceAll('\\', '/');
      const text = readFileSync(join(ROOT, path), 'utf8');
      return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true) };
    });
}

/** The imports of a file: files below the project's folder by their path, all else as it is written. */
export function importsOf({ path, tree }: Source): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const specifier =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
          ? node.arguments[0]
          : undefined;
    if (specifier !== undefined && ts.isStringLiteral(specifier)) {
      const { text } = specifier;
      found.push(
        text.startsWith('.')
          ? relative(ROOT, resolve(ROOT, dirname(path), text)).replaceAll('\\', '/')
          : text,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}
