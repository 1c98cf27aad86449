import { describe, expect, it } from 'vitest';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { mongoHistory } from '../../lib/audit/history/mongo-history.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { listed, nearLimitsOver } from '../near/fixture.ts';
import { AUDITED, auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { NOON_ZONE, checkOf, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

/** What the audit, history, reconcile and the list of who is near say of rules that count failures. */

const database = useDatabase({ withIndexes: true });

const PIN: ModelRule = {
  id: 'pin',
  per: ['user'],
  outcome: 'rolledBack',
  reasonCodes: ['wrong-pin'],
  window: { unit: 'day', timeZone: NOON_ZONE },
  max: { count: 4 },
  mode: 'enforce',
};
const SHOP: ModelRule = { ...PIN, id: 'shop', per: ['merchant'], max: { count: 100 } };
const TRIED: ModelRule = { ...PIN, id: 'tried', outcome: 'ended', max: { count: 100 } };
const { outcome: _, reasonCodes: _codes, ...ALL } = PIN;
const PAID: ModelRule = { ...ALL, id: 'paid', window: 'lifetime', max: { count: 9 } };
const RULES = [PIN, SHOP, TRIED];

const MINUTE_MS = 60_000;
/** A day of the zone that no boundary comes near. */
const now = (): Date => new Date();

type Made = (typeof AUDITED)[number]['over'];

/** A user and a merchant of its own for each way of the audit. */
function storyOf(over: Made, name: string) {
  const { limits, rowsOf, lost } = over(database.db, RULES);
  const subjects = { user: `u-${name}`, merchant: `m-${name}` };
  const check = (orderId: string) => limits.check(checkOf({ orderId, subjects, amountMinor: 5 }));
  const fail = (orderId: string, reasonCode?: string) =>
    limits.rollback({ ...orderOf(orderId, subjects), reasonCode });
  return { limits, rowsOf, lost, subjects, check, fail };
}

describe.each(AUDITED)('with the audit $mode', ({ mode, over }) => {
  it('rows have the code, history counts what the rule counts, and reconcile finds the same', async () => {
    const { limits, rowsOf, lost, subjects, check, fail } = storyOf(over, mode);
    for (const order of ['a', 'b', 'c', 'd']) await check(`${mode}-${order}`);
    await fail(`${mode}-a`, 'wrong-pin');
    await fail(`${mode}-a`, 'no-funds');
    await fail(`${mode}-b`, 'no-funds');
    await limits.confirm(orderOf(`${mode}-c`, subjects));
    const [record] = await limits.recordMany([
      {
        ...checkOf({ orderId: `${mode}-e`, subjects, amountMinor: 5 }),
        happenedAt: new Date(now().getTime() - MINUTE_MS),
        ending: { to: 'rolledBack', reasonCode: 'wrong-pin' },
      },
    ]);
    expect(record).toMatchObject({
      answer: { state: 'rolledBack', counted: ['pin', 'shop', 'tried'] },
    });
    expect(lost).toEqual([]);
    expect(await rowsOf(`${mode}-a`)).toMatchObject([
      { operation: 'check', outcome: 'held' },
      { operation: 'rollback', outcome: 'rolledBack', reasonCode: 'wrong-pin', effective: true },
    ]);
    const documents = [`user:${subjects.user}`, `merchant:${subjects.merchant}`];
    const differences = async () => {
      const looks = await lookAt(database.db, documents, { lateMs: 0 });
      return documents.map((document) => looks.get(document)?.differences);
    };
    expect(await differences()).toEqual([[], []]);

    const rows = auditCollection(database.db);
    const history = mongoHistory({
      rows,
      timeoutMs: 10_000,
      rules: () => Promise.resolve(RULES.map(libRule)),
      knownKinds: [],
      machineNow: now,
    });
    const counted = async (rule: string, kind: 'user' | 'merchant') => {
      const last = { count: 1, unit: 'day' } as const;
      const asked = { rule, subjects: { [kind]: subjects[kind] }, last, zone: undefined };
      const { windows } = await history.usageHistory(asked);
      return windows.flatMap(({ sums }) => sums.map(({ count }) => count));
    };
    expect(await counted('pin', 'user')).toEqual([2]);
    expect(await counted('shop', 'merchant')).toEqual([2]);
    expect(await counted('tried', 'user')).toEqual([3]);

    // Home remembers the code of a failure whose row got lost; beside it nothing says so.
    await rows.deleteMany({ orderId: `${mode}-a`, outcome: 'rolledBack' });
    const [atHome, beside] = await differences();
    expect(atHome).toEqual([]);
    expect(beside).toMatchObject([
      { kind: 'sum', sum: 'usedCount', stored: 2, expected: 1 },
      { kind: 'hold', orderId: `${mode}-a` },
    ]);
    await fail(`${mode}-a`, 'no-funds');
    if (mode === 'session') return; // its commits write no rows of repeats
    expect(await rowsOf(`${mode}-a`)).toMatchObject([
      { outcome: 'held' },
      { outcome: 'rolledBack', reasonCode: 'wrong-pin', repeated: true },
    ]);
    expect(await differences()).toEqual([[], []]);
  });
});

describe('who is near a maximum of failures', () => {
  it('is told once they happened, by a rollback or a record, and not while attempts are under way', async () => {
    const audit = auditOver(database.db, 'best-effort');
    const { limits, heard } = nearLimitsOver(database.db, RULES, { audit });
    const subjects = { user: 'u-near', merchant: 'm-near' };
    const tokens = new Map<string, string>();
    for (const order of ['a', 'b', 'c', 'd']) {
      const answer = await limits.check(checkOf({ orderId: `near-${order}`, subjects }));
      if (answer.kind === 'allowed') tokens.set(order, answer.reservation ?? '');
    }
    expect(heard.events).toEqual([]);
    const failing = (order: string, reasonCode: string) => {
      const whereabouts = { kind: 'reservation', token: tokens.get(order) ?? '' } as const;
      return limits.rollback({ ...orderOf(`near-${order}`, subjects), whereabouts, reasonCode });
    };
    await failing('a', 'wrong-pin');
    await failing('b', 'no-funds');
    expect(heard.events).toEqual([]);
    await failing('c', 'wrong-pin');
    expect(heard.events).toEqual(['pin 50']);
    await limits.recordMany([
      {
        ...checkOf({ orderId: 'near-e', subjects, count: 2 }),
        happenedAt: new Date(now().getTime() - MINUTE_MS),
        ending: { to: 'rolledBack', reasonCode: 'wrong-pin' },
      },
    ]);
    expect(heard.events).toEqual(['pin 50', 'pin 80', 'pin 95', 'pin 100']);
    const near = (await listed(database.db)).filter(({ rule }) => rule === 'pin');
    expect(near).toMatchObject([{ percent: 100, taken: { count: 4 } }]);
  });

  it('is told of a merchant by a rollback that names the user alone, who is home', async () => {
    const audit = auditOver(database.db, 'best-effort');
    const rules = [{ ...SHOP, max: { count: 2 } }];
    const { limits, heard } = nearLimitsOver(database.db, rules, { audit });
    const subjects = { user: 'u-home', merchant: 'm-home' };
    await limits.check(checkOf({ orderId: 'home-a', subjects }));
    const { user } = subjects;
    await limits.rollback({ ...orderOf('home-a', { user }), reasonCode: 'wrong-pin' });
    expect(heard.events).toEqual(['shop 50']);
  });

  it('has windows of failures not among those from which a refund takes', async () => {
    const { limits } = AUDITED[0].over(database.db, [...RULES, PAID]);
    const subjects = { user: 'u-refunded', merchant: 'm-refunded' };
    await limits.check(checkOf({ orderId: 'refunded', subjects, capture: true }));
    const refund = { ...orderOf('refunded', subjects), refundId: 'r-1' };
    expect(await limits.refund(refund)).toMatchObject({ windows: { open: 2, over: 0 } });
  });
});
