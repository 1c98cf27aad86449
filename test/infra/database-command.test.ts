import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';
import { runProgram } from '../support/run-program.ts';

/** Runs a command as its npm script does. */
const runAsProgram = (script: string, parameters: readonly string[]) =>
  runProgram(`infra/${script}.ts`, parameters);

describe.each([
  { script: 'apps', asked: ['list'], tooMany: ['list', 'surplus'], notDone: 'Not done' },
  { script: 'indexes', asked: [], tooMany: ['surplus'], notDone: 'The indexes were not made' },
  { script: 'reconcile', asked: [], tooMany: ['surplus'], notDone: 'Not reconciled' },
  { script: 'rules', asked: [], tooMany: ['a.yaml', 'surplus'], notDone: 'Nothing was done' },
  { script: 'verify', asked: [], tooMany: ['surplus'], notDone: 'Not verified' },
] as const)('npm run $script', ({ script, asked, tooMany, notDone }) => {
  it.each([
    { help: '--help', by: 'as a program', run: runAsProgram },
    { help: '-h', by: 'in this process', run: runCommand },
  ])('with $help says what it does, and does nothing, $by', async ({ help, run }) => {
    const { code, out, err } = await run(script, [...asked, help]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(new RegExp(`^npm run ${script}`));
    expect(out).toMatch(/\nMONGODB_URI and MONGODB_DATABASE \(headroom\) name the database\.\n$/);
  });

  it.each([
    { parameters: ['--nope'], set: {}, says: /--nope/ },
    { parameters: tooMany, set: {}, says: /surplus/ },
    { parameters: asked, set: {}, says: /^MONGODB_URI is not set\./ },
    { parameters: asked, set: { MONGODB_URI: '' }, says: /^MONGODB_URI is not set\./ },
  ])('with $parameters and $set says what is wrong, and how it is called', async (row) => {
    const { code, out, err } = await runCommand(script, row.parameters, row.set);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(row.says);
    expect(err).toContain(`\n\nnpm run ${script}`);
    expect(err).not.toMatch(/\n {4}at /);
  });

  it('says that the server does not answer, and where to look', async () => {
    const uri = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100';
    const { code, out, err } = await runCommand(script, asked, { MONGODB_URI: uri });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      new RegExp(
        `^${notDone}: .*127\\.0\\.0\\.1:1; is MONGODB_URI right, and does its server run\\?\\n$`,
      ),
    );
  });
});
