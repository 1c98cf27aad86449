import { beforeEach, describe, expect, it } from 'vitest';
import type { Actor, Authorship } from '../../lib/shared/actor.ts';
import type { RuleSet, StoredRule } from '../../lib/rule-file/rule-set.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { RuleStore } from '../../lib/rule-book/rule-book.ts';
import { loadRules } from '../../cli/rules/load-rules.ts';
import { mongoRuleStore } from '../../lib/rule-book/mongo-rule-store.ts';
import { useDatabase } from '../support/database.ts';
import { readRules, replaceRules } from '../support/stored-rules.ts';

const JANE: Actor = { kind: 'application', id: 'desk', person: 'jane' };
const author: Authorship = { at: new Date('2026-03-02T10:00:00Z'), by: JANE, reason: '上调' };
const rule = (id: string, count: number): StoredRule => ({
  id,
  per: ['user'],
  window: 'lifetime',
  max: { count },
});

const database = useDatabase();
let store: RuleStore;
beforeEach(async () => {
  for (const name of ['rules', 'rule_versions']) await database.db.collection(name).deleteMany({});
  store = mongoRuleStore(database.db);
});

/** Puts rules in the place of those that were read. */
async function replace(before: RuleSet, rules: readonly StoredRule[]): Promise<boolean> {
  return store.replace(before, nextSet(before, rules, author));
}

describe('the set of rules', () => {
  it('is empty, at revision 0, where there never was one', async () => {
    expect(await store.read()).toEqual({ revision: 0, rules: [] });
    expect(await readRules(database.db)).toEqual([]);
  });

  it('is read as it was stored, each rule with the revision that made it so', async () => {
    expect(await replace(await store.read(), [rule('b', 1), rule('a', 1)])).toBe(true);
    expect(await replace(await store.read(), [rule('a', 1), rule('b', 2)])).toBe(true);
    expect(await store.read()).toEqual({
      revision: 2,
      rules: [
        { rule: rule('a', 1), version: 1, ...author },
        { rule: rule('b', 2), version: 2, ...author },
      ],
    });
    expect(await readRules(database.db)).toEqual([rule('a', 1), rule('b', 2)]);
  });

  it.each([
    { max: { amount: { by: 'tier', $gold: 5, 'a.b': 6, else: 1 } } },
    { title: { zh: '单日限额 🙂' } },
    { max: { amount: 1_000_000_000_000_000 } },
  ])('keeps a rule with %j to the letter', async (fields) => {
    await replaceRules(database.db, [{ ...rule('a', 1), ...fields }]);
    expect(await readRules(database.db)).toEqual([{ ...rule('a', 1), ...fields }]);
  });

  it('takes one of two changes at once, and keeps nothing of the other', async () => {
    for (const before of [await store.read(), undefined]) {
      const read = before ?? (await store.read());
      const won = await Promise.all(
        [1, 2, 3, 4].map((count) => replace(read, [rule('a', 10 * (read.revision + 1) + count)])),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const { revision, rules } = await store.read();
      expect(revision).toBe(read.revision + 1);
      const versions = await store.versions({ id: 'a', limit: 10 });
      expect(versions).toHaveLength(revision);
      expect(versions[0]?.after).toEqual(rules[0]?.rule);
    }
  });

  it('is whole for every reader while it changes', async () => {
    const whole = (count: number) =>
      Array.from({ length: 30 }, (_, index) => rule(`r-${index}`, count));
    await replaceRules(database.db, whole(0));
    const LAST = 12;
    const changing = (async () => {
      for (let count = 1; count <= LAST; count++) await replaceRules(database.db, whole(count));
    })();
    const seen = new Set<number>();
    while (!seen.has(LAST)) {
      const maxima = (await readRules(database.db)).map(
        ({ max }) => (max as { count: number }).count,
      );
      expect(new Set(maxima).size).toBe(1);
      expect(maxima).toHaveLength(30);
      for (const count of maxima) seen.add(count);
    }
    await changing;
    expect(seen.size).toBeGreaterThan(2);
  });
});

describe('the versions of rules', () => {
  it('tell each change: what it was, what it became, who, when and why', async () => {
    await replace(await store.read(), [rule('a', 1), rule('b', 1)]);
    await replace(await store.read(), [rule('a', 2), rule('b', 1)]);
    await replace(await store.read(), [rule('b', 1)]);
    await replace(await store.read(), [rule('a', 2), rule('b', 1)]);
    const told = await store.versions({ id: 'a', limit: 10 });
    expect(told).toEqual([
      { id: 'a', version: 4, ...author, after: rule('a', 2) },
      { id: 'a', version: 3, ...author, before: rule('a', 2) },
      { id: 'a', version: 2, ...author, before: rule('a', 1), after: rule('a', 2) },
      { id: 'a', version: 1, ...author, after: rule('a', 1) },
    ]);
    expect(await store.versions({ id: 'a', limit: 2, before: 4 })).toEqual(told.slice(1, 3));
    expect((await store.versions({ limit: 10 })).map(({ id, version }) => [id, version])).toEqual([
      ['a', 4],
      ['a', 3],
      ['a', 2],
      ['a', 1],
      ['b', 1],
    ]);
  });

  it('has none of a change that changes nothing', async () => {
    await replaceRules(database.db, [rule('a', 1)]);
    await replaceRules(database.db, [
      { max: { count: 1 }, window: 'lifetime', per: ['user'], id: 'a' },
    ]);
    expect((await store.read()).revision).toBe(1);
    expect(await store.versions({ limit: 10 })).toHaveLength(1);
  });
});

describe('rules that are loaded from a file', () => {
  it('are not loaded again from the same one: what was changed since stays', async () => {
    await loadRules(database.db, [rule('a', 1)], 'file-1', author);
    await replace(await store.read(), [rule('a', 2)]);
    await loadRules(database.db, [rule('a', 1)], 'file-1', author);
    expect(await readRules(database.db)).toEqual([rule('a', 2)]);
  });

  it('are no change where another file says the same: every revision has a row', async () => {
    await loadRules(database.db, [rule('a', 1)], 'file-1', author);
    await loadRules(database.db, [rule('a', 1)], 'file-2', author);
    expect(await store.read()).toMatchObject({ revision: 1, loaded: 'file-2' });
    expect(await store.versions({ limit: 10 })).toHaveLength(1);
    expect(await replace(await store.read(), [rule('a', 2)])).toBe(true);
  });

  it('are remembered as loaded, though another change was made meanwhile', async () => {
    await loadRules(database.db, [rule('a', 1)], 'file-1', author);
    const read = await store.read();
    await loadRules(database.db, [rule('a', 1)], 'file-2', author);
    expect(await replace(read, [rule('a', 2)])).toBe(false);
    expect(await store.read()).toMatchObject({ revision: 1, loaded: 'file-2' });
  });

  it('may be none, and the next change is made', async () => {
    await loadRules(database.db, [], 'file-0', author);
    await loadRules(database.db, [rule('a', 1)], 'file-1', author);
    expect(await readRules(database.db)).toEqual([rule('a', 1)]);
  });
});
