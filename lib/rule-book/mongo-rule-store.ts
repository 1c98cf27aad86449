import type { Collection, Db, FindOptions } from 'mongodb';
import { present } from '../shared/present.ts';
import { asking } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided, isDuplicateKey } from '../mongo/failure.ts';
import { rowsOfPage } from '../mongo/rows-of-page.ts';
import { commitApproved } from '../four-eyes/mongo-proposal-store.ts';
import type { RuleStore, RuleVersion } from './rule-book.ts';
import type { VersionedSet } from '../rule-file/rule-list.ts';
import type { RuleSet } from '../rule-file/rule-set.ts';

/** One document, so that every reader gets a whole set. */
type SetDocument = RuleSet & { readonly _id: typeof CURRENT };

type VersionDocument = Omit<RuleVersion, 'id'> & { readonly _id: string; readonly rule: string };

/** Name of the collection that has the set of rules. */
export const RULES = 'rules';
/** Name of the collection of their changes. */
export const RULE_VERSIONS = 'rule_versions';

const CURRENT = 'current';

function setOf(db: Db): Collection<SetDocument> {
  return db.collection<SetDocument>(RULES);
}

/** The set of rules with their versions and generations. */
export async function readVersionedRules(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
): Promise<VersionedSet> {
  const projection = {
    revision: 1,
    'rules.rule': 1,
    'rules.version': 1,
    'rules.generation': 1,
    'rules.namedAs': 1,
  } as const;
  const options = { projection, readPreference: 'primary' } as const;
  const found = await asking(db, timeoutMs)(() => setOf(db).findOne({ _id: CURRENT }, options));
  return found ?? { revision: 0, rules: [] };
}

/** The rules of a database. */
export function mongoRuleStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): RuleStore {
  const ask = asking(db, timeoutMs);
  const versions = db.collection<VersionDocument>(RULE_VERSIONS);
  return {
    async read() {
      const found = await ask(() =>
        setOf(db).findOne({ _id: CURRENT }, { readPreference: 'primary' }),
      );
      if (found === null) return { revision: 0, rules: [] };
      const { _id: _current, ...set } = found;
      return set;
    },
    async replace({ revision, loaded }, { set, changes, author }, approval) {
      const rows = changes.map(({ id, before, after }) => ({
        _id: `${id} ${set.revision}`,
        rule: id,
        version: set.revision,
        ...author,
        ...present({ before, after }),
      }));
      // Which file was loaded last may change without a revision.
      const isLoaded = { loaded: loaded ?? { $exists: false } };
      try {
        return await commitApproved(db, timeoutMs, approval, async (inCommit) => {
          const isFirst = await decided(
            revision === 0
              ? setOf(db)
                  .insertOne({ _id: CURRENT, ...set }, inCommit)
                  .then(() => true)
              : setOf(db)
                  .replaceOne({ _id: CURRENT, revision, ...isLoaded }, set, {
                    ...inCommit,
                    upsert: false,
                  })
                  .then(({ matchedCount }) => matchedCount === 1),
            timeoutMs,
          );
          if (isFirst && rows.length > 0)
            await decided(versions.insertMany(rows, { ...inCommit, ordered: true }), timeoutMs);
          return isFirst;
        });
      } catch (error) {
        // Another one made the set that was not there yet.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async versions({ id, before, limit, bytesMax }) {
      const filter = present({
        rule: id,
        version: before === undefined ? undefined : { $lt: before },
      });
      const options: FindOptions = {
        // Of one rule as its index has them: whole rows are not sorted.
        sort: id === undefined ? { version: -1, rule: 1 } : { version: -1 },
        limit,
        readPreference: 'primary',
      };
      const found = await ask(() => rowsOfPage(versions.find(filter, options), bytesMax));
      return found.map(({ _id: _key, rule, ...version }) => ({ id: rule, ...version }));
    },
  };
}
