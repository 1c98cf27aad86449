import type { Db } from 'mongodb';
import { RULES_MAX } from '../../lib/shared/bounds.ts';
import { mongoRuleStore, readVersionedRules } from '../../lib/rule-book/mongo-rule-store.ts';
import type { StoredRule } from '../../lib/rule-file/rule-set.ts';
import { CommandError } from '../command-error.ts';

/** Longest wait for the store's answer. */
const TIMEOUT_MS = 5_000;

/**
 * The rules as they were before the last change of them, which may have changed many at once.
 *
 * @throws CommandError where there was none, or only the one that made the first rules
 */
export async function rulesBefore(db: Db): Promise<readonly StoredRule[]> {
  // As many as one change has at most: it may delete all rules, and add as many.
  const found = await mongoRuleStore(db, TIMEOUT_MS).versions({ limit: 2 * RULES_MAX });
  const last = found.filter(({ version }) => version === found[0]?.version);
  const { rules } = await readVersionedRules(db, TIMEOUT_MS);
  const before = new Map(rules.map(({ rule }) => [rule.id, rule]));
  for (const change of last) {
    if (change.before === undefined) before.delete(change.id);
    else before.set(change.id, change.before);
  }
  if (before.size > 0) return [...before.values()];
  throw new CommandError(
    last.length === 0
      ? 'Nothing was done: no rule was ever stored.'
      : 'Nothing was done: before the last change there was no rule. Without a rule, Headroom refuses every order, or none.',
  );
}
