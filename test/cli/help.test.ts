import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../cli/run.ts';
import { runCommand } from '../support/run-command.ts';
import { runProgram } from '../support/run-program.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = readFileSync(join(ROOT, 'docs', 'command-line.md'), 'utf8');

/** Commands of a command, with it: `rules import`. */
const WITHIN = createProgram().commands.flatMap((group) =>
  group.commands.map((command) => [group.name(), command.name()] as const),
);

const NAMES = createProgram().commands.map((command) => command.name());
const SHOWN = NAMES.filter((name) => name !== 'complete');

describe('the help of the command line', () => {
  it('lists every command that the page is about', () => {
    const onPage = [...PAGE.matchAll(/^## headroom ([a-z]+)/gm)].map(([, name]) => name);
    expect(onPage.toSorted()).toEqual(SHOWN.toSorted());
  });

  it.each(['', ...SHOWN])('of "%s" fits a screen of 80 columns and 24 lines', async (name) => {
    // It ends its process, whatever it did.
    const asked =
      name === 'start'
        ? runProgram('bin/headroom.mjs', [name, '--help'])
        : await runCommand(name, ['--help']);
    const { code, out, err } = asked;
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(23); // and the prompt
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(WITHIN)('of "%s %s" does, too', async (group, name) => {
    const { code, out, err } = await runCommand(group, [name, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^Usage: headroom ${group} ${name} `));
    const lines = out.trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(23);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('names every command, each in one line', async () => {
    const { out } = await runCommand('', ['--help']);
    const lines = [...out.matchAll(/^ {2}([a-z]+(?:, [a-z]+)*) {2,}\S/gm)];
    const named = lines.flatMap(([, names = '']) => names.split(', '));
    expect(named).toEqual(SHOWN.filter((each) => each !== 'completion')); // 24 lines have no more room
  });

  it('is what is shown where no command is named, which is none', async () => {
    const { code, out, err } = await runCommand('', []);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^Usage: headroom /);
  });

  it.each([
    { words: ['reconcil'], says: "Unknown command 'reconcil'.\n(Did you mean reconcile?)\n" },
    { words: ['usage'], says: "Missing required argument 'subjects'.\n" },
    { words: ['check', 'user:u-1'], says: "Required option '--dry-run' not specified.\n" },
  ])('is pointed to after $words', async ({ words: [name = '', ...words], says }) => {
    const { code, out, err } = await runCommand(name, words);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: '',
      err: `${says}Run it with --help to see all options.\n`,
    });
  });
});

describe('the program itself', () => {
  it('tells its version', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      readonly version: string; // its own
    };
    expect(runProgram('bin/headroom.mjs', ['--version'])).toEqual({
      code: 0,
      out: `${version}\n`,
      err: '',
    });
  });

  it('ends quietly where nobody reads on', () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', `'${process.execPath}' bin/headroom.mjs completion powershell | true`],
      { cwd: ROOT, encoding: 'utf8', env: { PATH: process.env.PATH } },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.each(['bash', 'zsh', 'fish', 'powershell'])('prints the completion of %s', async (shell) => {
    const { code, out } = await runCommand('completion', [shell]);
    expect(code).toBe(0);
    expect(out).toMatch(/headroom\W+complete\b/);
  });

  it.each([
    { words: ['re'], has: 'reconcile' },
    { words: ['reconcile', '--'], has: '--repair' },
    { words: ['rules', ''], has: 'validate' },
  ])('completes $words to $has, as those scripts ask', async ({ words, has }) => {
    const { code, out } = await runCommand('complete', ['--', ...words]);
    expect(code).toBe(0);
    expect(out.split('\n').map((line) => line.split('\t')[0])).toContain(has);
  });
});
