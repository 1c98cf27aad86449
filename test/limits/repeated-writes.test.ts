import { describe, expect, inject, it } from 'vitest';
import type { Collection } from 'mongodb';
import { Long } from 'mongodb';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import { BUCKETS_MAX } from '../../lib/shared/bounds.ts';
import { bucketName } from '../../lib/limits/document/document.ts';
import type { CheckRequest, ConfirmRequest } from '../../lib/shared/request.ts';
import type { Limits } from '../../lib/limits.ts';
import { createClient } from '../../lib/mongo/client.ts';
import type { Lanes } from '../../lib/limits/document/statements.ts';
import { learningLanes } from '../../lib/limits/document/statements.ts';
import type { CounterDocument } from '../../lib/limits/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  byReservation,
  reservationOf,
} from '../support/limits-fixture.ts';
import { doubledWrites, repeatedWrites } from '../support/repeated-writes.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { PLAIN_OFF } from '../support/lanes.ts';

const database = useDatabase();

const AT = new Date('2026-03-02T06:00:00.000Z');

/** As many buckets as a document may have, of windows that are over: an add has to drop them first. */
function bucketsOver(now: Date): object {
  const until = new Date(now.getTime() - 1);
  const names = Array.from({ length: BUCKETS_MAX }, (_, index) =>
    bucketName({ counter: `c${index}`.padEnd(10, '_'), until }),
  );
  return Object.fromEntries(names.map((name) => [name, { n: Long.ONE, un: Long.ONE }]));
}
/** The holds' time is over, and their day is not. */
const LATE = new Date('2026-03-02T06:20:00.000Z');
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, max: { count: 5, amount: 1_000 } },
  { ...USER_DAY, id: 'shop-day', per: ['merchant'], max: { count: 9 } },
];
const USER = { user: 'u' };
const BOTH = { user: 'u', merchant: 'm' };

const LANES = [
  { lane: 'plain', lanes: () => learningLanes() },
  { lane: 'general', lanes: () => PLAIN_OFF },
];

/** The service over a collection; nonces are numbered, so that answers can be compared. */
function serviceOver(
  collection: Collection<CounterDocument>,
  lanes: Lanes,
  name = 'nonce',
): Limits {
  let nonces = 0;
  return limitsOver(database.db, RULES, {
    counters: patientCounters(collection, { lanes }),
    nonce: () => `${name}-${nonces++}`,
  });
}

const check = (
  limits: Limits,
  orderId: string,
  subjects: CheckRequest['subjects'],
  more: Partial<CheckRequest> = {},
  at = AT,
): Promise<CheckAnswer> => limits.check(checkOf({ orderId, subjects, ...more }), at);

const reserved = (orderId: string, answer: CheckAnswer): ConfirmRequest =>
  byReservation(orderId, reservationOf(answer));

type Story = (limits: Limits) => Promise<unknown>;

const STORIES: Readonly<Record<string, Story>> = {
  'checks on a new subject, and after': async (limits) => [
    await check(limits, 'o-1', USER),
    await check(limits, 'o-2', USER, { amountMinor: 900 }),
    await check(limits, 'o-1', USER),
    await check(limits, 'o-3', USER),
  ],
  'checks of many': async (limits) => [
    await limits.checkMany(
      ['o-1', 'o-2', 'o-3', 'o-4', 'o-5', 'o-6'].map((orderId) =>
        checkOf({ orderId, subjects: USER }),
      ),
      false,
      AT,
    ),
    await limits.checkMany([checkOf({ orderId: 'o-7', subjects: BOTH })], false, AT),
  ],
  'checks and captures of two documents': async (limits) => [
    await check(limits, 'o-1', BOTH),
    await check(limits, 'o-2', BOTH, { capture: true }),
    await check(limits, 'o-2', BOTH, { capture: true }),
  ],
  'confirms in time, of the same and of other amounts': async (limits) => {
    const first = await check(limits, 'o-1', BOTH);
    const second = await check(limits, 'o-2', BOTH);
    await check(limits, 'o-3', BOTH);
    return [
      await limits.confirm(reserved('o-1', first), AT),
      await limits.confirm({ ...reserved('o-2', second), amountMinor: 40 }, AT),
      await limits.confirm({ ...orderOf('o-3', BOTH), amountMinor: 990 }, AT),
      await limits.confirm(reserved('o-1', first), AT),
    ];
  },
  'rollbacks in time and late': async (limits) => {
    const first = await check(limits, 'o-1', BOTH);
    await check(limits, 'o-2', BOTH);
    return [
      await limits.rollback(reserved('o-1', first), AT),
      await limits.rollback(orderOf('o-2', BOTH), LATE),
    ];
  },
  'late confirms, before anything was swept': async (limits) => {
    const first = await check(limits, 'o-1', BOTH);
    await check(limits, 'o-2', BOTH);
    return [
      await limits.confirm(reserved('o-1', first), LATE),
      await limits.confirm({ ...orderOf('o-2', BOTH), amountMinor: 990 }, LATE),
    ];
  },
  'late confirms, after everything was swept': async (limits) => {
    const first = await check(limits, 'o-1', BOTH);
    await check(limits, 'sweeps', BOTH, {}, LATE);
    return [
      await limits.confirm(reserved('o-1', first), LATE),
      await limits.confirm(reserved('o-1', first), LATE),
    ];
  },
  'settlements of many, some of them late': async (limits) => {
    await check(limits, 'o-1', BOTH, { holdMs: 60_000 });
    await check(limits, 'o-2', BOTH, { holdMs: 86_400_000 });
    await check(limits, 'o-3', BOTH, { holdMs: 60_000 });
    return limits.settleMany(
      [
        { ...orderOf('o-1', BOTH), to: 'confirmed' },
        { ...orderOf('o-2', BOTH), to: 'confirmed' },
        { ...orderOf('o-3', BOTH), to: 'rolledBack' },
      ],
      LATE,
    );
  },
};

const CASES = LANES.flatMap(({ lane, lanes }) =>
  Object.entries(STORIES).map(([story, tell]) => ({ lane, lanes, story, tell })),
);

async function documentsOf(collection: Collection<CounterDocument>): Promise<unknown> {
  return collection.find({}, { sort: { _id: 1 } }).toArray();
}

describe('writes that the driver repeats, whose answer is the stored image', () => {
  it.each(CASES)('are answered as others are, $lane lane: $story', async (row) => {
    const { lane, lanes, story, tell } = row;
    const name = `${lane}-${story}`;
    const ordinary = database.db.collection<CounterDocument>(`ordinary-${name}`);
    const stored = database.db.collection<CounterDocument>(`repeated-${name}`);
    const repeated = repeatedWrites(stored);
    const told = await tell(serviceOver(repeated, lanes()));
    expect(repeated.images()).toBeGreaterThan(0);
    expect(told).toEqual(await tell(serviceOver(ordinary, lanes())));
    expect(await documentsOf(stored)).toEqual(await documentsOf(ordinary));
  });

  it.each(LANES)('say in time what was in time, however long it took, $lane lane', async (row) => {
    const { lane, lanes } = row;
    const collection = database.db.collection<CounterDocument>(`in-time-${lane}`);
    const plain = serviceOver(collection, lanes(), 'other');
    let isOn = false;
    const repeated = repeatedWrites(collection, async () => {
      if (!isOn) return;
      isOn = false;
      await check(plain, 'later', BOTH, {}, LATE); // the documents have seen a later instant
    });
    const limits = serviceOver(repeated, lanes());
    for (const orderId of ['o-1', 'o-2', 'o-3', 'o-4']) await check(limits, orderId, BOTH);
    isOn = true;
    expect(await limits.confirm(orderOf('o-1', BOTH), AT)).toMatchObject({ late: false });
    await check(limits, 'o-5', BOTH, {}, LATE);
    isOn = true;
    const told = await limits.settleMany(
      ['o-2', 'o-5'].map((orderId) => ({ ...orderOf(orderId, BOTH), to: 'confirmed' as const })),
      LATE,
    );
    expect(told).toMatchObject([{ answer: { late: true } }, { answer: { late: false } }]);
  });

  it('of one call: each order is told by itself', async () => {
    const collection = database.db.collection<CounterDocument>('in-time-many');
    const plain = serviceOver(collection, PLAIN_OFF);
    const tooLate = new Date('2026-03-02T07:00:00.000Z');
    const repeated = repeatedWrites(collection, async () => {
      await check(plain, 'later', USER, { capture: true }, tooLate);
    });
    for (const [orderId, holdMs] of [
      ['o-1', 60_000],
      ['o-2', 1_800_000],
    ] as const)
      await check(plain, orderId, USER, { holdMs });
    const told = await serviceOver(repeated, PLAIN_OFF).settleMany(
      ['o-1', 'o-2'].map((orderId) => ({ ...orderOf(orderId, USER), to: 'confirmed' as const })),
      LATE,
    );
    expect(told).toMatchObject([{ answer: { late: true } }, { answer: { late: false } }]);
    const again = await plain.settleMany(
      ['o-1', 'o-2'].map((orderId) => ({ ...orderOf(orderId, USER), to: 'confirmed' as const })),
      tooLate,
    );
    expect(again).toMatchObject([{ answer: { late: true } }, { answer: { late: false } }]);
  });

  it('count a share once where the first copy arrives after the order is confirmed', async () => {
    const onTheWay: (() => Promise<unknown>)[] = [];
    const collection = database.db.collection<CounterDocument>('late-copies');
    const limits = serviceOver(
      doubledWrites(collection, (arrive) => onTheWay.push(arrive)),
      learningLanes(),
    );
    await check(serviceOver(collection, learningLanes(), 'first'), 'o-0', BOTH);
    await limits.rollback(orderOf('o-0', BOTH), AT);
    await collection.updateMany({}, { $set: { b: bucketsOver(AT) } });
    const answer = await check(limits, 'o-1', BOTH);
    await limits.confirm(reserved('o-1', answer), AT);
    expect(onTheWay.length).toBeGreaterThan(0); // both documents had to be tidied first
    for (const arrive of onTheWay) await arrive();
    await limits.confirm(reserved('o-1', answer), AT); // delivered twice
    const look = async (at: Date): Promise<CheckAnswer> =>
      await check(limits, 'look', BOTH, { dryRun: true }, at);
    const used = [{ used: { amountMinor: 100 } }, { used: { count: 1 } }];
    // A share that arrived after its order was settled is nobody's: it is held until its time.
    expect(await look(AT)).toMatchObject({ rules: used });
    const held = [{ held: { amountMinor: 0 } }, { held: { count: 0 } }];
    expect(await look(LATE)).toMatchObject({ rules: held });
    expect(await look(LATE)).toMatchObject({ rules: used });
  });

  it('are what a broken connection makes of them', async () => {
    const proxy = await startTcpProxy(inject('mongodbUri'));
    const client = createClient(proxy.uri, 5_000);
    const collection = client.db(database.db.databaseName).collection<CounterDocument>(COUNTERS);
    for (const { lane, lanes } of LANES) {
      const limits = limitsOver(database.db, RULES, {
        counters: patientCounters(collection, { lanes: lanes(), timeoutMs: 5_000 }),
      });
      const subjects = { user: `${lane}-broken`, merchant: `${lane}-broken` };
      const orderId = `broken-order-${lane}`;
      await limits.check(checkOf({ orderId: 'warm', subjects }));
      const lost = { fault: 'answer-lost', about: orderId, after: 0, times: 1 } as const;
      proxy.set(lost);
      const answer = await limits.check(checkOf({ orderId, subjects }));
      expect(answer).toMatchObject({ kind: 'allowed', repeated: false });
      expect(proxy.faultCount()).toBe(1);
      proxy.set(lost);
      const confirmed = await limits.confirm(reserved(orderId, answer));
      expect(confirmed).toMatchObject({ repeated: false, late: false, amountMinor: 100 });
      expect(proxy.faultCount()).toBe(1);
    }
    await client.close(true);
    proxy.stop();
  });
});
