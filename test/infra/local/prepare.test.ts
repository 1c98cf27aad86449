import { createServer } from 'node:net';
import { beforeEach, describe, expect, inject, it } from 'vitest';
import { prepareDatabase } from '../../../infra/local/prepare.ts';
import { mongoRuleStore } from '../../../lib/rule-book/mongo-rule-store.ts';
import { listening } from '../../support/listening.ts';
import { useDatabase } from '../../support/database.ts';
import { readRules, replaceRules } from '../../support/stored-rules.ts';

const rule = (count: number) => ({ id: 'a', per: ['user'], window: 'lifetime', max: { count } });

const database = useDatabase();
const prepare = (count: number) =>
  prepareDatabase(
    inject('mongodbUri'),
    database.db.databaseName,
    [rule(count)],
    new AbortController().signal,
  );

/** Shorter than a start waits for a server, in milliseconds. */
const AT_ONCE_MS = 8_000;

it(
  'waits for no server once the start is given up',
  async () => {
    const stop = new AbortController();
    const silent = createServer(() => {
      stop.abort('SIGINT');
    });
    const port = await listening(silent);
    try {
      const asked = prepareDatabase(`mongodb://127.0.0.1:${port}/`, 'none', [rule(1)], stop.signal);
      await expect(asked).rejects.toThrow('the start was given up');
    } finally {
      silent.close();
    }
  },
  AT_ONCE_MS,
);

describe('what npm start does with a rule file', () => {
  beforeEach(async () => {
    await database.db.collection('rules').deleteMany({});
    await database.db.collection('rule_versions').deleteMany({});
  });

  it('loads it, and loads it again when it is edited', async () => {
    expect(await prepare(1)).toEqual({ isAsInFile: true, rules: [rule(1)], revision: 1 });
    expect(await prepare(1)).toEqual({ isAsInFile: true, rules: [rule(1)], revision: 1 });
    expect(await prepare(2)).toEqual({ isAsInFile: true, rules: [rule(2)], revision: 2 });
    expect(await readRules(database.db)).toEqual([rule(2)]);
    const [last] = await mongoRuleStore(database.db).versions({ id: 'a', limit: 1 });
    expect(last).toMatchObject({ by: { kind: 'command' }, reason: 'npm start' });
  });

  it('leaves what was changed since, until the file is edited', async () => {
    await prepare(1);
    await replaceRules(database.db, [rule(7), { ...rule(1), id: 'b' }]);
    const rules = [rule(7), { ...rule(1), id: 'b' }];
    expect(await prepare(1)).toEqual({ isAsInFile: false, rules, revision: 2 });
    expect(await readRules(database.db)).toEqual(rules);
    expect(await prepare(3)).toMatchObject({ isAsInFile: true, revision: 3 });
    expect(await readRules(database.db)).toEqual([rule(3)]);
  });
});
