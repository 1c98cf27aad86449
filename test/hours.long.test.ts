import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../infra/framework.ts';
import { SHARE } from './support/extent.ts';

const PROGRAM = join(ROOT, 'tools', 'test-hours.mjs');

const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, '--print'], {
  encoding: 'utf8',
});
const hours = stdout.split('\n').filter((line) => line !== '');
const why = status === 0 ? 'can be moved here' : `stays as it is: ${stderr.split('\n')[0] ?? ''}`;

it(`the clock ${why}`, () => {
  expect(hours).toHaveLength(status === 0 ? 6 : 0);
});

/** Each hour takes as long as npm test, so a share of the long tests, as CI has one, leaves them out. */
const told = SHARE.of === 1 ? hours : [];

describe.each(told)('at %s', (hour) => {
  it('every test of npm test passes', async () => {
    const [at = '', zone = ''] = hour.split(' ');
    const child = spawn(process.execPath, [PROGRAM, '--at', at, '--zone', zone], { cwd: ROOT });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (output += data.toString()));
    const [code] = (await once(child, 'close')) as [number];
    const [, failed = output] = output.split('Failed Tests');
    expect(code, failed).toBe(0);
  });
});
