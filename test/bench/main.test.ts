import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { runProgram } from '../support/run-program.ts';

describe('npm run bench', () => {
  it('with --help says what it does, and measures nothing', () => {
    const { code, out, err } = runProgram('bench/main.ts', ['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^npm run bench/);
  });

  it('says what is wrong with its call, and how it is called', async () => {
    const { code, out, err } = await runCommand('bench', ['--nope']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('--nope');
    expect(err).toContain('\n\nnpm run bench');
    expect(err).not.toMatch(/\n {4}at /);
  });

  it('says which revision it does not know, and measures nothing', async () => {
    const { code, out, err } = await runCommand('bench', [
      '--short',
      '--beside',
      'no-such-revision',
    ]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      /^Not measured: --beside no-such-revision: expected a commit, tag or branch/,
    );
    expect(err).not.toMatch(/\n {4}at /);
  });

  it('says which row it does not know, and which there are', async () => {
    const { code, out, err } = await runCommand('bench', ['--only', 'check,no such row']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Not measured: --only no such row: expected some of check, confirm, /);
    expect(err).not.toMatch(/\n {4}at /);
  });

  it('says that the server does not answer', async () => {
    const uri = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100';
    const { code, out, err } = await runCommand('bench', ['--short'], { MONGODB_URI: uri });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/(^|\n)Not measured: .*127\.0\.0\.1:1/);
    expect(err).not.toMatch(/\n {4}at /);
  });
});
