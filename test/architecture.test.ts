import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { ROOT, importsOf, sourcesBelow, type Source } from './support/sources.ts';

/**
 * What a file is for, by its path; the first that matches.
 *
 * - `http` speaks HTTP, JSON and messages: requests, answers and handlers of every feature.
 * - `reading` takes texts and JSON to what they mean, by schemas: fields, and rules as they are stored.
 * - `mongo` knows the driver.
 * - `pure` knows no clock, no chance and no input or output: it is given its instant.
 * - `steps` are calls, one step after the other, over interfaces of stores.
 * - `contract` states answers; what writes them has its types from there, and loads nothing.
 */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^contract\//, 'contract'],
  [/^functions\//, 'functions'],
  [/^packages\/client\/src\//, 'client'],
  [/^lib\/limits\/settle-answer\.ts$/, 'steps'],
  [/^lib\/(.+\/)?mongo[-/]|^lib\/.+-pipeline\.ts$/, 'mongo'],
  [/^lib\/(http\/(fields|instant|mistakes|said)\.ts$|rules\/file\/)/, 'reading'],
  [/^lib\/http\/|^lib\/.+-(request|answer|handler|call)\.ts$/, 'http'],
  [/^lib\/(shared|windows|limits\/document)\//, 'pure'],
  [/^lib\//, 'steps'],
];
type Kind = 'contract' | 'functions' | 'client' | 'mongo' | 'http' | 'reading' | 'pure' | 'steps';

/** The kinds that each may import, and packages by name. */
const MAY: Readonly<Record<Kind, readonly string[]>> = {
  pure: ['pure', 'steps', 'temporal-polyfill', 'node:crypto'],
  steps: ['pure', 'steps', 'reading', 'temporal-polyfill', 'node:crypto', 'node:util'],
  reading: ['pure', 'steps', 'reading', 'zod/mini'],
  mongo: ['pure', 'steps', 'reading', 'mongo', 'mongodb', 'node:timers/promises', 'node:util'],
  http: [
    ...['pure', 'steps', 'reading', 'http', 'contract', 'zod/mini', 'aws-lambda', 'node:crypto'],
    ...['logger', 'metrics'].map((one) => `@aws-lambda-powertools/${one}`),
    '@aws-sdk/client-eventbridge',
    'node:util',
  ],
  contract: ['contract', 'pure', 'steps', 'reading', 'http', 'zod/mini'],
  functions: [
    ...['functions', 'pure', 'steps', 'reading', 'mongo', 'http', 'mongodb', 'aws-lambda'],
    'package.json',
  ],
  // Runs wherever callers do: nothing of Headroom's inside, no package, nothing of Node's alone.
  client: ['client'],
};

/** Files that alone may use a package: what is digested, verified or encrypted, published, a calendar. */
const ALONE: Readonly<Record<string, RegExp>> = {
  'node:crypto': /^lib\/(limits|shared\/digest|http\/(signature|sealed-secret))\.ts$/,
  '@aws-sdk/client-eventbridge': /^lib\/http\/event-bus\.ts$/,
  'temporal-polyfill': /^lib\/(windows\/(calendar|duration)|audit\/history\/history-windows)\.ts$/,
};

/** Words that a file must not contain. */
const FORBIDDEN: Readonly<Record<Kind, readonly RegExp[]>> = {
  pure: [/Date\.now\(/, /new Date\(\)/, /Math\.random/, /\bprocess\b/, /mongo/i, /statusCode/],
  steps: [/Date\.now\(/, /\bprocess\b/, /\bHTTP\b/, /statusCode/, /mongo/i],
  mongo: [/\bprocess\b/, /statusCode/],
  reading: [/Date\.now\(/, /\bprocess\b/, /statusCode/, /mongo/i],
  http: [/findOneAndUpdate/, /collection\(/],
  contract: [],
  functions: [],
  client: [/\bprocess\b/, /\bBuffer\b/, /\brequire\(/, /\bwindow\./, /console\./],
};

/** Where raw operators stand: statements, stores of the driver, and filters and pipelines that are named so. */
const WITH_OPERATORS =
  /^packages\/|^lib\/(limits\/document|mongo|health)\/|\/mongo-[a-z-]+\.ts$|-(filters|pipeline|effects|row|documents)\.ts$/;

/** A text that is an operator of MongoDB's: a key or a value that begins with one dollar sign. */
const OPERATOR = /^\$[a-z][A-Za-z]*$/;
const LINES_MAX = 240;
/** Files that are made of others. */
const MADE = ['packages/client/src/api.ts'];
const LINES_MAX_TEST_DATA = 1_500;

const LIBRARY = [
  ...sourcesBelow('contract'),
  ...sourcesBelow('lib'),
  ...sourcesBelow('functions'),
  ...sourcesBelow('packages/client/src'),
];
const WORKSPACES = sourcesBelow('packages/documentdb-local');
const CONSTRUCT = sourcesBelow('packages/cdk/src');
const EVERYTHING = [
  ...LIBRARY,
  ...WORKSPACES,
  ...CONSTRUCT,
  ...['bench', 'infra', 'test'].flatMap(sourcesBelow),
];

function kindOf(path: string): Kind | undefined {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Code without comments, so that words in prose do not count. */
function codeOf({ text }: Source): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

function operatorsOf({ tree }: Source): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isText = ts.isStringLiteral(node) || ts.isIdentifier(node);
    if (isText && OPERATOR.test(node.text) && node.text !== '$ref')
      // which is JSON Schema's
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** Objects that begin with the spread of a literal: on Node 20 each takes as long as 30 that do not. */
function spreadFirst({ tree }: Source): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const first = ts.isObjectLiteralExpression(node) ? node.properties[0] : undefined;
    if (first && ts.isSpreadAssignment(first) && ts.isObjectLiteralExpression(first.expression))
      found.push(first.getText());
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const CACHES = ['Map', 'Set', 'WeakMap', 'WeakSet'];

/** Names of a module's own variables that can change from call to call, which nobody would ever end. */
function rememberedBy({ tree }: Source): readonly string[] {
  return tree.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) => {
    const isConstant = (declarationList.flags & ts.NodeFlags.Const) !== 0;
    return declarationList.declarations
      .filter(({ initializer, type }) => {
        const made = initializer && ts.isNewExpression(initializer) && initializer.expression;
        const isCache = made !== undefined && made !== false && CACHES.includes(made.getText());
        return !isConstant || (isCache && type?.getText().startsWith('Readonly') !== true);
      })
      .map(({ name }) => name.getText());
  });
}

describe('the rooms', () => {
  it.each(LIBRARY)('$path imports only what it may', (source) => {
    const allowed = MAY[kindOf(source.path) ?? 'pure'];
    const mayImport = (name: string): boolean =>
      allowed.includes(kindOf(name) ?? name) && ALONE[name]?.test(source.path) !== false;
    expect(importsOf(source).filter((name) => !mayImport(name))).toEqual([]);
  });

  it.each(LIBRARY)('$path contains nothing that it must not', (source) => {
    const words = FORBIDDEN[kindOf(source.path) ?? 'pure'];
    const code = codeOf(source);
    expect(words.filter((word) => word.test(code))).toEqual([]);
  });

  it('keep raw operators where statements are', () => {
    const found = LIBRARY.filter(({ path }) => !WITH_OPERATORS.test(path)).flatMap((source) =>
      operatorsOf(source).map((name) => `${source.path}: ${name}`),
    );
    expect(found).toEqual([]);
    const inside = LIBRARY.filter(({ path }) => WITH_OPERATORS.test(path));
    expect(inside.flatMap(operatorsOf).length).toBeGreaterThan(40); // the search does find them
  });

  it.each(LIBRARY)(
    '$path has no state of its own, because every owner of state must end it',
    (source) => {
      // What is known of a client's heartbeats goes with the client.
      const known = source.path === 'lib/mongo/client.ts' ? ['heartbeats'] : [];
      expect(rememberedBy(source)).toEqual(known);
    },
  );

  it('would be found if they did remember', () => {
    const text = [
      'const seen = new Map<string, number>();',
      'export const kept = new WeakMap();',
      'let last = 0;',
      'const NONE: ReadonlyMap<string, string> = new Map();',
      'const NAMES: ReadonlySet<string> = new Set();',
      'const inside = () => { let sum = 0; const all = new Map(); return [sum, all]; };',
    ].join('\n');
    const tree = ts.createSourceFile('lib/limits/x.ts', text, ts.ScriptTarget.ES2023, true);
    expect(rememberedBy({ path: 'lib/limits/x.ts', text, tree })).toEqual(['seen', 'kept', 'last']);
  });

  it.each(EVERYTHING.filter(({ path }) => !/(^|\/)test\//.test(path)))(
    '$path imports nothing that is only for tests',
    (source) => {
      expect(importsOf(source).filter((name) => name.startsWith('test/'))).toEqual([]);
    },
  );

  it('name each exported type of the library by a word of its own', () => {
    const places = new Map<string, string[]>();
    for (const { path, tree } of LIBRARY.filter((source) => source.path.startsWith('lib/')))
      for (const statement of tree.statements)
        if (
          (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) &&
          statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
        )
          places.set(statement.name.text, [...(places.get(statement.name.text) ?? []), path]);
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });

  it('keep the model apart from what it judges', () => {
    const model = EVERYTHING.filter(
      ({ path }) => path.startsWith('test/model/') && !path.endsWith('.test.ts'),
    );
    expect(model.length).toBeGreaterThan(3);
    for (const source of model)
      expect(importsOf(source).filter((name) => name.startsWith('lib/'))).toEqual([]);
  });
});

/** Files that import one another, types counted, each circle by its files; none for a tree. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const reachable = (from: string): ReadonlySet<string> => {
    const seen = new Set<string>();
    const queue = [...(graph.get(from) ?? [])];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push(...(graph.get(next) ?? []));
    }
    return seen;
  };
  const reached = new Map([...graph.keys()].map((path) => [path, reachable(path)]));
  const circles = [...graph.keys()].flatMap((path) => {
    const mates = [...(reached.get(path) ?? [])].filter((mate) => reached.get(mate)?.has(path));
    return mates.includes(path) ? [mates.sort().join(' <-> ')] : [];
  });
  return [...new Set(circles)];
}

describe('imports', () => {
  it('never go round in a circle, those of types neither', () => {
    const sources = [...LIBRARY, ...WORKSPACES];
    const graph = new Map(sources.map((source) => [source.path, importsOf(source)]));
    expect(circlesIn(graph)).toEqual([]);
  });

  it('would be found if they did', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(circlesIn(graph)).toEqual(['a <-> b <-> c']);
  });
});

describe('every file', () => {
  it.each(EVERYTHING.filter(({ path }) => !MADE.includes(path)))(
    '$path is short enough to be read at once',
    ({ path, text }) => {
      const most = /(^|\/)test\//.test(path) ? LINES_MAX_TEST_DATA : LINES_MAX;
      expect(text.split('\n').length).toBeLessThanOrEqual(most);
    },
  );

  it.each(LIBRARY)('$path uses the words of the glossary', (source) => {
    const { text, path } = source;
    const names = [
      { word: /\bI[A-Z][a-z]+[A-Z]\w*(?=\s*[={<])/, instead: 'a noun without prefix' },
      { word: /\w+(Manager|Helper|Utils?)\b/, instead: 'what it does' },
      { word: /\b(denied|deny)\b/i, instead: 'refused' },
      { word: /\bquota\b/i, instead: 'maximum' },
      { word: /\bthreshold\b/i, instead: 'maximum' },
      { word: /\block(ed|s)?\b/i, instead: 'hold' },
    ];
    for (const { word, instead } of names)
      expect({ path, instead, found: word.exec(text)?.[0] }).toEqual({
        path,
        instead,
        found: undefined,
      });
  });

  it.each(LIBRARY.filter(({ path }) => path.startsWith('lib/limits/')))(
    '$path names fields before spreads',
    (source) => {
      expect(spreadFirst(source)).toEqual([]);
    },
  );

  it.each(LIBRARY)('$path exports by name and documents each export', (source) => {
    const undocumented: string[] = [];
    for (const statement of source.tree.statements) {
      if (ts.isExportAssignment(statement)) undocumented.push('export default');
      const exported =
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
      if (exported !== true) continue;
      const comments = ts.getLeadingCommentRanges(source.text, statement.getFullStart()) ?? [];
      const documented = comments.some(({ pos }) => source.text.startsWith('/**', pos));
      if (!documented) undocumented.push(statement.getText().slice(0, 60));
    }
    // These only pass on what is documented where it stands.
    const passesOn =
      source.path === 'packages/client/src/index.ts' ||
      importsOf(source).includes('functions/handlers.ts');
    expect(passesOn ? [] : undocumented).toEqual([]);
  });
});

it('every client of a database leaves it to Headroom to repeat a write', () => {
  const folders = ['lib', 'functions', 'infra', 'bench', 'test', 'packages/console/test'];
  const others = folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        join(folder, name),
      ),
    )
    .filter((path) => path.endsWith('.ts') && !path.includes('node_modules'))
    .filter((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const clients = text.match(/new MongoClient\(/g) ?? [];
      const owned = text.match(/\bOWN_REPEAT\b(?!.* from )|retryWrites: /g) ?? [];
      return clients.length > owned.length;
    });
  expect(others).toEqual([]);
});
