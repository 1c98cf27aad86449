import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parseRuleFile } from '../../lib/edge/rule-file.ts';
import { readRules } from '../../lib/store/rules.ts';
import { useDatabase } from '../support/database.ts';
import { runCommand } from '../support/run-command.ts';

const DAY = '{ unit: day, timeZone: Asia/Shanghai }';
const FIRST = `rules:
  - { id: a, per: [user], window: lifetime, max: { count: 1 } }
  - { id: b, per: [user], currency: CNY, window: ${DAY}, max: { amount: 500 } }
`;
const SECOND = `rules:
  - { id: b, per: [user], currency: CNY, window: ${DAY}, max: { amount: 700 } }
  - { id: c, per: [card], window: lifetime, max: { count: 1 } }
`;

const database = useDatabase();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headroom-rules-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A rule file with this text; gives its path. */
function fileOf(text: string): string {
  const path = join(folder, 'rules.yaml');
  writeFileSync(path, text);
  return path;
}

/** Runs npm run rules. */
const runRules = (...parameters: readonly string[]) =>
  runCommand('rules', parameters, {
    MONGODB_URI: inject('mongodbUri'),
    MONGODB_DATABASE: database.db.databaseName,
  });

const stored = async () => readRules(database.db);

describe('npm run rules', () => {
  it('stores the rules of a file in place of what is stored, and says what that changes', async () => {
    const { databaseName } = database.db;
    expect(await runRules(fileOf(FIRST))).toEqual({
      code: 0,
      out: `a: added\nb: added\n2 rules, 2 changes; ${databaseName} has the rules of the file\n`,
      err: '',
    });
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));

    const said = 'b: changed\nc: added\na: taken away\n2 rules, 3 changes; ';
    expect((await runRules(fileOf(SECOND), '--dry-run')).out).toBe(`${said}nothing was stored\n`);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
    expect((await runRules(fileOf(SECOND))).out).toBe(
      `${said}${databaseName} has the rules of the file\n`,
    );
    expect(await stored()).toEqual(parseRuleFile(SECOND, 'second'));
    expect((await runRules(fileOf(SECOND))).out).toMatch(/^2 rules, 0 changes; /);
  });

  it.each([
    { change: ['amount: 500', 'amount: 700'], says: 'changed', why: 'a maximum is no counter' },
    { change: ['Shanghai', 'Tokyo'], says: 'changed, and counts anew', why: 'its days are others' },
    {
      change: ['[user], currency', '[card], currency'],
      says: 'changed, and counts anew',
      why: 'whose?',
    },
  ])('says $says of $change, because $why', async ({ change: [from = '', to = ''], says }) => {
    await runRules(fileOf(FIRST));
    const { out } = await runRules(fileOf(FIRST.replace(from, to)), '--dry-run');
    expect(out).toBe(`b: ${says}\n2 rules, 1 change; nothing was stored\n`);
  });

  it('puts right what no function can read', async () => {
    const { matchedCount } = await database.db
      .collection<{ _id: string }>('rules')
      .updateOne({ _id: 'current' }, { $set: { 'rules.1.rule.window': 'forever' } });
    expect(matchedCount).toBe(1);
    expect((await stored())[1]).toMatchObject({ window: 'forever' });
    expect((await runRules(fileOf(FIRST))).code).toBe(0);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it('prints what is stored, as a file that can be stored again', async () => {
    await runRules(fileOf(SECOND));
    const { code, out } = await runRules();
    expect(code).toBe(0);
    expect(parseRuleFile(out, 'printed')).toEqual(parseRuleFile(SECOND, 'second'));
  });

  it.each([
    {
      text: SECOND.replace('700', '7.5').replace('lifetime', 'forever'),
      says: /^Nothing was done: The rules of .*rules\.yaml are wrong:\n {2}- rules\[b\]\.max\.amount is 7\.5, .*\n {2}- rules\[c\]\.window is "forever", /,
      why: 'a file is taken as a whole or not at all',
    },
    {
      text: 'rules: []',
      says: /^Nothing was done: .* has no rule, and where there is none every transaction is allowed\.$/m,
      why: 'an empty file would lift every limit',
    },
  ])('stores nothing of $text, because $why', async ({ text, says }) => {
    await runRules(fileOf(FIRST));
    const { code, err } = await runRules(fileOf(text));
    expect(code).toBe(2);
    expect(err).toMatch(says);
    expect(await stored()).toEqual(parseRuleFile(FIRST, 'first'));
  });

  it.each([
    {
      parameters: ['no-such.yaml'],
      says: /^Nothing was done: the rule file cannot be read: ENOENT/,
    },
    { parameters: ['a.yaml', 'b.yaml'], says: /^"b\.yaml" is one file too many\./ },
    { parameters: ['--dry-run'], says: /^--dry-run of which file\?/ },
  ])('says what is wrong with $parameters', async ({ parameters, says }) => {
    const { code, out, err } = await runRules(...parameters);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(says);
  });
});
