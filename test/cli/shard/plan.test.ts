import { describe, expect, it } from 'vitest';
import { INDEXES } from '../../../lib/health/mongo-indexes.ts';
import type { ClusterFacts } from '../../../cli/shard/plan.ts';
import { UNKNOWN, planShards, SHARD_KEYS, shellText } from '../../../cli/shard/plan.ts';

/** The answers of a router of two empty shards to somebody who may do everything. */
const ROUTER: ClusterFacts = {
  database: 'headroom',
  hello: { msg: 'isdbgrid' },
  version: '8.0.4',
  shards: ['shard1', 'shard2'],
  spread: new Map(),
  rights: { users: 0, privileges: [] },
};

const EVERYTHING = new Map<string, Readonly<Record<string, unknown>>>(SHARD_KEYS);

const may = (resource: object, ...actions: readonly string[]) => ({
  users: 1,
  privileges: [{ resource, actions }],
});

function planned(facts: Partial<ClusterFacts>) {
  const plan = planShards({ ...ROUTER, ...facts });
  if (plan.kind === 'refused') throw new Error(plan.reason);
  return plan;
}

describe('what is no cluster, or not yet', () => {
  it.each([
    { hello: { setName: 'rs0' }, says: /^MONGODB_URI leads to a member of replica set rs0, / },
    { hello: {}, says: /^MONGODB_URI leads to a server alone, which is no router \(mongos\)/ },
    {
      hello: { msg: 'isdbgrid', setName: 'rs0' },
      shards: [],
      says: /^The cluster has no shard yet/,
    },
  ])('$hello with shards $shards is refused with its reason', ({ says, ...facts }) => {
    const plan = planShards({ ...ROUTER, ...facts });
    expect(plan).toEqual({ kind: 'refused', reason: expect.stringMatching(says) as string });
  });
});

describe('what is to be done', () => {
  it('is an index and a command for each collection that grows, on an empty cluster', () => {
    const { steps, notes, lacking } = planned({});
    expect({ notes, lacking }).toEqual({ notes: [], lacking: undefined });
    expect(steps.map((step) => shellText(step, 'headroom'))).toEqual([
      'db.getSiblingDB("headroom").runCommand({"createIndexes":"counters","indexes":[{"key":{"_id":"hashed"},"name":"_id_hashed"}]})',
      'db.getSiblingDB("admin").runCommand({"shardCollection":"headroom.counters","key":{"_id":"hashed"}})',
      'db.getSiblingDB("headroom").runCommand({"createIndexes":"audit","indexes":[{"key":{"orderId":"hashed"},"name":"orderId_hashed"}]})',
      'db.getSiblingDB("admin").runCommand({"shardCollection":"headroom.audit","key":{"orderId":"hashed"}})',
      'db.getSiblingDB("headroom").runCommand({"createIndexes":"refunds","indexes":[{"key":{"_id":"hashed"},"name":"_id_hashed"}]})',
      'db.getSiblingDB("admin").runCommand({"shardCollection":"headroom.refunds","key":{"_id":"hashed"}})',
      'db.getSiblingDB("headroom").runCommand({"createIndexes":"chains","indexes":[{"key":{"_id":"hashed"},"name":"_id_hashed"}]})',
      'db.getSiblingDB("admin").runCommand({"shardCollection":"headroom.chains","key":{"_id":"hashed"}})',
      'db.getSiblingDB("headroom").runCommand({"createIndexes":"signatures","indexes":[{"key":{"_id":"hashed"},"name":"_id_hashed"}]})',
      'db.getSiblingDB("admin").runCommand({"shardCollection":"headroom.signatures","key":{"_id":"hashed"}})',
      'db.getSiblingDB("headroom").runCommand({"createIndexes":"near","indexes":[{"key":{"_id":"hashed"},"name":"_id_hashed"}]})',
      'db.getSiblingDB("admin").runCommand({"shardCollection":"headroom.near","key":{"_id":"hashed"}})',
    ]);
  });

  it('concerns every collection that is collected as time passes, which are those that grow', () => {
    const growing = INDEXES.filter(({ options }) => options.expireAfterSeconds !== undefined);
    const names = new Set(growing.map(({ collection }) => collection));
    names.delete('proposals'); // few of them are about orders, and each is found by a range of its _id
    // At most three at one time, which an index without shards says.
    for (const name of ['backtests', 'backtest_orders', 'backtest_states']) names.delete(name);
    expect([...SHARD_KEYS.keys()].toSorted()).toEqual([...names].toSorted());
  });

  // prettier-ignore
  it.each([
    { version: '5.0.31', first: { enableSharding: 'headroom' } },
    { version: '6.0.0', first: { createIndexes: 'counters', indexes: expect.anything() as unknown } },
    { version: '10.1.0', first: { createIndexes: 'counters', indexes: expect.anything() as unknown } },
  ])('begins on $version with $first', ({ version, first }) => {
    expect(planned({ version }).steps[0]?.command).toEqual(first);
  });

  it('is empty if everything is spread, for every user', () => {
    expect(planned({ spread: EVERYTHING, rights: may({ db: 'other' }) })).toEqual({
      kind: 'planned',
      steps: [],
      notes: [],
    });
  });

  it('is what is missing where some of it is done', () => {
    const spread = new Map([...EVERYTHING].filter(([name]) => name !== 'refunds'));
    expect(planned({ spread }).steps.map(({ command }) => Object.values(command)[0])).toEqual([
      'refunds',
      'headroom.refunds',
    ]);
  });

  it('leaves what is spread by something else, and says so', () => {
    const spread = new Map([...EVERYTHING, ['counters', { _id: 1 }] as const]);
    expect(planned({ spread })).toEqual({
      kind: 'planned',
      steps: [],
      notes: [
        'counters is spread by {"_id":1}, expected {"_id":"hashed"}. It stays so; reshardCollection changes it.',
      ],
    });
  });

  it.each([
    {
      facts: { shards: ['only'] },
      says: /^There is one shard, only. Add another to spread the load/,
    },
    { facts: { shards: UNKNOWN }, says: /^This user may not see the number of shards/ },
    { facts: { spread: UNKNOWN }, says: /^This user may not see the spread collections/ },
  ] as const)('comes with a note for $facts', ({ facts, says }) => {
    const { steps, notes } = planned(facts);
    expect(steps.length).toBe(12);
    expect(notes).toEqual([expect.stringMatching(says)]);
  });
});

// prettier-ignore
it.each([
    { rights: UNKNOWN, lacks: false, why: 'the server will say' },
    { rights: { users: 0, privileges: [] }, lacks: false, why: 'the server asks for no name' },
    { rights: may({ db: '', collection: '' }, 'enableSharding'), lacks: false, why: 'clusterManager has it' },
    { rights: may({ db: 'headroom', collection: '' }, 'enableSharding'), lacks: false, why: 'of this database' },
    { rights: may({ anyResource: true }, 'enableSharding'), lacks: false, why: 'of everything' },
    { rights: may({ db: 'other', collection: '' }, 'enableSharding'), lacks: true, why: 'of another one' },
    { rights: may({ db: '', collection: '' }, 'find', 'update'), lacks: true, why: 'of other actions' },
    { rights: { users: 1, privileges: [] }, lacks: true, why: 'of nothing' },
  ] as const)('the right to do it with $rights is missing: $lacks, because it is $why', ({ rights, lacks }) => {
    const { lacking } = planned({ rights });
    expect(lacking).toEqual(
      lacks
        ? 'This user has no right to enableSharding in headroom, which the role clusterManager has'
        : undefined,
    );
  });
