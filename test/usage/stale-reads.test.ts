import { Long } from 'bson';
import type { MongoClient } from 'mongodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { counterKey } from '../../lib/rule/counter.ts';
import { bucketName } from '../../lib/counter/name.ts';
import { NEVER } from '../../lib/shared/bounds.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { createClient } from '../../lib/mongo/client.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { mongoStaleReads } from '../../lib/usage/mongo-stale-reads.ts';
import { useDatabase } from '../support/database.ts';
import type { ModelRule } from '../model/model-types.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import type { TwoMembers } from '../support/two-members.ts';
import { startTwoMembers } from '../support/two-members.ts';

const LIFE: ModelRule = { ...USER_DAY, id: 'life', window: 'lifetime', max: { count: 100 } };
const SUBJECTS = { user: 'u-1' };

/** The primary has counted seven, and the secondary five of them. */
const documentOf = (role: 'primary' | 'secondary', now: Date) => {
  const counter = counterKey(libRule(LIFE), SUBJECTS);
  const count = Long.fromNumber(role === 'primary' ? 7 : 5);
  const none = Long.ZERO;
  const name = bucketName({ counter, start: new Date(0), until: NEVER });
  const sums = { a: none, n: count, ua: none, un: count };
  return { _id: 'user:u-1', now, seen: now, b: { [name]: sums } };
};

let members: TwoMembers;
let client: MongoClient;
let limits: Limits;
beforeAll(async () => {
  members = await startTwoMembers(documentOf);
  client = createClient(members.uri, 2_000);
  // Once it has answered, the driver knows of both.
  await client.db('admin').command({ ping: 1 }, { readPreference: 'secondary' });
  const counters = client.db('headroom').collection<CounterDocument>('counters');
  limits = limitsOver(client.db('headroom'), [LIFE], { staleReads: mongoStaleReads(counters) });
});
afterAll(async () => {
  await client.close();
  await members.stop();
});
beforeEach(() => {
  members.asked.length = 0;
});

const usage = (staleMs?: number) =>
  limits.usage({
    ...{ appId: 'default', subjects: SUBJECTS },
    ...(staleMs === undefined ? {} : { staleMs }),
  });
/** As JSON has it: the driver's numbers are objects. */
const preference = (): unknown =>
  JSON.parse(JSON.stringify(members.asked[1]?.command.$readPreference)) as unknown;
const askedOf = () => members.asked.map(({ of, name }) => `${of} ${name}`);

type Row = {
  readonly behindMs: TwoMembers['behindMs'];
  readonly staleMs: number;
  readonly used: number;
  readonly from: 'primary' | 'secondary';
  readonly why: string;
};

describe('usage that may be behind', () => {
  it.each([
    { behindMs: 0, staleMs: 10_000, used: 5, from: 'secondary', why: 'it is near' },
    { behindMs: 8_000, staleMs: 10_000, used: 5, from: 'secondary', why: 'eight seconds are less' },
    { behindMs: 12_000, staleMs: 10_000, used: 7, from: 'primary', why: 'twelve are more' },
    { behindMs: 12_000, staleMs: 60_000, used: 5, from: 'secondary', why: 'a minute is more' },
    { behindMs: 'untold', staleMs: 60_000, used: 7, from: 'primary', why: 'nobody can tell' },
  ] as readonly Row[])(
    'of a secondary $behindMs ms behind, $staleMs allowed, is read from the $from: $why',
    async ({ behindMs, staleMs, used, from }) => {
      members.behindMs = behindMs;
      const askedMs = Date.now();
      const { rules, asOf, now } = await usage(staleMs);
      expect(rules[0]?.used?.count).toBe(used);
      expect(askedOf()).toEqual(['secondary hello', `${from} find`]);
      const [, find] = members.asked;
      const ageMs = now.getTime() - (asOf?.getTime() ?? 0);
      if (from === 'primary') {
        expect(ageMs).toBe(0);
        expect(find?.command.readConcern).toEqual({ level: 'majority' });
        return;
      }
      const leastMs = behindMs === 'untold' ? 0 : behindMs;
      expect(ageMs).toBeGreaterThanOrEqual(leastMs);
      expect(ageMs).toBeLessThan(leastMs + 1_500 + Date.now() - askedMs);
      // Whichever member has it, it waits for what the first one had.
      expect(find?.command).toMatchObject({
        readConcern: { level: 'majority', afterClusterTime: expect.anything() as unknown },
        $readPreference: { mode: 'secondaryPreferred' },
      });
    },
  );

  it('has MongoDB choose by maxStalenessSeconds where it takes one', async () => {
    members.behindMs = 0;
    await usage(120_000);
    expect(preference()).toEqual({ mode: 'secondaryPreferred', maxStalenessSeconds: 120 });
    members.asked.length = 0;
    await usage(89_999);
    expect(preference()).toEqual({ mode: 'secondaryPreferred' });
  });

  it('asks no primary for the time, where nothing is there that tells it', async () => {
    members.behindMs = 8_000;
    const database = client.db('headroom');
    const staleReads = mongoStaleReads(database.collection<CounterDocument>('counters'));
    const machineNow = (): Date => new Date(Date.now() - 3_600_000);
    const cold = limitsOver(database, [LIFE], { staleReads, machineNow });
    const subjects = { user: 'nobody' };
    const { now, asOf } = await cold.usage({ appId: 'default', subjects, staleMs: 60_000 });
    expect(now).toEqual(asOf);
    expect(askedOf()).toEqual(['secondary hello', 'secondary find']);
  });

  it('is read from the primary, in one round trip, by default', async () => {
    members.behindMs = 0;
    const { rules, asOf } = await usage();
    expect([rules[0]?.used?.count, asOf]).toEqual([7, undefined]);
    expect(askedOf()).toEqual(['primary find']);
  });
});

describe('on a server that does not tell how far it has come', () => {
  const database = useDatabase();

  it('what was just held is in the answer, whatever may be behind', async () => {
    const counters = database.db.collection<CounterDocument>('counters');
    const here = limitsOver(database.db, [LIFE], { staleReads: mongoStaleReads(counters) });
    await here.check(checkOf({ orderId: 'o-1', subjects: SUBJECTS }));
    const { rules, asOf, now } = await here.usage({
      ...{ appId: 'default', subjects: SUBJECTS, staleMs: 10_000 },
    });
    expect(rules[0]?.held?.count).toBe(1);
    if (asOf !== undefined) expect(now.getTime() - asOf.getTime()).toBeLessThan(10_000);
  });
});
