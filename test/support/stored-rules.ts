import { readFileSync } from 'node:fs';
import type { Db } from 'mongodb';
import { parse } from 'yaml';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import { mongoRuleStore } from '../../lib/rule-book/mongo-rule-store.ts';

/** 5.00 a day per user, to be changed where a test is about something else. */
export const USER_DAY = {
  id: 'user-day',
  per: ['user'],
  currency: 'CNY',
  window: { unit: 'day', timeZone: 'Asia/Shanghai' },
  max: { amount: 500 },
} as const;

/** 10.00 in all per user. */
export const USER_LIFE = {
  id: 'life',
  per: ['user'],
  currency: 'CNY',
  window: 'lifetime',
  max: { amount: 1_000 },
} as const;

/** The rules of examples/rules.yaml, as a file has them. */
export function exampleRules(): readonly StoredRule[] {
  const file = parse(readFileSync('examples/rules.yaml', 'utf8')) as {
    readonly rules: StoredRule[];
  };
  return file.rules;
}

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
