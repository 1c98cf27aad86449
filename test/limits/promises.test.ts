import type { Document } from 'mongodb';
import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { readBucketName } from '../../lib/counter/name.ts';
import type { CounterDocument } from '../../lib/document/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  commandsDuring,
  limitsOver,
  orderOf,
  reservationOf,
  byReservation,
  sentDuring,
} from '../support/limits-fixture.ts';
import { PLAIN_ON } from '../support/lanes.ts';
import { storedCounters } from '../support/stored-buckets.ts';

const database = useDatabase({ monitorCommands: true });

function stored(id: string): Promise<CounterDocument | null> {
  return storedCounters(database.db).findOne({ _id: id }, { raw: false });
}

async function bytesOf(id: string): Promise<string> {
  const raw = await storedCounters(database.db).findOne({ _id: id }, { promoteValues: false });
  return Buffer.from(BSON.serialize(raw ?? {})).toString('hex');
}

const WRITE = 'findAndModify';

describe('a refusal', () => {
  it('leaves the stored document byte for byte as it was, lapsed holds and old buckets too', async () => {
    const subjects = { user: 'refused-1' };
    const limits = limitsOver(database.db, [USER_DAY]);
    const yesterday = new Date('2026-03-01T10:00:00+08:00');
    const today = new Date('2026-03-02T10:00:00+08:00');
    await limits.check(checkOf({ orderId: 'lapses', subjects, count: 2 }), yesterday);
    await limits.check(checkOf({ orderId: 'fills', subjects, count: 5 }), today);
    const later = new Date('2026-03-02T10:20:00+08:00'); // the hold of `fills` has lapsed
    await limits.check(checkOf({ orderId: 'again', subjects, count: 3 }), later);
    const before = await bytesOf('user:refused-1');
    const answer = await limits.check(checkOf({ orderId: 'no', subjects, count: 3 }), later);
    expect(answer.kind).toBe('refused');
    expect(await bytesOf('user:refused-1')).toBe(before);
  });

  it('is an update that matches nothing, and one that fits writes', async () => {
    const subjects = { user: 'refused-2' };
    const limits = limitsOver(database.db, [USER_DAY]);
    await limits.check(checkOf({ orderId: 'fills', subjects, count: 5 }));
    const before = await bytesOf('user:refused-2');
    const refused = await sentDuring(database.client, () =>
      limits.check(checkOf({ orderId: 'no', subjects })),
    );
    expect(refused.map(({ commandName }) => commandName)).toEqual([WRITE, WRITE]);
    expect(await bytesOf('user:refused-2')).toBe(before);
    const [sent] = refused;
    if (sent === undefined) throw new Error('an update is sent');
    const counters = storedCounters(database.db);
    const [filter, update] = [sent.command.query, sent.command.update] as Document[];
    const again = await counters.updateOne(filter ?? {}, update ?? {});
    expect(again).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 0 });
    // The statement itself writes where there is room: here once one of the five is given back.
    const used = Object.keys((await stored('user:refused-2'))?.b as object)[0] ?? '';
    await counters.updateOne({ _id: 'user:refused-2' }, { $inc: { [`b.${used}.n`]: -1 } });
    const control = await counters.updateOne(filter ?? {}, update ?? {});
    expect(control).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
  });

  it('on a subject never seen leaves when it was made, the day of its deletion and nothing else', async () => {
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 0 } }]);
    const at = new Date('2026-03-02T10:00:00.000Z');
    await limits.check(checkOf({ orderId: 'no', subjects: { user: 'refused-3' } }), at);
    expect(await stored('user:refused-3')).toEqual({
      _id: 'user:refused-3',
      madeAt: at,
      expireAt: new Date('2026-03-03T10:00:00.000Z'),
    });
  });
});

/** Far from any boundary of a window, and from the real clock. */
const AT = new Date('2026-03-02T10:00:00.000Z');

async function tripsOf(
  calls: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const trips: Record<string, readonly string[]> = {};
  for (const [name, call] of Object.entries(calls))
    trips[name] = await commandsDuring(database.client, call);
  return trips;
}

describe('one document costs', () => {
  const subjects = { user: 'trips' };
  const rules = [{ ...USER_DAY, max: { count: 4 } }];

  it('one round trip for a check, a capture, a call of many, a confirm and a rollback; one more without a reservation', async () => {
    const limits = limitsOver(database.db, rules);
    const tokens = new Map<string, string>();
    const check = async (orderId: string) => {
      tokens.set(orderId, reservationOf(await limits.check(checkOf({ orderId, subjects }), AT)));
    };
    const settled = (orderId: string) => byReservation(orderId, tokens.get(orderId) ?? '');
    const trips = await tripsOf({
      new: () => check('o-0'),
      check: () => check('o-1'),
      confirm: () => limits.confirm({ ...settled('o-1'), amountMinor: 50 }, AT),
      rollback: () => limits.rollback(settled('o-0'), AT),
      many: () =>
        limits.checkMany(
          ['o-2', 'o-3'].map((orderId) => checkOf({ orderId, subjects })),
          false,
          AT,
        ),
      'many by subjects': () =>
        limits.settleMany(
          ['o-2', 'o-3'].map((orderId) => ({ ...orderOf(orderId, subjects), to: 'rolledBack' })),
          AT,
        ),
      capture: () => limits.check(checkOf({ orderId: 'o-4', subjects, capture: true }), AT),
    });
    expect(trips).toEqual({
      new: [WRITE, WRITE], // a conditional update makes no document
      check: [WRITE],
      confirm: [WRITE],
      rollback: [WRITE],
      many: [WRITE],
      'many by subjects': ['find', WRITE],
      capture: [WRITE],
    });
  });

  it('one more where the conditional update decides nothing: what is known, refused, late or larger', async () => {
    const named = { user: 'rare' };
    const counters = patientCounters(database.db, {
      lanes: PLAIN_ON,
    });
    const limits = limitsOver(counters, [{ ...USER_DAY, max: { count: 2 } }]);
    const request = checkOf({ orderId: 'o-1', subjects: named });
    const one = reservationOf(await limits.check(request, AT));
    const other = reservationOf(
      await limits.check(checkOf({ orderId: 'o-2', subjects: named }), AT),
    );
    const later = new Date(AT.getTime() + 900_000);
    const trips = await tripsOf({
      repeat: () => limits.check(request, AT),
      refusal: () => limits.check(checkOf({ orderId: 'o-3', subjects: named }), AT),
      larger: () => limits.confirm({ ...byReservation('o-1', one), amountMinor: 101 }, AT),
      again: () =>
        limits.confirm({ ...byReservation('o-1', one), amountMinor: 100 }, AT).catch(String),
      late: () => limits.confirm(byReservation('o-2', other), later),
      unknown: () => limits.confirm(orderOf('o-4', named), AT).catch(String),
    });
    expect(trips).toEqual({
      repeat: [WRITE, WRITE],
      refusal: [WRITE, WRITE],
      larger: ['find', WRITE], // only what is read can be confirmed larger
      again: [WRITE, 'find'],
      late: ['find', WRITE],
      unknown: ['find'],
    });
  });

  it('one look for a refusal once a document has refused', async () => {
    const named = { user: 'full' };
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 1 } }]);
    await limits.check(checkOf({ orderId: 'o-1', subjects: named }), AT);
    const refuse = (index: number) => () =>
      limits.check(checkOf({ orderId: `no-${index}`, subjects: named }), AT);
    expect(await commandsDuring(database.client, refuse(0))).toEqual([WRITE, WRITE]);
    for (let index = 1; index <= 20; index++)
      expect(await commandsDuring(database.client, refuse(index))).toEqual(['find']);
  });
});

describe('two documents cost', () => {
  const rules: readonly ModelRule[] = [
    USER_DAY,
    { ...USER_DAY, id: 'shop-day', per: ['merchant'], max: { count: 4 } },
  ];

  it('a check and a settlement two round trips, a refusal by home one once it has refused', async () => {
    const limits = limitsOver(database.db, rules);
    const subjects = { user: 'both', merchant: 'both' };
    const tokens = new Map<string, string>();
    const check = async (orderId: string) => {
      tokens.set(orderId, reservationOf(await limits.check(checkOf({ orderId, subjects }), AT)));
    };
    const settled = (orderId: string) => byReservation(orderId, tokens.get(orderId) ?? '');
    await check('o-0');
    const trips = await tripsOf({
      check: () => check('o-1'),
      confirm: () => limits.confirm(settled('o-1'), AT),
      rollback: () => limits.rollback(settled('o-0'), AT),
      'by subjects': async () => {
        await check('o-2');
        await limits.confirm(orderOf('o-2', subjects), AT);
      },
      'many at once': () =>
        limits.checkMany(
          ['o-3', 'o-4'].map((orderId) => checkOf({ orderId, subjects })),
          false,
          AT,
        ),
      'refused beside home': () => limits.check(checkOf({ orderId: 'o-5', subjects }), AT),
    });
    expect(trips).toEqual({
      check: [WRITE, WRITE],
      confirm: [WRITE, WRITE],
      rollback: [WRITE, WRITE],
      'by subjects': [WRITE, WRITE, 'find', WRITE, 'find', WRITE],
      'many at once': ['find', WRITE, WRITE],
      // The add that matched nothing, what it says there, and a look at home.
      'refused beside home': [WRITE, WRITE, 'find'],
    });
  });

  it('a refusal by home, and a repeat, the hold beside home and what takes it back; a read alone once home has refused', async () => {
    const subjects = { user: 'no', merchant: 'no' };
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 1 } }, ...rules.slice(1)]);
    const check = (orderId: string) => () => limits.check(checkOf({ orderId, subjects }), AT);
    await check('o-1')();
    const trips = await tripsOf({
      repeat: check('o-1'),
      refused: check('o-2'),
      'refused again': check('o-3'),
    });
    const taken = [WRITE, WRITE, WRITE];
    expect(trips).toEqual({
      repeat: [...taken, 'find', WRITE, 'find'],
      refused: [...taken, 'find', WRITE, 'find'],
      'refused again': ['find'],
    });
  });

  it('a check one more for each that is new', async () => {
    const limits = limitsOver(database.db, rules);
    const subjects = { user: 'fresh', merchant: 'fresh' };
    const check = (orderId: string) => () => limits.check(checkOf({ orderId, subjects }), AT);
    const making = [WRITE, WRITE];
    expect(await commandsDuring(database.client, check('o-1'))).toEqual([...making, ...making]);
    expect(await commandsDuring(database.client, check('o-2'))).toEqual([WRITE, WRITE]);
  });
});

it.each([
  { aheadMs: 3_600_000, why: 'an hour ahead' },
  { aheadMs: -86_400_000, why: 'a day behind' },
  { aheadMs: 40 * 86_400_000, why: 'forty days ahead' },
])(
  'the clock of the caller may be $why: same answers, more round trips once',
  async ({ aheadMs }) => {
    const subjects = { user: `clock${aheadMs}` };
    const machineNow = (): Date => new Date(Date.now() + aheadMs);
    const minute = { unit: 'minute', timeZone: 'UTC' } as const;
    const rules = [{ ...USER_DAY, window: minute, max: { count: 1_000 } }];
    const right = limitsOver(database.db, rules);
    await right.check(checkOf({ orderId: 'o-0', subjects }));
    const limits = limitsOver(database.db, rules, { machineNow });
    const first = await commandsDuring(database.client, () =>
      limits.check(checkOf({ orderId: 'o-1', subjects })),
    );
    // The conditional update, the read that tells the time, and the check once more.
    expect(first.length).toBeGreaterThanOrEqual(3);
    expect(first.length).toBeLessThanOrEqual(4);
    const document = await stored(`user:clock${aheadMs}`);
    for (const name of Object.keys(document?.b as object))
      expect(Math.abs(readBucketName(name).until.getTime() - Date.now())).toBeLessThan(120_000);
    const later = await commandsDuring(database.client, async () => {
      for (let index = 0; index < 20; index++)
        await limits.check(checkOf({ orderId: `later-${index}`, subjects }));
    });
    // One each, but for the eight after what was not held, and where a minute begins just now.
    expect(later.length).toBeLessThanOrEqual(23);
  },
);

describe('names', () => {
  const NAMES = [
    '$NOW',
    '$$ROOT',
    '$$request.id',
    'a.b',
    '__proto__',
    'constructor',
    'x'.repeat(256),
    '😀🏳️‍🌈',
    'а', // Cyrillic, looks like the Latin letter below
    'a',
    'a:b',
    'a\\:b',
    'a\\',
    ' a',
    "'; DROP TABLE",
    '{"$gt":""}',
  ];

  it('of subjects and orders are kept apart and stored as they are', async () => {
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 1 } }]);
    for (const name of NAMES) {
      const answer = await limits.check(checkOf({ orderId: name, subjects: { user: name } }));
      expect({ name, kind: answer.kind }).toEqual({ name, kind: 'allowed' });
    }
    for (const name of NAMES) {
      const full = await limits.check(checkOf({ orderId: `${name}!`, subjects: { user: name } }));
      expect(full.kind).toBe('refused');
      const { repeated } = await limits.confirm(orderOf(name, { user: name }));
      expect(repeated).toBe(false);
    }
  });

  it('of pairs that would collide if joined by a colon are kept apart', async () => {
    const limits = limitsOver(database.db, [
      { ...USER_DAY, per: ['user', 'merchant'], max: { count: 1 } },
    ]);
    const pairs = [
      { user: 'a:b', merchant: 'c' },
      { user: 'a', merchant: 'b:c' },
      { user: 'a\\', merchant: ':b:c' },
      { user: 'a\\:b', merchant: 'c' },
    ];
    for (const subjects of pairs) {
      const answer = await limits.check(checkOf({ orderId: 'same', subjects }));
      expect(answer).toMatchObject({ kind: 'allowed', repeated: false });
    }
    const apps = ['a', 'a:b'] as const;
    for (const appId of apps) {
      const orderId = appId === 'a' ? 'b:c' : 'c';
      const subjects = { user: 'apps', merchant: appId };
      const answer = await limits.check(checkOf({ appId, orderId, subjects }));
      expect(answer).toMatchObject({ kind: 'allowed', repeated: false });
    }
  });
});
