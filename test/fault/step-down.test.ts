import type { Document } from 'mongodb';
import { MongoClient } from 'mongodb';
import { beforeAll, expect, inject, it } from 'vitest';
import { OWN_WRITES, createClient } from '../../lib/mongo/client.ts';
import { COUNTERS } from '../../lib/document/mongo-counter-store.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { fewAtATime, untilDecided } from '../support/broken-way.ts';
import { makeIndexes, useOwnServer } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';

/** Other tests must not find their server without a primary. */
const database = useOwnServer();
beforeAll(() => makeIndexes(database.db));

const ORDERS = Array.from({ length: 120 }, (_, index) => `step-${index}`);
const RULES = (['user', 'merchant'] as const).map((kind) => ({
  ...USER_DAY,
  ...{ id: kind, per: [kind] as [string], window: 'lifetime' as const },
  max: { amount: 1_000_000, count: 1_000 },
}));

/** Has the primary step down for a second or two; of a cluster those of all shards. */
async function stepDown(): Promise<void> {
  const own = database.client.db('admin');
  const { shards = [] }: Document = inject('isSharded') ? await own.command({ listShards: 1 }) : {};
  const addresses = (shards as readonly { readonly host: string }[]).map(({ host }) => {
    const [set, members] = host.split('/');
    return `mongodb://${members}/?replicaSet=${set}`;
  });
  for (const address of addresses.length === 0 ? [database.uri] : addresses) {
    const client = new MongoClient(address, OWN_WRITES);
    await client.db('admin').command({ replSetStepDown: 2, force: true });
    await client.close();
  }
}

it('payments that go on while the primary steps down are each counted once', async () => {
  const client = createClient(database.uri, 2_000);
  const counters = mongoCounters(
    client.db(database.db.databaseName).collection<CounterDocument>(COUNTERS),
    { timeoutMs: 2_000 },
  );
  const limits = limitsOver(counters, RULES);
  let undecided = 0;
  await fewAtATime([...ORDERS.entries()], 8, async ([index, orderId]) => {
    if (index === ORDERS.length / 3) await stepDown();
    const subjects = { user: `u-${index % 5}`, merchant: 'm' };
    const checked = await untilDecided(() => limits.check(checkOf({ orderId, subjects })));
    if (checked.answer.kind !== 'allowed') throw new Error(`${orderId} has room`);
    const whereabouts = { kind: 'subjects', subjects } as const;
    const confirmed = await untilDecided(() =>
      limits.confirm({ appId: 'default', orderId, whereabouts }),
    );
    undecided += checked.undecided + confirmed.undecided;
  });
  await client.close();
  const used = await limitsOver(database.db, RULES).usage({
    appId: 'default',
    subjects: { merchant: 'm' },
  });
  // A share of a check that was given up may be held still: it ends by itself.
  expect(used.rules).toMatchObject([{ used: { amountMinor: 12_000, count: 120 } }]);
  expect(undecided).toBeGreaterThan(0); // some calls met it
});
