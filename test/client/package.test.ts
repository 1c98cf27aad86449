import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { lexer } from 'marked';
import { beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../support/folder.ts';
import { compile } from '../support/user-compiler.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PACKAGE = join(ROOT, 'packages', 'client');
/** The price of calling Headroom, for a page or a function: a few kilobytes. */
const BYTES_MAX = { index: 18_000, lambda: 1_000 };

/** The keys of package.json that matter here. */
type Manifest = {
  readonly version: string;
  readonly engines: object;
  readonly files: readonly string[];
  readonly dependencies?: object;
};

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest; // this project's own

/** Runs a program of this Node; what it said. */
function run(cwd: string, ...program: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(`${program.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** A project that has the package installed as it is published, and AWS's client. */
const folder = useFolder();
let project: string;
beforeAll(() => {
  project = folder.path('');
  const installed = join(project, 'node_modules', '@headroom-limits', 'client');
  mkdirSync(installed, { recursive: true });
  run(PACKAGE, 'build.mjs', join(installed, 'dist'));
  for (const name of ['package.json', 'src'])
    cpSync(join(PACKAGE, name), join(installed, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules', '@aws-sdk'), join(project, 'node_modules', '@aws-sdk'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});

const OPTIONS = { target: 'es2022', types: [], lib: ['es2022', 'dom'] };

/** @param skipLibCheck AWS's declarations need Node's, which are not there */
const compileHere = (programs: Readonly<Record<string, string>>, skipLibCheck: boolean) =>
  compile(project, programs, { ...OPTIONS, skipLibCheck });

describe('the package', () => {
  it('depends on nothing at run time, and needs the Node that Headroom needs', () => {
    const { dependencies, engines, version } = manifestOf(PACKAGE);
    expect(dependencies).toBeUndefined();
    expect({ engines, version }).toEqual({
      engines: manifestOf(ROOT).engines,
      version: manifestOf(ROOT).version,
    });
  });

  it.each(['index', 'lambda'] as const)('%s is small, and imports nothing', async (name) => {
    const { outputFiles, metafile } = await build({
      entryPoints: [
        join(project, 'node_modules', '@headroom-limits', 'client', 'dist', `${name}.js`),
      ],
      bundle: true,
      minify: true,
      write: false,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      external: [...builtinModules, 'node:*', '@aws-sdk/*'],
    });
    const [output] = Object.values(metafile.outputs);
    expect(output?.imports).toEqual([]);
    expect(outputFiles[0]?.contents.length).toBeLessThanOrEqual(BYTES_MAX[name]);
  });

  it('runs in Node as it is installed', () => {
    const program = `
      import { HeadroomClient, paid, OutcomeUnknown } from '@headroom-limits/client';
      import { lambdaTransport } from '@headroom-limits/client/lambda';
      const invoke = () => Promise.resolve({ Payload: new TextEncoder().encode('{"state":"rolledBack","repeated":false}') });
      const client = new HeadroomClient({ transport: lambdaTransport({ invoke, functionName: String }) });
      console.log((await client.rollback({ orderId: 'o-1' })).state, typeof paid, OutcomeUnknown.name);`;
    expect(run(project, '--input-type=module', '--eval', program)).toBe(
      'rolledBack function OutcomeUnknown\n',
    );
  });

  it('has declarations that stand by themselves', () => {
    const program = `
      import { HeadroomClient } from '@headroom-limits/client';
      import { lambdaTransport } from '@headroom-limits/client/lambda';
      const client = new HeadroomClient({ url: 'https://limits.example.com' });
      const request = { orderId: 'o-1', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };
      const result = await client.withHold(request, () => Promise.resolve({ receipt: 7 }));
      export const seven: number | undefined =
        result.outcome === 'confirmed' ? result.value.receipt : undefined;
      export { lambdaTransport };`;
    expect(compileHere({ 'good.ts': program }, false)).toEqual([]);
  });

  it('has declarations that TypeScript 5.4 reads', () => {
    const dist = join(project, 'node_modules', '@headroom-limits', 'client', 'dist');
    const texts = readdirSync(dist).filter((name) => name.endsWith('.d.ts'));
    const all = texts.map((name) => readFileSync(join(dist, name), 'utf8')).join('\n');
    // Typed arrays are generic since the libraries of 5.7.
    expect(all.match(/Uint8Array<|ArrayBufferView</g)).toBeNull();
  });

  it('has types that find mistakes', () => {
    const mistakes = [
      { call: "check({ orderId: 'o-1' })", says: /subjects, amount, currency/ },
      { call: "confirm({ orderId: 'o-1', amuont: 1 })", says: /'amuont' does not exist/ },
      {
        call: "settlements({ settlements: [{ orderId: 'o-1', status: 'FAIL', amount: 1 }] })",
        says: /'amount' does not exist/,
      },
      {
        call: "withHold({ orderId: 'o', subjects: {}, amount: 1, currency: 'CNY', capture: true }, String)",
        says: /'true' is not assignable to type 'false'/,
      },
    ];
    const programOf = (call: string) => `
      import { HeadroomClient } from '@headroom-limits/client';
      await new HeadroomClient({ url: 'https://limits.example.com' }).${call};`;
    const files = mistakes.map(({ call }, index) => [`bad-${index}.ts`, programOf(call)] as const);
    const found = compileHere(Object.fromEntries(files), true);
    expect(found).toEqual(
      mistakes.map(({ says }, index) => ({
        file: `bad-${index}.ts`,
        says: expect.stringMatching(says) as string,
      })),
    );
  });
});

describe('its README', () => {
  const blocks = lexer(readFileSync(join(PACKAGE, 'README.md'), 'utf8')).flatMap((token) =>
    token.type === 'code' && token.lang === 'ts' ? [String(token.text)] : [],
  );

  it('has examples', () => {
    expect(blocks.length).toBeGreaterThan(4);
  });

  it('has examples that compile', () => {
    const [first = '', ...others] = blocks;
    // Each stands below the first, which makes the client, in a block of its own.
    const imports = blocks.flatMap((block) => block.match(/^import [^;]*;$/gm) ?? []);
    const bodies = others.map((block) => `{\n${block.replaceAll(/^import [^;]*;$/gm, '')}\n}`);
    const given = `
      declare const process: { readonly env: Readonly<Record<string, string>> };
      declare const console: { log(...all: unknown[]): void; warn(...all: unknown[]): void };
      declare const bank: { pay(amount: number, key: string): Promise<{ id: string; charged: number }> };
      declare const payments: { keep(orderId: string, what: object): Promise<void> };
      declare class BankTimeout extends Error {}
      declare function request(): Promise<{ token: string }>;
      const order = { orderId: 'o-1', type: 'PAYMENT', subjects: { user: 'u-1' }, amount: 1, currency: 'CNY' };
      declare const reservation: string;
      declare const refusal: Error;`;
    const top = first.replaceAll(/^import [^;]*;$/gm, '');
    const program = [...new Set(imports), given, top, ...bodies].join('\n');
    expect(compileHere({ 'readme.ts': program }, true)).toEqual([]);
  });
});
