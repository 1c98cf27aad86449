import type { Collection, Db } from 'mongodb';
import { CHANGES_FIRST_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { Approval } from './four-eyes/proposal.ts';
import type { VersionQuery } from './rule-edit.ts';
import type { Authorship } from '../shared/actor.ts';
import type { RuleReader } from './generation.ts';
import type { KeptRule, RuleSet, RuleVersion, StoredRule } from './rule-set.ts';
import { nextSet } from './next-set.ts';
import { stillFilter, versionFilter } from './rule-versions.ts';
import { asking } from '../mongo/client.ts';
import { approveOrEnd, NotOpenError } from './four-eyes/mongo-proposal-store.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided, isDuplicateKey } from '../mongo/failure.ts';
import { LARGE_ROWS_BATCH, rowsOfPage } from '../mongo/rows-of-page.ts';
import type { RuleStore } from './rule-store.ts';
import { inTransaction, untilCommitted } from '../mongo/transaction.ts';

/** The stored set. It is one document, so that every reader gets a whole set. */
type SetDocument = Omit<RuleSet, 'rules'> & {
  readonly _id: typeof CURRENT;
  readonly rules: readonly KeptRule[];
};

/** A change as it is stored; `_id` is the rule's id and the version. */
type VersionDocument = Omit<RuleVersion, 'id'> & { readonly _id: string; readonly rule: string };

/** Name of the collection that has the set of rules. */
export const RULES = 'rules';
/** Name of the collection of their changes. */
export const RULE_VERSIONS = 'rule_versions';

const CURRENT = 'current';
const EMPTY: RuleSet = { revision: 0, rules: [] };

function setOf(db: Db): Collection<SetDocument> {
  return db.collection<SetDocument>(RULES);
}

function versionsOf(db: Db): Collection<VersionDocument> {
  return db.collection<VersionDocument>(RULE_VERSIONS);
}

/** Reads all rules in the form of a rule file, by their ids; the caller parses them. */
export async function readRules(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
): Promise<readonly StoredRule[]> {
  return (await readVersionedRules(db, timeoutMs)).map(({ rule }) => rule);
}

const VERSIONED = { 'rules.rule': 1, 'rules.version': 1, 'rules.generation': 1 } as const;

/** Rules as they are stored, each with its version and generation. */
export async function readVersionedRules(
  db: Db,
  timeoutMs = STORE_TIMEOUT_MS_DEFAULT,
): Promise<readonly Pick<KeptRule, 'rule' | 'version' | 'generation'>[]> {
  const found = await asking(
    db,
    timeoutMs,
  )(() =>
    setOf(db).findOne({ _id: CURRENT }, { projection: VERSIONED, readPreference: 'primary' }),
  );
  return found?.rules ?? [];
}

/** The rules of a database. */
export function mongoRuleStore(db: Db, timeoutMs = STORE_TIMEOUT_MS_DEFAULT): RuleStore {
  const ask = asking(db, timeoutMs);
  return {
    async read() {
      const found = await ask(() =>
        setOf(db).findOne({ _id: CURRENT }, { readPreference: 'primary' }),
      );
      if (found === null) return EMPTY;
      const { _id: _current, ...set } = found;
      return set;
    },
    replace: (before, after, versions, approval) =>
      replaceSet(db, timeoutMs, { before, after, versions, approval }),
    async versions(query) {
      const found = await ask(() => rowsOfPage(findVersions(db, query), query.bytesMax));
      return found.map(({ _id: _key, rule: id, ...version }) => ({ id, ...version }));
    },
  };
}

function findVersions(db: Db, query: VersionQuery) {
  return versionsOf(db).find(versionFilter(query), {
    // Of one rule as its index has them: whole rows are not sorted.
    sort: query.id === undefined ? { version: -1, rule: 1 } : { version: -1 },
    limit: query.limit,
    ...(query.bytesMax === undefined ? {} : { batchSize: LARGE_ROWS_BATCH }),
    readPreference: 'primary',
  });
}

/** A set in place of another, its changes, and the approval that they needed, if any. */
type Replacement = {
  readonly before: RuleSet;
  readonly after: RuleSet;
  readonly versions: readonly RuleVersion[];
  readonly approval: Approval | undefined;
};

async function replaceSet(
  db: Db,
  timeoutMs: number,
  { before, after, versions, approval }: Replacement,
): Promise<boolean> {
  const rows = versions.map(({ id, ...version }) => ({
    _id: `${id} ${version.version}`,
    rule: id,
    ...version,
  }));
  const attempt = (): Promise<boolean> =>
    inTransaction(db, timeoutMs, async (session) => {
      const isFirst = await decided(
        before.revision === 0
          ? setOf(db)
              .insertOne({ _id: CURRENT, ...after }, { session })
              .then(() => true)
          : setOf(db)
              .replaceOne({ _id: CURRENT, ...stillFilter(before) }, after, {
                session,
                upsert: false,
              })
              .then(({ matchedCount }) => matchedCount === 1),
        timeoutMs,
      );
      if (isFirst && rows.length > 0)
        await decided(versionsOf(db).insertMany(rows, { session, ordered: true }), timeoutMs);
      if (isFirst && approval !== undefined) await approveOrEnd(db, approval, session, timeoutMs);
      return isFirst;
    });
  try {
    // Where another change was just being committed, the next attempt finds it.
    return await untilCommitted(attempt);
  } catch (error) {
    if (error instanceof NotOpenError) return false;
    // Another one made the set that was not there yet.
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

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
  read: RuleReader,
): Promise<RuleSet> {
  const store = mongoRuleStore(db);
  for (let tries = 0; tries < CHANGES_FIRST_MAX; tries++) {
    const before = await store.read();
    if (before.loaded === digest) return before;
    const { set, versions } = nextSet(before, rules, author, read);
    // A file that says the same in other words is no change of the rules: there is no row to tell of it.
    const next = versions.length === 0 && before.revision > 0 ? before : set;
    const after = { ...next, loaded: digest };
    if (await store.replace(before, after, versions)) return after;
  }
  throw new UndecidedError('other changes of the rules kept coming first');
}
