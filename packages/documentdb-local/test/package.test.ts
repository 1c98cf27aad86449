import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PACKAGE = join(import.meta.dirname, '..');
/** The packages that its README uses, beside itself. */
const BESIDE = ['bson', 'pg', 'mongodb', '@types/node'];

/** Runs a program of this Node; what it said. */
function run(cwd: string, ...program: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, program, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  if (status !== 0)
    throw new Error(`${program.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}

/** Where npm put a package that is found from here. */
function folderOf(name: string): string {
  const places = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const found = places.map((place) => join(place, name)).find((folder) => existsSync(folder));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return found;
}

/** A project that has the package installed as it is published. */
let project: string;
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'documentdb-local-package-'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  run(PACKAGE, 'build.mjs', join(modules, '@headroom-limits', 'documentdb-local'));
  for (const name of BESIDE) symlinkSync(folderOf(name), join(modules, name));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
});
afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

/** The examples of its README, and one with a mistake. */
const README = readFileSync(join(PACKAGE, 'README.md'), 'utf8');
const EXAMPLES = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
const MISTAKEN = `
  import { startDocumentDB } from '@headroom-limits/documentdb-local';
  const started = await startDocumentDB({ folder: 'data' });
  export const uri: string = started.server.uri;`;

/** Checks the types of programs as a user's own compiler does; the mistakes, with their files. */
function compile(programs: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(project, name), text);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipDefaultLibCheck: true },
    ...{ module: 'nodenext', target: 'es2023', types: ['node'] },
  };
  const description = JSON.stringify({ compilerOptions, files: Object.keys(programs) });
  writeFileSync(join(project, 'tsconfig.json'), description);
  const tsc = join(folderOf('typescript'), 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], {
    cwd: project,
    encoding: 'utf8',
  });
  const mistakes = stdout.split('\n').filter((line) => /^\S/.test(line));
  return mistakes.map((line) => {
    const [, file = '', says = line] = /^(\S+?)\(\d+,\d+\): error TS\d+: (.*)$/.exec(line) ?? [];
    return { file, says };
  });
}

/** Elsewhere than on Debian there is nothing to start. */
const ELSEWHERE = `
  Object.defineProperty(process, 'platform', { value: 'darwin' });
  const { startDocumentDB } = await import('@headroom-limits/documentdb-local');
  console.log(JSON.stringify(await startDocumentDB({ folder: 'data' })));`;

describe('the package', () => {
  it('is published without what it is developed with, and as no workspace', () => {
    const path = join(
      project,
      'node_modules',
      '@headroom-limits',
      'documentdb-local',
      'package.json',
    );
    // Written by its build.
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { readonly name: string };
    expect(manifest.name).toBe('@headroom-limits/documentdb-local');
    expect(Object.keys(manifest)).toEqual([
      'name',
      'version',
      'description',
      'license',
      'keywords',
      'type',
      'sideEffects',
      'engines',
      'exports',
      'dependencies',
      'publishConfig',
    ]);
  });

  it('says on another system than Debian that it is unavailable, and makes nothing', () => {
    expect(JSON.parse(run(project, '--input-type=module', '--eval', ELSEWHERE))).toEqual({
      kind: 'unavailable',
      reason: 'DocumentDB: only on Debian, this is darwin',
    });
    expect(existsSync(join(project, 'data'))).toBe(false);
  });

  it.each([0, 61, 1.5])('has no sweep every %d seconds', (seconds) => {
    const program = `
      const { startDocumentDB } = await import('@headroom-limits/documentdb-local');
      await startDocumentDB({ folder: 'data', ttlSweepSeconds: ${seconds} }).catch((error) => console.log(error.message));`;
    expect(run(project, '--input-type=module', '--eval', program)).toBe(
      `ttlSweepSeconds is ${seconds}; expected a whole number from 1 to 60, or 'never'.\n`,
    );
  });

  it('reads the wire protocol as it is installed', () => {
    const program = `
      import { FrameReader } from '@headroom-limits/documentdb-local/wire';
      console.log([...new FrameReader().push(Buffer.alloc(0))].length);`;
    expect(run(project, '--input-type=module', '--eval', program)).toBe('0\n');
  });

  it('has types by which the examples of its README compile, and that find a mistake', () => {
    expect(EXAMPLES).toHaveLength(2);
    const examples = EXAMPLES.map((text, index) => [`example-${index}.ts`, text] as const);
    expect(compile({ ...Object.fromEntries(examples), 'mistaken.ts': MISTAKEN })).toEqual([
      {
        file: 'mistaken.ts',
        says: expect.stringMatching(/'server' does not exist on type 'DocumentDBStart'/) as string,
      },
    ]);
  });
});
