import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { importsOf, sourcesBelow, type Source } from './support/sources.ts';

/** What each room may import: files by the beginning of their path, packages by name. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'lib/domain/': ['lib/domain/', 'temporal-polyfill'],
  'lib/pipeline/': ['lib/domain/', 'lib/pipeline/'],
  'lib/limits/': ['lib/domain/', 'lib/limits/', 'lib/limits/counter-store.ts'],
  'lib/store/': [
    'lib/domain/',
    'lib/limits/',
    'lib/pipeline/',
    'lib/store/',
    'mongodb',
    'node:timers/promises',
  ],
  'lib/calls/': [
    'lib/domain/',
    'lib/calls/',
    'lib/limits/counter-store.ts',
    'lib/audit/audit-store.ts',
    'lib/near/near-store.ts',
    'lib/audit/history/history-store.ts',
    'lib/limits/one-commit.ts',
    'lib/rules/rule-store.ts',
    'lib/usage/stale-reads.ts',
    'lib/rules/terms/terms-store.ts',
    'lib/rules/four-eyes/proposal-store.ts',
  ],
  'lib/limits.ts': ['lib/domain/', 'lib/calls/', 'lib/limits/counter-store.ts', 'node:crypto'],
  // Answers are stated there; what writes them knows their types, and loads nothing.
  'contract/': ['contract/', 'lib/domain/', 'lib/edge/', 'zod/mini'],
  'lib/edge/': [
    'contract/',
    'lib/domain/',
    'lib/edge/',
    'zod/mini',
    'yaml',
    'aws-lambda',
    '@aws-lambda-powertools/batch',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
  ],
  'functions/': ['functions/', 'lib/', 'mongodb', 'aws-lambda'],
  // Runs wherever callers do: nothing of Headroom's inside, no package, nothing of Node's alone.
  'packages/client/src/': ['packages/client/src/'],
};

/** Single files that may import more than their room, with the reason. */
const ALLOWANCES: Readonly<Record<string, readonly string[]>> = {
  'lib/shared/digest.ts': ['node:crypto'], // a digest is a pure function of its text
  'lib/http/signature.ts': ['node:crypto'], // the one place that verifies who calls
  'lib/http/sealed-secret.ts': ['node:crypto'], // the one place that encrypts
  'lib/http/event-bus.ts': ['@aws-sdk/client-eventbridge'], // the one place that publishes
};

/** Words that a room must not contain: clocks, chance, other rooms' matters. */
const FORBIDDEN: Readonly<Record<string, readonly RegExp[]>> = {
  'lib/domain/': [/Date\.now\(/, /new Date\(\)/, /Math\.random/, /\bprocess\b/, /mongo/i],
  'lib/pipeline/': [/Date\.now\(/, /new Date\(\)/, /Math\.random/, /\bprocess\b/],
  'lib/limits/': [/Date\.now\(/, /new Date\(\)/, /Math\.random/, /\bprocess\b/, /mongo/i],
  'lib/calls/': [/\bHTTP\b/, /statusCode/, /mongo/i, /\bprocess\b/, /Date\.now\(/],
  'lib/limits.ts': [/statusCode/, /mongo/i, /\bprocess\b/],
  'lib/store/': [/statusCode/, /\bprocess\b/],
  'lib/edge/': [/findOneAndUpdate/, /collection\(/],
  'packages/client/src/': [/\bprocess\b/, /\bBuffer\b/, /\brequire\(/, /\bwindow\./, /console\./],
};

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

function roomOf(path: string): string {
  const room = Object.keys(ROOMS).find((name) => path.startsWith(name));
  if (room === undefined) throw new Error(`${path} is in no room: see the table of rooms`);
  return room;
}

/** Code without comments, so that words in prose do not count. */
function codeOf({ text }: Source): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

function operatorsOf({ tree }: Source): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if ((ts.isStringLiteral(node) || ts.isIdentifier(node)) && OPERATOR.test(node.text))
      found.push(node.text);
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
  it.each(LIBRARY)('$path imports only what its room may', (source) => {
    const allowed = [...(ROOMS[roomOf(source.path)] ?? []), ...(ALLOWANCES[source.path] ?? [])];
    const mayImport = (name: string): boolean =>
      allowed.some((one) => (one.endsWith('/') ? name.startsWith(one) : name === one));
    expect(importsOf(source).filter((name) => !mayImport(name))).toEqual([]);
  });

  it.each(LIBRARY)('$path contains nothing that its room must not', (source) => {
    const words = FORBIDDEN[roomOf(source.path)] ?? [];
    const code = codeOf(source);
    expect(words.filter((word) => word.test(code))).toEqual([]);
  });

  it('keep raw operators in lib/limits and lib/pipeline', () => {
    // The client sends no statement; `$metadata` is a name of AWS's.
    const outside = LIBRARY.filter(
      ({ path }) => !/^(lib\/limits|lib\/pipeline|packages)\//.test(path),
    );
    const found = outside.flatMap((source) =>
      operatorsOf(source).map((name) => `${source.path}: ${name}`),
    );
    expect(found).toEqual([]);
    for (const room of ['lib/limits/', 'lib/pipeline/']) {
      const inside = LIBRARY.filter(({ path }) => path.startsWith(room));
      expect(inside.flatMap(operatorsOf).length).toBeGreaterThan(20); // the search does find them
    }
  });

  it.each(LIBRARY)(
    '$path remembers nothing by itself, for whoever remembers has an end',
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

  it('never import what is only for tests or for this machine', () => {
    const strays = LIBRARY.flatMap((source) =>
      importsOf(source)
        .filter((name) => name.startsWith('test/') || name.startsWith('infra/'))
        .map((name) => `${source.path}: ${name}`),
    );
    expect(strays).toEqual([]);
  });

  it('load no schema of an answer in a function', () => {
    const loading = [...sourcesBelow('lib'), ...sourcesBelow('functions')].filter(({ text }) =>
      /^import (?!type )[^;]*'[./]+contract\//m.test(text),
    );
    expect(loading.map(({ path }) => path)).toEqual([]);
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
    // Names of one line that say it all, where a comment would only repeat them; and what only passes
    // on what is documented where it stands.
    const plain = ['lib/mongo/expression.ts', 'packages/client/src/index.ts'];
    expect(plain.includes(source.path) ? [] : undocumented).toEqual([]);
  });
});
