import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The real npm installs in every row: from a folder, so that nothing is downloaded. */
const TIMEOUT_MS = 60_000;
const ROOT = join(import.meta.dirname, '..', '..');
const STEP = ['tools/install.mjs', 'tools/installation.mjs', 'bin/headroom.mjs'];

let project: string;

/** Writes a project of one dependency, in the version that its lock file is to name. */
function writeProject(version: string, lockedVersion = version): void {
  const write = (name: string, content: object): void => {
    writeFileSync(join(project, name), JSON.stringify(content));
  };
  const manifest = {
    name: 'sample',
    version: '1.0.0',
    dependencies: { dependency: 'file:dependency' },
  };
  mkdirSync(join(project, 'dependency'), { recursive: true });
  write('package.json', manifest);
  write('dependency/package.json', { name: 'dependency', version });
  write('package-lock.json', {
    name: 'sample',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': manifest,
      dependency: { version: lockedVersion },
      'node_modules/dependency': { resolved: 'dependency', link: true },
    },
  });
}

/** Runs the step as npm start does; `nodeVersion` pretends to be another Node. */
function runInstall(nodeVersion?: string, preload?: string, program = 'tools/install.mjs') {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${nodeVersion ?? ''}'})`;
  const result = spawnSync(
    process.execPath,
    [...(preload === undefined ? [] : ['--import', preload]), join(project, program)],
    {
      cwd: project,
      encoding: 'utf8',
      // For what it starts as well.
      env: {
        ...process.env,
        ...(nodeVersion === undefined ? {} : { NODE_OPTIONS: `--import ${pretend}` }),
      },
    },
  );
  return { code: result.status, said: result.stdout + result.stderr };
}

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'headroom-install-'));
  for (const file of STEP) cpSync(join(ROOT, file), join(project, file));
  writeProject('1.0.0');
});
afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

describe('the step that installs what is missing', { timeout: TIMEOUT_MS }, () => {
  it('runs npm ci in a fresh clone and says why', () => {
    const { code, said } = runInstall();
    expect(said).toContain('with npm ci, because node_modules is missing');
    expect(code).toBe(0);
  });

  it('runs before the command line where it has to, and says so beside what is printed', () => {
    const run = (version?: string) => runInstall(version, undefined, 'bin/headroom.mjs').said;
    const installs = 'with npm ci, because node_modules is missing';
    expect(run('18.20.0')).toContain('Headroom needs Node 20.19 or newer');
    expect(run()).not.toContain(installs);
    rmSync(join(project, 'node_modules'), { recursive: true });
    expect(run()).toContain(installs);
    expect(run()).not.toContain(installs);
  });

  it('says that it goes on, for npm may take minutes', () => {
    rmSync(join(project, 'node_modules'), { recursive: true });
    // Time goes a thousand times faster than on the wall.
    const fast = `data:text/javascript,import timers from 'node:timers';import {syncBuiltinESMExports} from 'node:module';const real=timers.setInterval;timers.setInterval=(run,ms)=>real(run,ms/1000);syncBuiltinESMExports()`;
    const { said } = runInstall(undefined, fast);
    expect(said).toMatch(
      /because node_modules is missing.*\n {2}npm ci works for 5 s…\n {2}npm ci works for 10 s…\n/,
    );
  });

  it.each(['.', 'packages/client', 'packages/cdk'])('runs before npm pack in %s', (folder) => {
    const step = folder === '.' ? 'tools/install.mjs' : '../../tools/install.mjs';
    const manifest = readFileSync(join(ROOT, folder, 'package.json'), 'utf8');
    expect(manifest).toContain(`"prepack": "node ${step} && `);
  });

  it('does and says nothing when everything is there', () => {
    expect(runInstall()).toEqual({ code: 0, said: '' });
  });

  it('runs npm ci when the lock file moved on', () => {
    writeProject('2.0.0');
    const { code, said } = runInstall();
    expect(said).toContain('because dependency is 1.0.0, package-lock.json says 2.0.0');
    expect(code).toBe(0);
    expect(runInstall().said).toBe('');
  });

  it('runs npm ci when a package was deleted', () => {
    rmSync(join(project, 'node_modules', 'dependency'), { recursive: true });
    expect(runInstall().said).toContain('because node_modules/dependency is missing');
    expect(runInstall().said).toBe('');
  });

  it('ends with one sentence and a failure when npm cannot install', () => {
    writeFileSync(join(project, 'package-lock.json'), '{"lockfileVersion":3,"packages":{}}');
    const { code, said } = runInstall();
    expect(said).toContain('Dependencies could not be installed: npm ci ended with 1; see above.');
    expect(code).toBe(1);
  });

  it.each([
    { version: '18.20.8', works: false, why: 'the driver needs Node 20.19' },
    { version: '20.18.3', works: false, why: 'it is one minor release too old' },
    { version: '22.12.0', works: false, why: 'the framework needs 22.13' },
    { version: '23.11.0', works: false, why: 'the framework leaves odd releases out' },
    { version: '20.19.0', works: true, why: 'it is the oldest that works' },
    { version: '22.13.0', works: true, why: 'it is the oldest 22 that works' },
    { version: '26.0.0', works: true, why: 'newer ones are welcome' },
  ])('Node $version, works: $works, because $why', ({ version, works }) => {
    writeProject('2.0.0');
    const { code, said } = runInstall(version);
    expect({ code, refused: said.includes('Headroom needs Node 20.19 or newer') }).toEqual({
      code: works ? 0 : 1,
      refused: !works,
    });
  });
});
