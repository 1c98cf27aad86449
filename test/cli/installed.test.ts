import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');

const database = useDatabase();
const folder = useFolder();
let program: string;

beforeAll(() => {
  const installed = folder.path('node_modules/headroom');
  mkdirSync(installed, { recursive: true });
  const built = spawnSync(
    process.execPath,
    [join(ROOT, 'tools', 'build-cli.mjs'), join(installed, 'dist')],
    { encoding: 'utf8' },
  );
  expect({ status: built.status, said: built.stderr }).toEqual({ status: 0, said: '' });
  // The files and dependencies that package.json names: nothing else is there.
  cpSync(join(ROOT, 'package.json'), join(installed, 'package.json'));
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    readonly bin: { readonly headroom: string };
    readonly files: readonly string[];
    readonly dependencies: Readonly<Record<string, string>>;
  }; // this project's own
  for (const name of manifest.files.filter((each) => each !== 'dist'))
    cpSync(join(ROOT, name), join(installed, name), { recursive: true });
  for (const name of Object.keys(manifest.dependencies)) {
    const link = folder.path(join('node_modules', name));
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  program = join(installed, manifest.bin.headroom);
});

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    cwd: folder.path(''),
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ...environmentOf(database),
    },
  });
  return { code: status, out: stdout, err: stderr };
}

describe('the command line, installed without the repository', () => {
  it('makes indexes, stores rules, asks, and looks at the database', () => {
    const rules = join(ROOT, 'examples', 'rules.yaml');
    expect(run('indexes')).toMatchObject({ code: 0, err: '' });
    expect(run('rules', 'import', rules)).toMatchObject({ code: 0, err: '' });
    expect(run('rules', 'import', '--pack', 'us-cash')).toMatchObject({ code: 0, err: '' });
    const asked = run('check', '--dry-run', 'user:u-1', '--amount', '100', '--currency', 'CNY');
    expect(asked).toMatchObject({ code: 0, err: '' });
    expect(asked.out).toMatch(/^allowed\n/);
    expect(run('doctor').out).toMatch(/^ok +probe /m);
    expect(run('reconcile').err).toMatch(/^Not reconciled: .* has no audit rows to compare with/);
  });

  it('says that it starts in a clone alone', () => {
    expect(run('start')).toEqual({
      code: 2,
      out: '',
      err: 'headroom start serves the functions from their sources: run it in a clone of the repository.\n',
    });
  });
});
