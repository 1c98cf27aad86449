import type { Db } from 'mongodb';
import { createRuleBook } from '../lib/calls/rule-book.ts';
import type { FourEyes } from '../lib/domain/four-eyes.ts';
import type { RuleBook } from '../lib/domain/rule-book.ts';
import { readStoredRule, validateRuleSet } from '../lib/edge/rule-list.ts';
import { mongoRuleStore } from '../lib/store/rules.ts';
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
