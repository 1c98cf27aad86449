import type { CreateIndexesOptions, Db, IndexSpecification } from 'mongodb';
import { MongoServerError } from 'mongodb';
import { APPS, SIGNATURES } from '../callers/mongo-callers.ts';
import { CHAINS } from '../audit/mongo-chain.ts';
import { AUDIT_MENDS } from '../audit/reconcile/mongo-mend.ts';
import { AUDIT_SETTINGS } from '../audit/mongo-settings.ts';
import { AUDIT, HOME, REFUNDS } from '../audit/mongo-audit-store.ts';
import {
  BACKTESTS,
  BACKTEST_ORDERS,
  BACKTEST_STATES,
} from '../backtest/jobs/mongo-job-documents.ts';
import { PROPOSALS } from '../four-eyes/mongo-proposal-store.ts';
import { NEAR } from '../near/mongo-near-store.ts';
import { TERMS_CHANGES } from '../terms/mongo-terms-store.ts';
import { RULE_VERSIONS, RULES } from '../rule-book/mongo-rule-store.ts';
import { COUNTERS } from '../document/mongo-counter-store.ts';

type IndexDefinition = {
  readonly collection: string;
  readonly keys: IndexSpecification;
  readonly options: CreateIndexesOptions & { readonly name: string };
};

const ENDS = { expireAfterSeconds: 0 };
const OF_REFUSED = { partialFilterExpression: { outcome: 'refused' } };

/** Every index. Counters are found by `_id`, because each further index slows every update. */
export const INDEXES: readonly IndexDefinition[] = [
  index(COUNTERS, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(SIGNATURES, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(AUDIT, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(AUDIT, { appId: 1, orderId: 1, at: 1 }, 'order_at'),
  // Where orders are numbered for each user, a million may have the same id.
  index(AUDIT, { appId: 1, orderId: 1, [HOME]: 1, at: 1 }, 'order_home_at'),
  index(AUDIT, { 'links.document': 1 }, 'chain', { sparse: true }),
  index(REFUNDS, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(CHAINS, { goneAt: 1 }, 'goneAt_ttl', ENDS),
  index(RULE_VERSIONS, { rule: 1, version: -1 }, 'rule_version'),
  index(PROPOSALS, { at: -1, _id: -1 }, 'at_id'),
  index(PROPOSALS, { 'change.about': 1, at: -1, _id: -1 }, 'about_at_id'),
  index(PROPOSALS, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(TERMS_CHANGES, { document: 1, at: -1, _id: -1 }, 'subject_at'),
  index(TERMS_CHANGES, { rule: 1, document: 1 }, 'rule_document', { sparse: true }),
  index(BACKTESTS, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(BACKTESTS, { slot: 1 }, 'slot', { unique: true, sparse: true }),
  index(BACKTEST_ORDERS, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(BACKTEST_STATES, { expireAt: 1 }, 'expireAt_ttl', ENDS),
  index(NEAR, { until: 1 }, 'until_ttl', ENDS),
  index(NEAR, { rule: 1, percent: -1, _id: 1 }, 'rule_percent'),
  index(NEAR, { kind: 1, percent: -1, _id: 1 }, 'kind_percent'),
  index(NEAR, { percent: -1, _id: 1 }, 'percent'),
  index(AUDIT, { subjectIds: 1, at: 1, _id: 1 }, 'subject_at_id'),
  index(AUDIT, { subjectIds: 1, at: 1, _id: 1 }, 'refused_at', OF_REFUSED),
  index(AUDIT, { at: 1, _id: 1 }, 'refusal_at', OF_REFUSED),
  index(AUDIT, { at: 1 }, 'at'),
];

function index(
  collection: string,
  keys: IndexSpecification,
  name: string,
  options: CreateIndexesOptions = {},
): IndexDefinition {
  return { collection, keys, options: { name, ...options } };
}

/** Small, and without an index. */
export const PLAIN_COLLECTIONS: readonly string[] = [RULES, APPS, AUDIT_SETTINGS, AUDIT_MENDS];

/** Every collection. */
export const COLLECTIONS: readonly string[] = [
  ...new Set([...PLAIN_COLLECTIONS, ...INDEXES.map(({ collection }) => collection)]),
];

/** Source: mongodb/mongo, error_codes.yml: NamespaceExists, which servers before 7.0 answer. */
const NAMESPACE_EXISTS = 48;

/** Makes what is missing. Never run it for a request: a commit over several shards cannot make a collection. */
export async function ensureIndexes(db: Db): Promise<void> {
  for (const name of PLAIN_COLLECTIONS)
    await db.createCollection(name).catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error;
    });
  for (const { collection, keys, options } of INDEXES)
    await db.collection(collection).createIndex(keys, options, {});
}
