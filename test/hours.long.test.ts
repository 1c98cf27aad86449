import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../infra/framework.ts';
import { someOf } from './support/extent.ts';

const PROGRAM = join(ROOT, 'infra', 'test-hours.mjs');

const { stdout, stderr, status } = spawnSync(process.execPath, [PROGRAM, '--print'], {
  encoding: 'utf8',
});
const hours = stdout.split('\n').filter((line) => line !== '');
const why = status === 0 ? 'can be moved here' : `stays as it is: ${stderr.split('\n')[0] ?? ''}`;

it(`the clock ${why}`, () => {
  expect(hours).toHaveLength(status === 0 ? 6 : 0);
});

describe.runIf(status === 0)('every test of npm test passes', () => {
  it.each(someOf('movedClocks', hours))('at %s', async (hour) => {
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
