import type { Db } from 'mongodb';
import { mongoRuleStore } from '../../lib/rule-book/mongo-rule-store.ts';
import { nextSet } from '../../lib/changes/rule-change.ts';
import type { RuleSet, StoredRule } from '../../lib/rule-file/rule-set.ts';
import type { Authorship } from '../../lib/shared/actor.ts';
import { CHANGES_FIRST_MAX } from '../../lib/shared/bounds.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';

/**
 * Stores the rules of a file, already validated, unless this very file was the last that was stored so:
 * then what was changed since stays.
 *
 * @param digest of the file's rules
 * @returns the set as it is stored now
 * @throws UndecidedError where other changes keep coming first
 */
export async function loadRules(
  db: Db,
  rules: readonly StoredRule[],
  digest: string,
  author: Authorship,
): Promise<RuleSet> {
  const store = mongoRuleStore(db);
  for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
    const before = await store.read();
    if (before.loaded === digest) return before;
    const next = nextSet(before, rules, author);
    // A file that says the same in other words is no change of the rules: there is no row to tell of it.
    const same = next.changes.length === 0 && before.revision > 0 ? before : next.set;
    const set = { ...same, loaded: digest };
    if (await store.replace(before, { ...next, set })) return set;
  }
  throw new UndecidedError('other changes of the rules kept coming first');
}
