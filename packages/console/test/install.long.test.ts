import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** The real npm installs from a folder, so that nothing is downloaded. */
const TIMEOUT_MS = 60_000;
const PROGRAM = new URL('../install.mjs', import.meta.url).href;

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-console-install-'));
  const write = (name: string, content: object): void => {
    writeFileSync(join(folder, name), JSON.stringify(content));
  };
  const manifest = {
    name: 'sample',
    version: '1.0.0',
    dependencies: { built: 'file:built' },
    devDependencies: { tested: 'file:tested' },
  };
  for (const name of ['built', 'tested']) {
    mkdirSync(join(folder, name));
    write(`${name}/package.json`, { name, version: '1.0.0' });
  }
  write('package.json', manifest);
  write('package-lock.json', {
    name: 'sample',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': manifest,
      built: { version: '1.0.0' },
      'node_modules/built': { resolved: 'built', link: true },
      'node_modules/tested': { resolved: 'tested', link: true, dev: true },
      tested: { version: '1.0.0', dev: true },
    },
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Installs in a process of its own; gives what npm said, or nothing where it was not called. */
function installs(forTests: boolean): Promise<string> {
  const script = `import { inTurn, installMissing } from ${JSON.stringify(PROGRAM)};
const folder = ${JSON.stringify(folder)};
await inTurn(folder, () => installMissing(folder, { forTests: ${forTests} }));`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--input-type=module', '-e', script], (error, stdout, stderr) => {
      if (error === null) resolve(stdout + stderr);
      else reject(new Error(stderr, { cause: error }));
    });
  });
}

describe('what the console needs', { timeout: TIMEOUT_MS }, () => {
  it('is installed by one at a time, once for builds and once more for tests', async () => {
    const said = await Promise.all([false, true, false, true, false].map(installs));
    const called = said.filter((text) => text !== '');
    expect(called.length).toBeGreaterThan(0);
    expect(called.length).toBeLessThanOrEqual(2);
    for (const name of ['built', 'tested'])
      expect(existsSync(join(folder, 'node_modules', name, 'package.json'))).toBe(true);
  });
});
