import { CHAINS } from '../../lib/audit/mongo-chain.ts';
import { AUDIT, REFUNDS } from '../../lib/audit/mongo-audit-store.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import { NEAR } from '../../lib/near/mongo-near-store.ts';
import { SIGNATURES } from '../../lib/callers/mongo-callers.ts';

/** The key by which a collection is spread. */
type ShardKey = Readonly<Record<string, 'hashed' | 1>>;

/**
 * The key of each collection that grows: the field that its statements name, so that one shard
 * answers each. It is hashed, for ids often rise with time, and the newest would all be one
 * shard's. `rules` and `apps` are small, their changes are few, and both stay where they are.
 */
export const SHARD_KEYS: ReadonlyMap<string, ShardKey> = new Map<string, ShardKey>([
  [COUNTERS, { _id: 'hashed' }],
  // Rows are read by their order. Rows of one `_id` have one order, so that a repeat meets the first.
  [AUDIT, { orderId: 'hashed' }],
  [REFUNDS, { _id: 'hashed' }],
  [CHAINS, { _id: 'hashed' }],
  [SIGNATURES, { _id: 'hashed' }],
  [NEAR, { _id: 'hashed' }],
]);

/** An answer that the server did not give. */
export const UNKNOWN = 'unknown';

/** The answers of servers. */
export type ClusterFacts = {
  readonly database: string;
  /** From `hello`. */
  readonly hello: { readonly msg?: unknown; readonly setName?: unknown };
  /** From `buildInfo`: `8.0.4`. */
  readonly version: string;
  /** From `listShards`: their ids. */
  readonly shards: readonly string[] | typeof UNKNOWN;
  /** From `config.collections`: keys of collections that are spread, by name. */
  readonly spread: ReadonlyMap<string, Readonly<Record<string, unknown>>> | typeof UNKNOWN;
  /** From `connectionStatus`. */
  readonly rights: Rights | typeof UNKNOWN;
};

/** Who asks, and what they may. */
type Rights = {
  /** Nobody where the server asks for no name. */
  readonly users: number;
  readonly privileges: readonly {
    readonly resource: { readonly db?: unknown; readonly anyResource?: unknown };
    readonly actions: readonly string[];
  }[];
};

/** A command for the server, and on which database. */
export type ShardStep = {
  readonly on: 'admin' | 'own';
  readonly command: Readonly<Record<string, unknown>>;
};

/** The steps for a cluster. */
export type ShardPlan =
  | { readonly kind: 'refused'; readonly reason: string }
  | {
      readonly kind: 'planned';
      /** None where everything is spread. */
      readonly steps: readonly ShardStep[];
      /** Why this user cannot do it; absent where they can, as far as is known. */
      readonly lacking?: string;
      /** Remarks for a person, in sentences. */
      readonly notes: readonly string[];
    };

/** Decides what makes a cluster ready, from what servers answered alone. */
export function planShards(facts: ClusterFacts): ShardPlan {
  const { hello, shards, database } = facts;
  if (hello.msg !== 'isdbgrid') {
    const what =
      typeof hello.setName === 'string'
        ? `a member of replica set ${hello.setName}`
        : 'a server alone';
    return {
      kind: 'refused',
      reason: `MONGODB_URI leads to ${what}, which is no router (mongos) of a sharded cluster. Nothing was changed.`,
    };
  }
  if (shards !== UNKNOWN && shards.length === 0)
    return {
      kind: 'refused',
      reason:
        'The cluster has no shard yet: add one (sh.addShard), then run this again. Nothing was changed.',
    };
  const steps = stepsOf(facts);
  const lacking = lackingRight(facts.rights, database);
  return {
    kind: 'planned',
    steps,
    ...(lacking === undefined || steps.length === 0 ? {} : { lacking }),
    notes: [...notesOnShards(shards), ...notesOnKeys(facts.spread)],
  };
}

function stepsOf({ database, version, spread }: ClusterFacts): readonly ShardStep[] {
  const missing = [...SHARD_KEYS].filter(([name]) => spread === UNKNOWN || !spread.has(name));
  if (missing.length === 0) return [];
  // From 6.0 on the first shardCollection does this. Source: MongoDB manual, "enableSharding".
  const first: readonly ShardStep[] =
    Number(version.split('.')[0]) >= 6
      ? []
      : [{ on: 'admin', command: { enableSharding: database } }];
  return [...first, ...missing.flatMap(([name, key]) => stepsFor(database, name, key))];
}

/** A collection that holds something needs the key's index first. Source: MongoDB manual, "shardCollection". */
function stepsFor(database: string, name: string, key: ShardKey): readonly ShardStep[] {
  const [field = '_id'] = Object.keys(key);
  return [
    {
      on: 'own',
      command: { createIndexes: name, indexes: [{ key, name: `${field}_hashed` }] },
    },
    { on: 'admin', command: { shardCollection: `${database}.${name}`, key } },
  ];
}

/** Where the right is missing, as a sentence. Source: MongoDB manual, "shardCollection", Access Control. */
function lackingRight(rights: ClusterFacts['rights'], database: string): string | undefined {
  if (rights === UNKNOWN || rights.users === 0) return undefined;
  const may = rights.privileges.some(
    ({ resource, actions }) =>
      actions.includes('enableSharding') &&
      (resource.anyResource === true || resource.db === '' || resource.db === database),
  );
  if (may) return undefined;
  return `This user has no right to enableSharding in ${database}, which the role clusterManager has`;
}

function notesOnShards(shards: ClusterFacts['shards']): readonly string[] {
  if (shards === UNKNOWN)
    return ['This user may not see the number of shards (listShards; role clusterMonitor).'];
  if (shards.length > 1) return [];
  return [`There is one shard, ${shards.join()}. Add another to spread the load.`];
}

function notesOnKeys(spread: ClusterFacts['spread']): readonly string[] {
  if (spread === UNKNOWN)
    return [
      'This user may not see the spread collections (config.collections). Spreading one again by the same key changes nothing.',
    ];
  return [...SHARD_KEYS].flatMap(([name, key]) => {
    const is = spread.get(name);
    if (is === undefined || JSON.stringify(is) === JSON.stringify(key)) return [];
    return [
      `${name} is spread by ${JSON.stringify(is)}, expected ${JSON.stringify(key)}. It stays so; reshardCollection changes it.`,
    ];
  });
}

/** A step as somebody types it into mongosh. */
export function shellText(step: ShardStep, database: string): string {
  const name = step.on === 'admin' ? 'admin' : database;
  return `db.getSiblingDB(${JSON.stringify(name)}).runCommand(${JSON.stringify(step.command)})`;
}
