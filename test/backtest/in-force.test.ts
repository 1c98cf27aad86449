import { expect, it } from 'vitest';
import { readInForce } from '../../lib/backtest/mongo-in-force.ts';
import { mongoRuleStore } from '../../lib/rule-book/mongo-rule-store.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { USER_DAY } from '../support/stored-rules.ts';

const database = useDatabase();

it('rules that a clock ahead stored after the time are known to rows that tell them', async () => {
  await makeIndexes(database.db);
  const store = mongoRuleStore(database.db);
  const days = ['2026-03-01', '2026-03-04', '2026-03-02'];
  for (const [place, day] of days.entries()) {
    const before = await store.read();
    const rules = [USER_DAY, { ...USER_DAY, id: `other-${place}` }].slice(0, place + 1);
    const author = { at: new Date(day), by: { kind: 'command', id: 'command' } } as const;
    expect(await store.replace(before, nextSet(before, rules, author))).toBe(true);
  }
  const { rules } = await readInForce(database.db, new Date('2026-03-03'));
  expect(
    rules.map(({ rules: { revision, live } }) => [revision, live.map(({ id }) => id)]),
  ).toEqual([
    [1, ['user-day']],
    [2, ['other-1', 'user-day']],
    [3, ['other-2', 'user-day']],
  ]);
});
