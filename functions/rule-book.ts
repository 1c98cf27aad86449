import type { Db } from 'mongodb';
import { createRuleBook } from '../lib/calls/rule-book.ts';
import type { RuleBook } from '../lib/domain/rule-edit.ts';
import { readStoredRule, validateRuleSet } from '../lib/edge/rule-list.ts';
import { mongoRuleStore } from '../lib/store/rules.ts';

/** Puts the rule book of a database together: for the function of rules, and for commands. */
export function ruleBookOn(db: Db, timeoutMs: number): RuleBook {
  return createRuleBook({
    store: mongoRuleStore(db, timeoutMs),
    validate: validateRuleSet,
    read: readStoredRule,
  });
}
