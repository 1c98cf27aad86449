import type { Db } from 'mongodb';
import type { StoredRule } from '../../lib/rules/rule-set.ts';
import { nextSet } from '../../lib/rules/rule-change.ts';
import { mongoRuleStore } from '../../lib/rules/mongo-rule-store.ts';

/** Stores a set of rules in place of whatever is stored, whether or not it is right. */
export async function replaceRules(db: Db, rules: readonly StoredRule[]): Promise<void> {
  const store = mongoRuleStore(db);
  const before = await store.read();
  const author = { at: new Date(), by: { kind: 'command', id: 'command' } } as const;
  const next = nextSet(before, rules, author);
  if (next.changes.length > 0 && !(await store.replace(before, next)))
    throw new Error('another change of the rules came first');
}

/** Reads all rules in the form of a rule file, by their ids. */
export async function readRules(db: Db): Promise<readonly StoredRule[]> {
  return (await mongoRuleStore(db, 5_000).read()).rules.map(({ rule }) => rule);
}
