import { BSON } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { planCheck } from '../../lib/domain/plan.ts';
import { holdUpdate } from '../../lib/store/counter-updates.ts';
import { COUNTERS } from '../../lib/store/mongo-counter-store.ts';
import type { CounterDocument } from '../../lib/store/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  commandsDuring,
  limitsOver,
  orderOf,
} from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

const database = useDatabase({ monitorCommands: true });

function stored(id: string): Promise<CounterDocument | null> {
  return database.db.collection<CounterDocument>(COUNTERS).findOne({ _id: id }, { raw: false });
}

/** A document's bytes, as the server has them. */
async function bytesOf(id: string): Promise<string> {
  const raw = await database.db
    .collection<CounterDocument>(COUNTERS)
    .findOne({ _id: id }, { promoteValues: false });
  return Buffer.from(BSON.serialize(raw ?? {})).toString('hex');
}

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

  it('is no write to the server', async () => {
    const subjects = { user: 'refused-2' };
    const limits = limitsOver(database.db, [USER_DAY]);
    await limits.check(checkOf({ orderId: 'fills', subjects, count: 5 }));
    const request = checkOf({ orderId: 'no', subjects });
    const now = new Date();
    const { plans } = planCheck([libRule(USER_DAY)], request, ['user'], now);
    const ask = {
      id: 'default:no',
      nonce: 'nonce',
      digest: 'digest',
      ...request,
      pending: false,
      takesOver: false,
      again: false,
      openHoldsMax: 500,
      plans: plans.map((plan) => ({
        ...plan,
        counters: plan.counters.get('user:refused-2') ?? [],
      })),
    };
    const { pipeline } = holdUpdate(ask);
    const result = await database.db
      .collection<CounterDocument>(COUNTERS)
      .updateOne({ _id: 'user:refused-2' }, [...pipeline], { upsert: true });
    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: 0, upsertedCount: 0 });
    const { pipeline: fits } = holdUpdate({ ...ask, id: 'default:yes', count: 0 });
    const control = await database.db
      .collection<CounterDocument>(COUNTERS)
      .updateOne({ _id: 'user:refused-2' }, [...fits], { upsert: true });
    expect(control.modifiedCount).toBe(1);
  });

  it('on a subject never seen leaves the day of its deletion and nothing else', async () => {
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 0 } }]);
    const at = new Date('2026-03-02T10:00:00.000Z');
    await limits.check(checkOf({ orderId: 'no', subjects: { user: 'refused-3' } }), at);
    expect(await stored('user:refused-3')).toEqual({
      _id: 'user:refused-3',
      expireAt: new Date('2026-03-03T10:00:00.000Z'),
    });
  });
});

describe('one subject costs one round trip', () => {
  it('for a check, its repeat, a refusal, a confirm and a rollback', async () => {
    const subjects = { user: 'trips' };
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 2 } }]);
    // Far from any boundary of a window, and of the real clock.
    const at = new Date('2026-03-02T10:00:00.000Z');
    await limits.check(checkOf({ orderId: 'warm', subjects: { user: 'warm' } }), at);
    const calls = {
      check: () => limits.check(checkOf({ orderId: 'o-1', subjects }), at),
      repeat: () => limits.check(checkOf({ orderId: 'o-1', subjects }), at),
      other: () => limits.check(checkOf({ orderId: 'o-2', subjects }), at),
      refusal: () => limits.check(checkOf({ orderId: 'o-3', subjects }), at),
      confirm: () => limits.confirm(orderOf('o-1', subjects), at),
      rollback: () => limits.rollback(orderOf('o-2', subjects), at),
      unknown: () => limits.confirm(orderOf('o-4', subjects), at).catch(() => undefined),
    };
    for (const [name, call] of Object.entries(calls)) {
      const commands = await commandsDuring(database.client, call);
      expect({ name, commands }).toEqual({ name, commands: ['findAndModify'] });
    }
  });
});

describe('the clock of the caller', () => {
  it.each([
    { aheadMs: 3_600_000, why: 'an hour ahead' },
    { aheadMs: -86_400_000, why: 'a day behind' },
    { aheadMs: 40 * 86_400_000, why: 'forty days ahead' },
  ])('may be $why: same answers, one more round trip once', async ({ aheadMs }) => {
    const subjects = { user: `clock${aheadMs}` };
    const machineNow = (): Date => new Date(Date.now() + aheadMs);
    const minute = { unit: 'minute', timeZone: 'UTC' } as const;
    const rules = [{ ...USER_DAY, window: minute, max: { count: 1_000 } }];
    const limits = limitsOver(database.db, rules, { machineNow });
    const first = await commandsDuring(database.client, () =>
      limits.check(checkOf({ orderId: 'o-1', subjects })),
    );
    expect(first).toHaveLength(2);
    const second = await commandsDuring(database.client, () =>
      limits.check(checkOf({ orderId: 'o-2', subjects })),
    );
    expect(second).toHaveLength(1);
    const document = await stored(`user:clock${aheadMs}`);
    const [bucket] = (document?.buckets ?? []) as { name: { start: Date } }[]; // as stored
    expect(Math.abs((bucket?.name.start.getTime() ?? 0) - Date.now())).toBeLessThan(120_000);
  });
});

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
