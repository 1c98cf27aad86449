import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { npmProgram } from '../install.mjs';

/** The real npm installs from a folder, so that nothing is downloaded. */
const TIMEOUT_MS = 60_000;
/** How long an npm takes beside which another could begin. */
const SLOW_MS = 1_500;
const LOOK_MS = 20;
const run = promisify(execFile);
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

/** The parameters of a process that installs, by the npm given. */
function installing(forTests: boolean, npm: string) {
  const script = `import { inTurn, installMissing } from ${JSON.stringify(PROGRAM)};
const folder = ${JSON.stringify(folder)};
await inTurn(folder, () => installMissing(folder, { forTests: ${forTests} }));`;
  const env = { ...process.env, npm_execpath: npm };
  return [process.execPath, ['--input-type=module', '-e', script], { env }] as const;
}

/** Installs in a process of its own; gives what npm said, or nothing where it was not called. */
async function installs(forTests: boolean, npm = npmProgram()): Promise<string> {
  const { stdout, stderr } = await run(...installing(forTests, npm));
  return stdout + stderr;
}

describe('what the console needs', { timeout: TIMEOUT_MS }, () => {
  it('is installed by one at a time, once for builds and once more for tests', async () => {
    const said = await Promise.all(
      [false, true, false, true, false].map((forTests) => installs(forTests)),
    );
    const called = said.filter((text) => text !== '');
    expect(called.length).toBeGreaterThan(0);
    expect(called.length).toBeLessThanOrEqual(2);
    for (const name of ['built', 'tested'])
      expect(existsSync(join(folder, 'node_modules', name, 'package.json'))).toBe(true);
  });

  it('is not installed by a second npm beside one whose starter was killed', async () => {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    const [slow, log] = [join(folder, 'npm-slow.js'), join(folder, 'log')];
    const wrote = (line: string) => `appendFileSync(${JSON.stringify(log)}, '${line} ')`;
    writeFileSync(
      slow,
      `const { appendFileSync } = require('node:fs');
${wrote('begin')};
process.on('exit', () => ${wrote('end')});
setTimeout(() => require(${JSON.stringify(npmProgram())}), ${String(SLOW_MS)});`,
    );
    const [program, parameters, options] = installing(false, slow);
    const killed = spawn(program, parameters, { ...options, stdio: 'ignore' });
    while (!existsSync(log)) await setTimeout(LOOK_MS);
    killed.kill('SIGKILL');
    await once(killed, 'close');
    await installs(false, slow);
    expect(readFileSync(log, 'utf8')).toBe('begin end ');
    expect(existsSync(join(folder, 'node_modules', 'built', 'package.json'))).toBe(true);
  });
});
