import { describe, expect, it, beforeAll } from 'vitest';
import type { CounterStore, Lane, Lanes } from '../../lib/document/counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase, makeIndexes } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  orderOf,
  reservationOf,
  byReservation,
} from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { learningLanes } from '../../lib/document/statements.ts';
import type { CheckAnswer } from '../../lib/limits/answer.ts';
import type { Limits } from '../../lib/edge/limits.ts';

const database = useDatabase();

const NOON = new Date('2026-03-02T12:00:00.000Z');

/** One payment, of whatever currency. */
const ONCE = {
  id: 'once',
  per: ['user'] as [string],
  mode: 'enforce' as const,
  max: { count: 1 },
  window: 'lifetime' as const,
  match: { type: 'ONCE' },
};

const ENGINES: readonly {
  readonly engine: string;
  readonly over: (lanes: Lanes) => CounterStore;
}[] = [
  {
    engine: 'on the database',
    over: (lanes) => patientCounters(database.db.collection<{ _id: string }>('lanes'), { lanes }),
  },
  { engine: 'in mingo', over: (lanes) => mingoStore({ lanes }) },
];

describe.each(ENGINES)(
  'a counter without currency that the plain lane was the first to enter, $engine',
  ({ over }) => {
    it('is full for the general lane, too', async () => {
      let lane: Lane = 'general';
      const decidedBy: Lane[] = [];
      const counters = over({
        takesPlain: () => lane === 'plain',
        learn: () => undefined,
        note: (one) => decidedBy.push(one),
      });
      const limits = limitsOver(counters, [USER_DAY, ONCE]);
      const order = (orderId: string) => checkOf({ orderId, subjects: SUBJECTS, type: 'ONCE' });
      await limits.check(checkOf({ orderId: 'other', subjects: SUBJECTS }), NOON);
      lane = 'plain';
      expect(await limits.check(order('first'), NOON)).toMatchObject({ kind: 'allowed' });
      lane = 'general';
      expect(await limits.check(order('second'), NOON)).toMatchObject({ kind: 'refused' });
      expect(decidedBy).toEqual(['general', 'plain', 'general']);
    });
  },
);

const AT = new Date('2026-03-02T06:00:00.000Z');
const FULL = 'user:full';

/** Says how many of the next checks of a document the general lane is asked for at once. */
function generalFirst(lanes: ReturnType<typeof learningLanes>, documentId: string): number {
  let calls = 0;
  while (!lanes.takesPlain(documentId, 'hold')) calls += 1;
  return calls;
}

describe('which lane is asked first', () => {
  it('is the plain one of a document of which nothing is known', () => {
    const lanes = learningLanes();
    expect(lanes.takesPlain(FULL, 'hold')).toBe(true);
    expect(lanes.takesPlain(FULL, 'settle')).toBe(true);
  });

  it('is the general one for eight checks after it refused, and the plain one then', () => {
    const lanes = learningLanes();
    lanes.learn(FULL, false);
    expect(generalFirst(lanes, FULL)).toBe(8);
    expect(generalFirst(lanes, FULL)).toBe(0);
    lanes.learn(FULL, false);
    lanes.learn(FULL, false);
    expect(generalFirst(lanes, FULL)).toBe(8);
  });

  it('is the plain one of other documents, of settlements, and after what was held', () => {
    const lanes = learningLanes();
    lanes.learn(FULL, false);
    expect(lanes.takesPlain('user:other', 'hold')).toBe(true);
    for (let call = 0; call < 20; call++) expect(lanes.takesPlain(FULL, 'settle')).toBe(true);
    lanes.learn('user:other', true);
    expect(lanes.takesPlain('user:other', 'hold')).toBe(true);
    expect(generalFirst(lanes, FULL)).toBe(8);
  });

  it('is remembered of 1,000 documents, those that refused last', () => {
    const lanes = learningLanes();
    const documents = Array.from({ length: 1_003 }, (_, index) => `user:${index}`);
    for (const document of documents.slice(0, 1_000)) lanes.learn(document, false);
    lanes.learn('user:0', false); // again: it is no more the oldest
    for (const document of documents.slice(1_000)) lanes.learn(document, false);
    const learned = documents.filter((document) => !lanes.takesPlain(document, 'hold'));
    expect(learned).toHaveLength(1_000);
    const forgotten = documents.filter((document) => !learned.includes(document));
    expect(forgotten).toEqual(['user:1', 'user:2', 'user:3']);
  });
});

function service(): { readonly limits: Limits; readonly lanes: Lane[] } {
  const lanes: Lane[] = [];
  const counters = mingoStore({ lanes: learningLanes((lane) => lanes.push(lane)) });
  return { limits: limitsOver(counters, [{ ...USER_DAY, max: { count: 2 } }]), lanes };
}

const SUBJECTS = { user: 'u-1' };

function check(limits: Limits, orderId: string, subjects = SUBJECTS): Promise<CheckAnswer> {
  return limits.check(checkOf({ orderId, subjects }), AT);
}

describe('the lane that decides', () => {
  it('is the general one of a new document, of what is known and of what is refused, and the plain one else', async () => {
    const { limits, lanes } = service();
    await check(limits, 'o-1');
    await check(limits, 'o-2');
    const answer = await check(limits, 'o-2');
    expect(answer).toMatchObject({ kind: 'allowed', repeated: true });
    await check(limits, 'o-3');
    expect(lanes).toEqual(['general', 'plain', 'general', 'general']);
  });

  it('is the plain one again once a document that was full was read to have room', async () => {
    const { limits, lanes } = service();
    await check(limits, 'o-1');
    await check(limits, 'o-2');
    await check(limits, 'o-3');
    await limits.rollback(orderOf('o-1', SUBJECTS), AT);
    lanes.length = 0;
    for (let index = 0; index < 10; index++) {
      const told = await check(limits, `later-${index}`);
      expect(told.kind).toBe('allowed');
      await limits.rollback(orderOf(`later-${index}`, SUBJECTS), AT);
    }
    const checks = lanes.filter((_, index) => index % 2 === 0);
    expect(checks).toEqual(['general', ...Array.from({ length: 9 }, () => 'plain')]);
  });
});

const A_WEEK = { ...USER_DAY, window: { rollingMs: 604_800_000, stepMs: 86_400_000 } };

/** A rule on trial over an exact window: an order for which it has no room does not enter it. */
const TRIAL = {
  ...USER_DAY,
  id: 'trial',
  mode: 'shadow' as const,
  max: { count: 1 },
  window: { rollingMs: 3_600_000, stepMs: 'exact' as const },
};

/** Every call below goes by the database's own clock, over a collection with its indexes. */
describe('by the clock of a database with its indexes, the ordinary call is one plain update', () => {
  beforeAll(async () => {
    await makeIndexes(database.db);
  });

  it.each([
    { what: 'a calendar window', rule: USER_DAY },
    { what: 'a rolling window', rule: A_WEEK },
  ])('$what: check and confirm, once the document is there', async ({ rule, what }) => {
    const taken: Lane[] = [];
    const lanes = learningLanes((lane) => taken.push(lane));
    const counters = patientCounters(database.db, { lanes });
    const limits = limitsOver(counters, [rule]);
    const user = what.replaceAll(' ', '-');
    for (const orderId of ['first', 'second']) {
      const checked = await limits.check(checkOf({ orderId, subjects: { user } }));
      await limits.confirm(byReservation(orderId, reservationOf(checked)));
    }
    const orders = ['third', 'fourth'];
    await confirmTogether(limits, orders, { user });
    expect(taken).toEqual(['general', 'plain', 'plain', 'plain', 'plain', 'plain']);
  });

  it('orders of which a rule on trial leaves one out are confirmed together by what their reservations say', async () => {
    const taken: Lane[] = [];
    const lanes = learningLanes((lane) => taken.push(lane));
    const counters = patientCounters(database.db, { lanes });
    const limits = limitsOver(counters, [USER_DAY, TRIAL]);
    const subjects = { user: 'left-out' };
    await confirmTogether(limits, ['within', 'above'], subjects);
    expect(taken).toEqual(['general', 'plain']);
    const { rules } = await limits.usage({ appId: 'default', subjects });
    expect(rules.map(({ used, held }) => [used?.count, held?.count])).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });
});

async function confirmTogether(
  limits: Limits,
  orders: readonly string[],
  subjects: { readonly user: string },
): Promise<void> {
  const checks = orders.map((orderId) => checkOf({ orderId, subjects }));
  const settlements = (await limits.checkMany(checks, false)).map((result, index) => {
    if (result.kind !== 'answered') throw result.error;
    const confirm = byReservation(orders[index] ?? '', reservationOf(result.answer));
    return { ...confirm, to: 'confirmed' as const };
  });
  const settled = await limits.settleMany(settlements);
  expect(settled.map(({ kind }) => kind)).toEqual(orders.map(() => 'answered'));
}
