import { useFolder } from '../support/folder.ts';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CALL_NAMES, FUNCTION_NAMES } from '../support/function-names.ts';
import {
  BUNDLE_BYTES_MAX,
  FAST,
  TIMEOUT_MS,
  environments,
  functionSchema,
  resources,
  runPackage,
} from '../support/packaged.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BUNDLES = join(ROOT, '.esbuild', 'package', '.build', 'functions');

const metafileSchema = z.object({
  outputs: z.record(
    z.string(),
    z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) }),
  ),
});

/** The sources of which a function's bundle has anything, by esbuild's word. */
function sourcesIn(name: string): readonly string[] {
  const { outputs } = metafileSchema.parse(
    JSON.parse(readFileSync(join(BUNDLES, `${name}-meta.json`), 'utf8')),
  );
  return Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => path);
}

/** A home directory with nothing in it. */
const home = useFolder();
let said: string;
beforeAll(() => {
  said = runPackage(home.path(''));
}, TIMEOUT_MS);

describe('npm run package', () => {
  it.each(FUNCTION_NAMES)('says the size of %s, bundled and zipped', (name) => {
    expect(said).toMatch(
      new RegExp(`^${name} +\\d+ kB +\\d+ kB +\\.serverless/${name}\\.zip$`, 'm'),
    );
  });

  it.each(FUNCTION_NAMES)('makes an artifact of %s that holds its handler and no other', (name) => {
    const zip = unzipSync(readFileSync(join(ROOT, '.serverless', `${name}.zip`)));
    const files = Object.keys(zip).filter((path) => !path.endsWith('/'));
    expect(files.filter((path) => !path.endsWith('.map'))).toEqual([`functions/${name}.cjs`]);
  });

  it.each(FUNCTION_NAMES)('makes a small bundle of %s', (name) => {
    const bundle = home.path(`${name}.cjs`);
    copyFileSync(join(BUNDLES, `${name}.cjs`), bundle);
    expect(readFileSync(bundle).length).toBeLessThan(BUNDLE_BYTES_MAX);
  });

  it.each(FUNCTION_NAMES)(
    'has neither the reader of rule files nor the whole of zod in %s',
    (name) => {
      const unwanted =
        /node_modules\/yaml\/|cli\/rule-file|zod\/v4\/(classic|locales)\/|node_modules\/@(aws-sdk|smithy)\//;
      const sources = sourcesIn(name);
      expect(sources).toContain(`functions/${name}.ts`);
      expect(sources.filter((path) => unwanted.test(path))).toEqual([]);
    },
  );

  it('has the reader of its own call alone in check: each makes its schemas when it is loaded', () => {
    const readers = sourcesIn('check').filter((path) => /lib\/.+-request\.ts$/.test(path));
    expect(readers).toEqual(['lib/http/check-request.ts']);
  });

  it('needs nothing beside its bundles to load them, one after the other', () => {
    const loaded = `${JSON.stringify(FUNCTION_NAMES)}.map((name) => typeof require('./' + name + '.cjs').handler)`;
    const result = spawnSync(
      process.execPath,
      ['-e', `console.log(${loaded}.join('\\n')); process.exit()`],
      {
        cwd: home.path(''),
        encoding: 'utf8',
        env: { ...environments()[0], MONGODB_URI: 'mongodb://127.0.0.1:1/', NODE_OPTIONS: '' },
      },
    );
    expect(result.stdout + result.stderr).toBe('function\n'.repeat(FUNCTION_NAMES.length));
  });
});

it('has the sizes that docs/deploy.md names', () => {
  const page = readFileSync(join(ROOT, 'docs', 'deploy.md'), 'utf8');
  const [, bundle = 0, zip = 0, driver = 0] = (
    /bundle has at most (\d+) kB, .+ at most (\d+) kB\. .+ driver, some (\d+) kB/.exec(page) ?? []
  ).map(Number);
  const rows = [...said.matchAll(/^\w+ +(\d+) kB +(\d+) kB +\.serverless/gm)];
  const largest = (column: number): number => Math.max(...rows.map((row) => Number(row[column])));
  for (const [named, is] of [
    [bundle, largest(1)],
    [zip, largest(2)],
  ] as const) {
    expect(is).toBeLessThanOrEqual(named);
    expect(is).toBeGreaterThan(named * 0.9);
  }
  const [, ofCheck] = /^check +mongodb (\d+) kB/m.exec(said) ?? [];
  // Short names differ with what is bundled beside it.
  expect(Math.abs(Number(ofCheck) - driver)).toBeLessThan(5);
});

it('npm run package -- --help tells its options, and nothing of what was packaged before', () => {
  const help = runPackage(home.path(''), '--help');
  expect(help).toContain('--stage / -s');
  expect(help).not.toMatch(/kB|cloudformation-template/);
});

describe('the stack where applications sign (auth=hmac)', () => {
  beforeAll(() => {
    runPackage(home.path(''), '--param=auth=hmac', FAST);
  }, TIMEOUT_MS);

  it('lets every call through to the functions, which verify it', () => {
    const routeSchema = z.looseObject({ RouteKey: z.string() });
    const routes = resources('AWS::ApiGatewayV2::Route', routeSchema);
    // Functions of rules, terms, proposals, history and back-tests have several; that of proposals tells who calls, too.
    expect(routes).toHaveLength(CALL_NAMES.length + 5 + 6 + 5 + 2 + 4);
    for (const route of routes) expect(route).not.toHaveProperty('AuthorizationType');
    for (const { AUTH } of environments()) expect(AUTH).toBe('hmac');
  });

  it('gives the key of secrets to the functions that verify or make them, and to no other', () => {
    const without = resources('AWS::Lambda::Function', functionSchema).flatMap(
      ({ FunctionName, Environment: { Variables } }) => {
        if (Variables.APPS_KEY === '') return [FunctionName];
        expect(Variables.APPS_KEY).toBe('{{resolve:secretsmanager:headroom/dev/apps-key}}');
        return [];
      },
    );
    const names = ['backtest', 'indexes', 'settle'].map((name) => `headroom-dev-${name}`);
    expect(without.toSorted()).toEqual(names);
  });

  it('cannot be made with callers whom nobody verifies', () => {
    expect(() => runPackage(home.path(''), '--param=auth=off')).toThrow(
      'Value not found at "file" source',
    );
  });
});
