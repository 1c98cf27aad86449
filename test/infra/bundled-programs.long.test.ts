import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SOURCES = [
  'bin',
  'cli',
  'contract',
  'infra',
  'tools',
  'lib',
  'functions',
  'packages',
  'package.json',
  'package-lock.json',
];
const run = promisify(execFile);
const DAY_MS = 86_400_000;

/** An instant that can be given back to a file: whole seconds. */
const WRITTEN_AT = new Date('2026-01-01T00:00:00Z');
const EDITED = ['cli/run.ts', 'lib/shared/errors.ts', 'package.json'] as const;

type Bundles = Readonly<{ bundledProgram: (name: string) => string | undefined }>;

describe('the bundle of a program', () => {
  let clone: string;
  let make: () => string;
  let first: string;

  beforeAll(async () => {
    clone = mkdtempSync(join(tmpdir(), 'headroom-bundles-'));
    for (const name of SOURCES) cpSync(join(ROOT, name), join(clone, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    for (const file of EDITED) utimesSync(join(clone, file), WRITTEN_AT, WRITTEN_AT);
    const module = join(clone, 'infra', 'bundled-programs.mjs');
    // The copy of what infra/bundled-programs.d.mts describes.
    const { bundledProgram } = (await import(module)) as Bundles;
    make = () => bundledProgram('headroom') ?? expect.fail('nothing was made');
    first = make();
  });
  afterAll(() => {
    rmSync(clone, { recursive: true });
  });

  /** Changes a source while something is done, and puts it back as it was. */
  function withEdited<T>(
    file: (typeof EDITED)[number],
    edit: (text: string) => string,
    work: () => T,
  ): T {
    const path = join(clone, file);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, edit(text));
    try {
      return work();
    } finally {
      writeFileSync(path, text);
      utimesSync(path, WRITTEN_AT, WRITTEN_AT);
    }
  }

  /** All of its files as one text: what programs share is in files of its own. */
  function textOf(path: string): string {
    const names = readdirSync(dirname(path)).filter((name) => name.endsWith('.mjs'));
    return names.map((name) => readFileSync(join(dirname(path), name), 'utf8')).join('\n');
  }

  const folders = () => readdirSync(join(clone, '.esbuild'));

  it('is made once, and found by the next', () => {
    const { mtimeMs } = statSync(first);
    expect(make()).toBe(first);
    expect(statSync(first).mtimeMs).toBe(mtimeMs);
    expect(folders()).toEqual([expect.stringMatching(/^programs-[0-9a-f]{16}$/)]);
  });

  it.each([
    { file: 'lib/shared/errors.ts', why: 'what it is made of' },
    { file: 'package.json', why: 'what it reads' },
  ] as const)(
    'is another one after $file ($why) was edited, and the last one stays',
    ({ file }) => {
      const edit = (text: string) =>
        file.endsWith('.json')
          ? text.replace(/"version": "[^"]*"/, '"version": "99.0.0-edited"')
          : `${text}\nconsole.log('99.0.0-edited');\n`;
      const edited = withEdited(file, edit, make);
      expect(textOf(edited)).toContain('99.0.0-edited');
      expect(textOf(first)).not.toContain('99.0.0-edited');
      expect(make()).toBe(first);
    },
  );

  it('is complete for each of several that make it at once', async () => {
    const text = textOf(first);
    rmSync(join(clone, '.esbuild'), { recursive: true });
    const script = `import { bundledProgram } from './infra/bundled-programs.mjs';
      process.stdout.write(bundledProgram('headroom'));`;
    const start = () =>
      run(process.execPath, ['--input-type=module', '--eval', script], { cwd: clone });
    const made = await Promise.all([start(), start(), start()]);
    expect(made.map(({ stdout }) => stdout)).toEqual([first, first, first]);
    expect(textOf(first)).toBe(text);
    expect(folders()).toHaveLength(1);
  });

  it('of a source with a mistake is none, and it is said where', () => {
    const before = folders();
    withEdited(
      'cli/run.ts',
      (text) => `${text}\nconst = 1;\n`,
      () => {
        expect(make).toThrow(/cli\/run\.ts:\d+:\d+: ERROR: Expected identifier/);
      },
    );
    expect(folders()).toEqual(before);
  });

  it('has no source that nobody would look at when it changes', () => {
    writeFileSync(join(clone, 'elsewhere.ts'), 'console.log("elsewhere");\n');
    withEdited(
      'cli/run.ts',
      (text) => `import '../elsewhere.ts';\n${text}`,
      () => {
        expect(make).toThrow('elsewhere.ts is a source of a program: name its folder');
      },
    );
  });

  it('of a clone that was moved is another one, which knows its place', async () => {
    expect(make()).toBe(first);
    const moved = `${clone}-moved`;
    renameSync(clone, moved);
    try {
      const module = join(moved, 'infra', 'bundled-programs.mjs');
      const { bundledProgram } = (await import(module)) as Bundles;
      const made = bundledProgram('headroom') ?? expect.fail('nothing was made');
      const places = [moved, clone].map((each) => JSON.stringify(join(each, 'infra')));
      const text = textOf(made);
      expect(places.map((each) => text.includes(each))).toEqual([true, false]);
    } finally {
      renameSync(moved, clone);
    }
  });

  it('is the same beside a link to nothing, by which an editor says that it has a file open', () => {
    const held = join(clone, 'tools', '.#install.mjs');
    symlinkSync('jane@desk.1234:1700000000', held);
    try {
      expect(existsSync(make())).toBe(true);
    } finally {
      rmSync(held);
    }
  });

  it('is none where nothing can be written, and the command line goes on without', async () => {
    const place = join(clone, '.esbuild');
    renameSync(place, `${place}-before`);
    // Root may write everywhere, but not below a file.
    writeFileSync(place, '');
    expect(make).toThrow('nothing was made');
    const { stdout } = await run(process.execPath, ['bin/headroom.mjs', '--version'], {
      cwd: clone,
    });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    rmSync(place);
    renameSync(`${place}-before`, place);
  });

  it('is none where the disk is full, and the command line goes on without', async () => {
    const place = join(clone, '.esbuild');
    renameSync(place, `${place}-before`);
    // No file may have more than a few kilobytes: some can be written, and some cannot.
    const full = 'ulimit -f 20; exec "$0" bin/headroom.mjs --version';
    const { stdout, stderr } = await run('sh', ['-c', full, process.execPath], { cwd: clone });
    expect({ stdout, stderr }).toEqual({
      ...{ stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string, stderr: '' },
    });
    expect(folders()).toEqual([]);
    rmSync(place, { recursive: true });
    renameSync(`${place}-before`, place);
  });

  it('is taken away a day after it was made, with the next one that is made', () => {
    const madeAt = new Date(Date.now() - DAY_MS - 1000);
    utimesSync(dirname(first), madeAt, madeAt);
    const next = withEdited('cli/run.ts', (text) => `${text}\n`, make);
    expect(existsSync(first)).toBe(false);
    expect(existsSync(next)).toBe(true);
  });
});
