import type { Db } from 'mongodb';
import { createRuleBook } from '../lib/rules/rule-book.ts';
import type { FourEyes } from '../lib/rules/four-eyes/four-eyes.ts';
import type { RuleBook } from '../lib/rules/rules-changed.ts';
import { readStoredRule, validateRuleSet } from '../lib/rules/file/rule-list.ts';
import { mongoRuleStore } from '../lib/rules/mongo-rule-store.ts';
import { secondPersonOn } from './second-person.ts';

/** Puts the rule book of a database together: for the functions, and for commands. */
export function ruleBookOn(db: Db, timeoutMs: number, fourEyes: FourEyes): RuleBook {
  return createRuleBook({
    store: mongoRuleStore(db, timeoutMs),
    validate: validateRuleSet,
    read: readStoredRule,
    second: secondPersonOn(db, timeoutMs, fourEyes),
  });
}
