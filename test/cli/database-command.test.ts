import { describe, expect, it } from 'vitest';
import { runCommand } from '../support/run-command.ts';

// prettier-ignore
describe.each([
  { script: 'apps', asked: ['list'], tooMany: ['list', 'surplus'], notDone: 'Not done' },
  { script: 'rules', asked: [], tooMany: ['a.yaml', 'surplus'], notDone: 'Nothing was done' },
  { script: 'indexes', asked: [], tooMany: ['surplus'], notDone: 'The indexes were not made' },
  { script: 'reconcile', asked: [], tooMany: ['surplus'], notDone: 'Not reconciled' },
  { script: 'verify', asked: [], tooMany: ['surplus'], notDone: 'Not verified' },
  { script: 'shard', asked: [], tooMany: ['surplus'], notDone: 'Not spread' },
  { script: 'doctor', asked: [], tooMany: ['surplus'], notDone: 'Not examined' },
] as const)('headroom $script', ({ script, asked, tooMany, notDone }) => {
  it.each(['--help', '-h'])('with %s says what it does, and does nothing', async (word) => {
    const { code, out, err } = await runCommand(script, [...asked, word]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Usage: headroom /);
    expect(out).toMatch(/\nMONGODB_URI and MONGODB_DATABASE \(headroom\) name the database\.\n/);
  });

  it.each([
    { parameters: ['--nope'], says: /--nope/ },
    { parameters: tooMany, says: /Expected \d arguments? but got \d\./ },
  ])('with $parameters says what is wrong, and how it is called', async ({ parameters, says }) => {
    const { code, out, err } = await runCommand(script, parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
    expect(err).toMatch(/^.*\nRun it with --help to see all options\.\n$/);
    expect(err).not.toMatch(/\n {4}at /);
  });

  it.each([{}, { MONGODB_URI: '' }])('with %j says which setting is missing', async (set) => {
    const { code, out, err } = await runCommand(script, asked, set);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^MONGODB_URI is not set\./);
    expect(err).not.toMatch(/\n {4}at /);
  });

  it('says that the server does not answer, and where to look', async () => {
    const uri = 'mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=100';
    const { code, out, err } = await runCommand(script, asked, { MONGODB_URI: uri });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(
      new RegExp(
        // A machine under load may not even try to connect in that time.
        `^${notDone}: (.*127\\.0\\.0\\.1:1|.* timed out after 100 ms); is MONGODB_URI right, and does its server run\\?\\n$`,
      ),
    );
  });
});
