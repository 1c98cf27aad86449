import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, makeIndexes, useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { runCommand } from '../support/run-command.ts';
import { APPS_KEY_TEXT } from '../support/signed-call.ts';
import { readRules } from '../support/stored-rules.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RULES = `rules:
  - { id: first, per: [user], currency: CNY, window: lifetime, max: { amount: 1000000 } }
  - { id: second, per: [user], currency: CNY, window: lifetime, max: { count: 5 } }
`;

const database = useDatabase();
const folder = useFolder();
let file: string;
beforeAll(async () => {
  await makeIndexes(database.db);
  file = folder.write('rules.yaml', RULES);
});

/** Runs a line of a shell, in which `headroom` is the program; of a pipe, CODE gets how it ended. */
function runLine(line: string) {
  const code = folder.path('code');
  const program = `headroom() { (ulimit -f "$LARGEST"; '${process.execPath}' bin/headroom.mjs "$@"); echo $? > '${code}'; }`;
  const { stdout, stderr } = spawnSync('sh', ['-c', `${program}; ${line}`], {
    cwd: ROOT,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      ...environmentOf(database),
      APPS_KEY: APPS_KEY_TEXT,
      LARGEST: 'unlimited', // of files that it writes
    },
  });
  return { code: Number(folder.read('code')), out: stdout, err: stderr };
}

const forgetRules = async (): Promise<void> => {
  for (const name of ['rules', 'rule_versions']) await database.db.collection(name).deleteMany({});
};

const storedRules = async (): Promise<readonly string[]> =>
  (await readRules(database.db)).map(({ id }) => id);

describe('a command whose output nobody reads to its end', () => {
  it.each(['| true', '2>&1 | true', '| head -1 > /dev/null'])(
    'still stores all rules: %s',
    async (pipe) => {
      await forgetRules();
      expect(runLine(`headroom rules import '${file}' ${pipe}`)).toMatchObject({
        code: 0,
        err: '',
      });
      expect(await storedRules()).toEqual(['first', 'second']);
    },
  );

  it('makes no application whose secret nobody has', async () => {
    const { code, err } = runLine('headroom apps add shop | true');
    expect({ code, err }).toEqual({
      code: 2,
      err: 'Not done: the secret of shop could not be printed (nobody reads the output). Nothing was stored: run it again, and read what it prints.\n',
    });
    expect(await database.db.collection('apps').countDocuments()).toBe(0);
  });

  it('gives no application a secret that nobody has', async () => {
    const set = { ...environmentOf(database), APPS_KEY: APPS_KEY_TEXT };
    expect(await runCommand('apps', ['add', 'desk'], set)).toMatchObject({ code: 0 });
    const before = await database.db.collection('apps').findOne();
    expect(runLine('headroom apps rotate desk | true').code).toBe(2);
    expect(await database.db.collection('apps').findOne()).toEqual(before);
  });
});

describe('a command whose output finds no room', () => {
  const LOST =
    'Not all of the output was written: no space left on the disk. The command itself finished.\n';

  it('tells what the full disk took, in one sentence', () => {
    expect(runLine('headroom usage user:u-1 > /dev/full')).toEqual({ code: 2, out: '', err: LOST });
    expect(runLine('headroom rules export > /dev/full')).toEqual({ code: 2, out: '', err: LOST });
  });

  it('leaves a file as it was that it cannot write whole', () => {
    const line = `headroom rules import '${file}' && LARGEST=0 && headroom rules export --into '${file}'`;
    expect(runLine(line)).toMatchObject({
      code: 2,
      err: `Nothing was done: ${file} cannot be written: the file would be too large.\n`,
    });
    expect(folder.read('rules.yaml')).toBe(RULES);
  });

  it('still does its work', async () => {
    await forgetRules();
    const { code, err } = runLine(`headroom rules import '${file}' > /dev/full`);
    expect({ code, err }).toEqual({ code: 2, err: LOST });
    expect(await storedRules()).toEqual(['first', 'second']);
  });
});
