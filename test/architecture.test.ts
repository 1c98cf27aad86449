import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-api';
import { describe, expect, it } from 'vitest';
import { WINDOWS } from '../lib/rule/windows/windows.ts';
import { FLOORS, circlesIn, floorOf, upwardIn } from './support/floors.ts';
import { ROOT, importsOf, sourcesBelow, type Source } from './support/sources.ts';

/**
 * What a file is for, by its path; the first that matches.
 *
 * - `http` speaks HTTP, JSON and messages.
 * - `reading` takes texts and JSON to what they mean, by schemas.
 * - `mongo` knows the driver.
 * - `pure` knows no clock, no chance and no input or output: it is given its instant.
 * - `steps` are calls, one step after the other, over interfaces of stores.
 */
const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/^functions\//, 'functions'],
  [/^packages\/client\/src\//, 'client'],
  [/^lib\/limits\/settle-answer\.ts$/, 'steps'],
  [/^lib\/(.+\/)?mongo[-/]|^lib\/.+-pipeline\.ts$/, 'mongo'],
  [/^lib\/(schema|rule-file|rule\/windows)\/|^contract\//, 'reading'],
  [/^lib\/(http|edge|callers)\/|^lib\/.+-(request|answer|handler|call)\.ts$/, 'http'],
  [/^lib\/(shared|rule|changes|counter|document|plan|backtest)\//, 'pure'],
  [/^lib\//, 'steps'],
];
type Kind = 'functions' | 'client' | 'mongo' | 'reading' | 'http' | 'pure' | 'steps';

/** The packages that each may import. */
const PACKAGES: Readonly<Record<Kind, readonly string[]>> = {
  pure: ['temporal-polyfill', 'node:crypto', 'node:util', 'node:v8', 'node:zlib'],
  steps: ['node:crypto', 'node:util', 'temporal-polyfill'],
  reading: ['zod/mini'],
  mongo: ['mongodb', 'node:timers/promises', 'node:util'],
  http: [
    'zod/mini',
    'aws-lambda',
    'node:crypto',
    'node:util',
    '@aws-lambda-powertools/logger',
    '@aws-lambda-powertools/metrics',
    '@aws-sdk/client-eventbridge',
    '@aws-sdk/client-lambda',
  ],
  functions: ['mongodb', 'aws-lambda', 'package.json'],
  client: [], // it runs wherever callers do
};

/** Files that alone may use a package: what is digested, verified or encrypted, published, a calendar. */
const ALONE: Readonly<Record<string, RegExp>> = {
  'node:crypto':
    /^lib\/(edge\/limits|shared\/digest|callers\/(signature|message-signature|sealed-secret))\.ts$/,
  '@aws-sdk/client-eventbridge': /^lib\/edge\/event-bus\.ts$/,
  '@aws-sdk/client-lambda': /^lib\/edge\/invoke\.ts$/,
  'node:v8': /^lib\/backtest\/jobs\/slice\.ts$/,
  'node:zlib': /^lib\/backtest\/jobs\/slice\.ts$/,
  'temporal-polyfill':
    /^lib\/(rule\/(calendar|wall-clock|zoned)|shared\/duration|audit\/history\/history-windows)\.ts$/,
};

/** Words that a file must not contain. */
const FORBIDDEN: Readonly<Record<Kind, readonly RegExp[]>> = {
  pure: [/Date\.now\(/, /new Date\(\)/, /Math\.random/, /\bprocess\b/, /mongo/i, /statusCode/],
  steps: [/Date\.now\(/, /\bprocess\b/, /\bHTTP\b/, /statusCode/, /mongo/i],
  mongo: [/\bprocess\b/, /statusCode/],
  reading: [/Date\.now\(/, /new Date\(\)/, /Math\.random/, /\bprocess\b/, /statusCode/, /mongo/i],
  http: [/findOneAndUpdate/, /collection\(/],
  functions: [],
  client: [/\bprocess\b/, /\bBuffer\b/, /\brequire\(/, /\bwindow\./, /console\./],
};

/** Words of others, and what the glossary says instead. */
const FOREIGN_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bI[A-Z][a-z]+[A-Z]\w*(?=\s*[={<])/, 'a noun without prefix'],
  [/\w+(Manager|Helper|Utils?)\b/, 'what it does'],
  [/\b(denied|deny)\b/i, 'refused'],
  [/\bquota\b/i, 'maximum'],
  [/\bthreshold\b/i, 'maximum'],
  [/\block(ed|s)?\b/i, 'hold'],
];

/** Where raw operators stand: statements, stores of the driver, and filters and pipelines that are named so. */
const WITH_OPERATORS =
  /^packages\/|^lib\/(counter|document|mongo|health)\/|\/mongo-[a-z-]+\.ts$|-(filters|pipeline|effects|row|documents)\.ts$/;

/** A text that is an operator of MongoDB's: a key or a value that begins with one dollar sign. */
const OPERATOR = /^\$[a-z][A-Za-z]*$/;
const LINES_MAX = 400;
/** Files that are made of others. */
const MADE = ['packages/client/src/api.ts'];
const LINES_MAX_TEST_DATA = 1_500;

const LIBRARY = ['contract', 'lib', 'functions', 'packages/client/src'].flatMap(sourcesBelow);
const BESIDE = [
  'packages/documentdb-local',
  'packages/cdk/src',
  'bench',
  'cli',
  'infra',
  'test',
  'tools',
];
/** Beside the library, the top first: what checks the repository, what starts, and the command line. */
const PRODUCTS = ['tools', 'infra', 'cli'];
/** Commands that start something of infra/, which is loaded then. */
const STARTING: ReadonlySet<string> = new Set([
  'cli/run.ts',
  'cli/commands/console.ts',
  'cli/commands/start.ts',
]);
const EVERYTHING = [...LIBRARY, ...BESIDE.flatMap(sourcesBelow)];

const isTest = ({ path }: Source): boolean => /(^|\/)test\//.test(path);

function kindOf({ path }: Source): Kind {
  return KINDS.find(([pattern]) => pattern.test(path))?.[1] ?? 'pure';
}

/** Code without comments, so that words in prose do not count. */
function codeOf({ text }: Source): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

/** Nodes of a file that are what is looked for, as texts. */
function textsIn({ tree }: Source, look: (node: ts.Node) => string | undefined): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = look(node);
    if (text !== undefined) found.push(text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function operatorIn(node: ts.Node): string | undefined {
  const isText = ts.isStringLiteral(node) || ts.isIdentifier(node);
  // `$ref` is JSON Schema's.
  return isText && OPERATOR.test(node.text) && node.text !== '$ref' ? node.text : undefined;
}

/** A kind of a window that something is compared with. */
function comparedKind(node: ts.Node): string | undefined {
  const compared = ts.isCaseClause(node) || ts.isBinaryExpression(node) ? node : undefined;
  if (compared === undefined) return undefined;
  const isEqual =
    ts.isCaseClause(compared) ||
    [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
      compared.operatorToken.kind,
    );
  const value = ts.isCaseClause(compared) ? compared.expression : compared.right;
  const isKind = ts.isStringLiteral(value) && Object.hasOwn(WINDOWS, value.text);
  return isEqual && isKind ? value.text : undefined;
}

/** A literal that is spread into the literal around it, to join lines. */
function spreadLiteral(node: ts.Node): string | undefined {
  const isSpread = ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression);
  return isSpread ? node.getText() : undefined;
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

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}

/** Exports that nobody explains where they stand, or without a name. */
function unexplainedIn({ tree, text }: Source): readonly string[] {
  return tree.statements
    .filter((statement) => {
      if (ts.isExportAssignment(statement)) return true;
      const comments = ts.getLeadingCommentRanges(text, statement.getFullStart()) ?? [];
      return isExported(statement) && !comments.some(({ pos }) => text.startsWith('/**', pos));
    })
    .map((statement) => statement.getText().slice(0, 60));
}

/** What breaks a rule, with its file. */
function breaking(
  sources: readonly Source[],
  found: (source: Source) => readonly string[],
): readonly string[] {
  return sources.flatMap((source) => found(source).map((what) => `${source.path}: ${what}`));
}

describe('rooms', () => {
  it('are all on a floor', () => {
    const inside = LIBRARY.filter(({ path }) => !path.startsWith('packages/'));
    expect(inside.filter(({ path }) => floorOf(path) < 0).map(({ path }) => path)).toEqual([]);
    expect(
      FLOORS.flat().filter((room) => !inside.some(({ path }) => path.startsWith(room))),
    ).toEqual([]);
  });

  it('import from floors below alone', () => {
    const up = breaking(LIBRARY, upwardIn);
    expect(up).toEqual([]);
  });

  it('import the packages that their files are for', () => {
    const others = breaking(LIBRARY, (source) =>
      importsOf(source).filter((name) => {
        if (floorOf(name) >= 0 || name.startsWith('packages/client/')) return false;
        const isOurs = PACKAGES[kindOf(source)].includes(name);
        return !isOurs || ALONE[name]?.test(source.path) === false;
      }),
    );
    expect(others).toEqual([]);
  });

  it('leave clocks, chance, processes and other rooms’ words outside', () => {
    const found = breaking(LIBRARY, (source) => {
      const code = codeOf(source);
      return FORBIDDEN[kindOf(source)].filter((word) => word.test(code)).map(String);
    });
    expect(found).toEqual([]);
  });

  it('keep raw operators where statements are', () => {
    const operatorsOf = (source: Source) => textsIn(source, operatorIn);
    const [inside, outside] = [true, false].map((is) =>
      breaking(
        LIBRARY.filter(({ path }) => WITH_OPERATORS.test(path) === is),
        operatorsOf,
      ),
    );
    expect(outside).toEqual([]);
    expect(inside?.length).toBeGreaterThan(40); // the search does find them
  });

  it('ask windows questions, and compare no kind', () => {
    const outside = LIBRARY.filter(({ path }) => !path.startsWith('lib/rule/windows/'));
    expect(breaking(outside, (source) => textsIn(source, comparedKind))).toEqual([]);
    const text = "if (window.kind !== 'rolling') switch (kind) { case 'lifetime': }";
    const tree = ts.createSourceFile('lib/x.ts', text, ts.ScriptTarget.ES2023, true);
    expect(textsIn({ path: 'lib/x.ts', text, tree }, comparedKind)).toEqual([
      'rolling',
      'lifetime',
    ]);
  });

  it('remember nothing of their own, because every owner of state must end it', () => {
    // Heartbeats are forgotten together with their client.
    expect(breaking(LIBRARY, rememberedBy)).toEqual(['lib/mongo/client.ts: heartbeats']);
    const text = [
      'const seen = new Map<string, number>();',
      'export const kept = new WeakMap();',
      'let last = 0;',
      'const NONE: ReadonlyMap<string, string> = new Map();',
      'const inside = () => { let sum = 0; const all = new Map(); return [sum, all]; };',
    ].join('\n');
    const tree = ts.createSourceFile('lib/limits/x.ts', text, ts.ScriptTarget.ES2023, true);
    expect(rememberedBy({ path: 'lib/limits/x.ts', text, tree })).toEqual(['seen', 'kept', 'last']);
  });

  it('name each exported type by a word of its own', () => {
    const places = new Map<string, string[]>();
    for (const { path, tree } of LIBRARY.filter((source) => source.path.startsWith('lib/')))
      for (const statement of tree.statements)
        if (
          (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) &&
          isExported(statement)
        )
          places.set(statement.name.text, [...(places.get(statement.name.text) ?? []), path]);
    expect(places.size).toBeGreaterThan(100);
    expect([...places].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });
});

describe('imports', () => {
  it('never go round in a circle, those of types neither', () => {
    const graph = new Map(EVERYTHING.map((source) => [source.path, importsOf(source)]));
    expect(circlesIn(graph)).toEqual([]);
    const circle = { a: ['b', 'd'], b: ['c'], c: ['a'], d: [] };
    expect(circlesIn(new Map(Object.entries(circle)))).toEqual(['a <-> b <-> c']);
  });

  it('of products go down: tools, infra, cli', () => {
    const upward = PRODUCTS.flatMap((product, floor) =>
      sourcesBelow(product)
        .filter(({ path }) => !STARTING.has(path))
        .flatMap((source) => importsOf(source).map((name) => `${source.path}: ${name}`))
        .filter((line) => PRODUCTS.slice(0, floor).some((each) => line.includes(`: ${each}/`))),
    );
    expect(upward).toEqual([]);
  });

  it('never lead from what is deployed or published to tests', () => {
    const shipped = EVERYTHING.filter((source) => !isTest(source));
    const isForTests = (name: string): boolean => name.startsWith('test/');
    expect(breaking(shipped, (source) => importsOf(source).filter(isForTests))).toEqual([]);
  });

  it('keep the model apart from what it judges', () => {
    const model = EVERYTHING.filter(
      ({ path }) => path.startsWith('test/model/') && !path.endsWith('.test.ts'),
    );
    expect(model.length).toBeGreaterThan(3);
    const isJudged = (name: string): boolean => name.startsWith('lib/');
    expect(breaking(model, (source) => importsOf(source).filter(isJudged))).toEqual([]);
  });
});

describe('files', () => {
  it('are short enough to be read at once', () => {
    const long = EVERYTHING.filter((source) => {
      const most = isTest(source) ? LINES_MAX_TEST_DATA : LINES_MAX;
      return !MADE.includes(source.path) && source.text.split('\n').length > most;
    });
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('use the words of the glossary', () => {
    const foreign = breaking(LIBRARY, ({ text }) =>
      FOREIGN_WORDS.flatMap(([word, instead]) => {
        const found = word.exec(text);
        return found === null ? [] : [`${found[0]}, say ${instead}`];
      }),
    );
    expect(foreign).toEqual([]);
  });

  it('name one field a line, and spread no literal to join lines', () => {
    // At the front of an object, each takes as long as 30 fields that are named, on Node 20.
    const code = EVERYTHING.filter((source) => !isTest(source));
    expect(breaking(code, (source) => textsIn(source, spreadLiteral))).toEqual([]);
  });

  it('export by name, and document each export', () => {
    // These only pass on what is documented where it stands.
    const passesOn = (source: Source): boolean =>
      source.path === 'packages/client/src/index.ts' ||
      importsOf(source).includes('functions/handlers.ts');
    const own = LIBRARY.filter((source) => !passesOn(source));
    expect(breaking(own, unexplainedIn)).toEqual([]);
  });
});

it('every client of a database writes to a majority, and leaves it to Headroom to repeat', () => {
  const folders = [
    'lib',
    'functions',
    'cli',
    'infra',
    'tools',
    'bench',
    'test',
    'packages/console/test',
  ];
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
      const owned = text.match(/\bOWN_WRITES\b(?!.* from )/g) ?? [];
      return clients.length > owned.length;
    });
  expect(others).toEqual([]);
});
