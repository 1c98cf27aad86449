import type { Db } from 'mongodb';
import type { RuleBook } from '../lib/rules/rule-book.ts';
import { createRuleBook } from '../lib/rules/rule-book.ts';
import type { FourEyes } from '../lib/rules/four-eyes/four-eyes.ts';
import { mongoRuleStore } from '../lib/rules/mongo-rule-store.ts';
import { secondPersonOn } from './second-person.ts';

/** Puts the rule book of a database together: for the functions, and for commands. */
export function ruleBookOn(db: Db, timeoutMs: number, fourEyes: FourEyes): RuleBook {
  return createRuleBook(mongoRuleStore(db, timeoutMs), secondPersonOn(db, timeoutMs, fourEyes));
}
