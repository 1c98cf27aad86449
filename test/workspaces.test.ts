import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, ROOT, sourcesBelow } from './support/sources.ts';

type Manifest = {
  readonly name: string;
  readonly workspaces?: readonly string[];
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest; // our own
}

/** The packages of this repository that are installed by their names, as any other package is. */
const WORKSPACES = (manifestIn('.').workspaces ?? []).map((folder) => ({
  folder: `${folder}/`,
  ...manifestIn(folder),
}));
const SOURCES = WORKSPACES.flatMap((workspace) =>
  sourcesBelow(workspace.folder).map((source) => ({ ...source, workspace })),
);
const OTHERS = [
  'bench',
  'cli',
  'functions',
  'infra',
  'lib',
  'packages/client',
  'test',
  'tools',
].flatMap(sourcesBelow);

/** `pg` of `pg/lib/client.js`, `@types/node` of `@types/node/fs.js`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

describe('a package that is a workspace', () => {
  it('imports its own files and what it declares', () => {
    const others = SOURCES.flatMap((source) => {
      const { folder, name, dependencies, devDependencies } = source.workspace;
      const isSource = source.path.startsWith(`${folder}src/`);
      const own = isSource ? `${folder}src/` : folder;
      const declared = isSource
        ? Object.keys({ ...dependencies })
        : [name, ...Object.keys({ ...dependencies, ...devDependencies })];
      const mayImport = (each: string): boolean =>
        each.startsWith(own) || each.startsWith('node:') || declared.includes(packageOf(each));
      return importsOf(source)
        .filter((each) => !mayImport(each))
        .map((each) => `${source.path}: ${each}`);
    });
    expect(SOURCES.length).toBeGreaterThan(10);
    expect(others).toEqual([]);
  });

  it.each(WORKSPACES)('$name names the exact versions of what it needs', (workspace) => {
    const { dependencies, devDependencies } = workspace;
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each(WORKSPACES)(
    '$name is used by what it exports alone',
    ({ folder, name, exports = {} }) => {
      const exported = Object.keys(exports).map((path) => path.replace('.', name));
      const used = OTHERS.flatMap((source) =>
        importsOf(source)
          .filter((each) => each.startsWith(folder) || packageOf(each) === name)
          .map((each) => ({ path: source.path, each })),
      );
      expect(used.length).toBeGreaterThan(0);
      expect(used.filter(({ each }) => !exported.includes(each))).toEqual([]);
    },
  );
});
