import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { mongoHistory } from '../../lib/audit/history/mongo-history.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import type { StoredDocument } from '../../lib/document/stored.ts';
import { compile } from '../../lib/plan/compile.ts';
import { scanNear } from '../../lib/near/mongo-near-scan.ts';
import { listed, nearLimitsOver } from '../near/fixture.ts';
import type { ModelRule } from '../model/model-types.ts';
import { AUDITED, auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { NOON_ZONE, checkOf, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

/** What reconcile and history say of rules that count attempts which nobody ended: no row tells of those. */

const database = useDatabase({ withIndexes: true });

const GONE: ModelRule = {
  id: 'gone',
  per: ['user'],
  outcome: ['expired'],
  window: { unit: 'day', timeZone: NOON_ZONE },
  max: { count: 99 },
  mode: 'enforce',
};
const UNPAID: ModelRule = { ...GONE, id: 'unpaid', outcome: ['rolledBack', 'expired'] };
const ALL: ModelRule = {
  ...GONE,
  id: 'all',
  currency: 'CNY',
  outcome: ['confirmed', 'rolledBack', 'expired'],
};
const CARDS: ModelRule = { ...GONE, id: 'types', distinct: 'type' };
const RULES = [GONE, UNPAID, ALL, CARDS];

const HOLD_MS = 1_000;

describe.each(AUDITED)('with the audit $mode', ({ mode, over }) => {
  it('reconcile finds what expired, tidied or not, and history counts it until it ends late', async () => {
    const { limits, lost } = over(database.db, RULES);
    const subjects = { user: `u-${mode}` };
    const document = `user:${subjects.user}`;
    const nameOf = (order: string): string => `${mode}-${order}`;
    const check = async (order: string, holdMs = HOLD_MS) => {
      const asked = checkOf({
        orderId: nameOf(order),
        subjects,
        type: 'PAYMENT',
        amountMinor: 5,
        holdMs,
      });
      expect(await limits.check(asked)).toMatchObject({ kind: 'allowed' });
    };
    const differences = async () => {
      const looks = await lookAt(database.db, [document], { lateMs: 0 });
      return looks.get(document)?.differences;
    };
    const history = mongoHistory({
      rows: auditCollection(database.db),
      timeoutMs: 10_000,
      rules: () => Promise.resolve(RULES.map(libRule)),
      knownKinds: [],
      machineNow: () => new Date(),
    });
    const last = { count: 1, unit: 'day' } as const;
    const counted = async () =>
      Promise.all(
        ['gone', 'unpaid', 'all'].map(async (rule) => {
          const { windows } = await history.usageHistory({ rule, subjects, last });
          return windows.flatMap(({ sums }) => sums.map(({ count }) => count));
        }),
      );
    const used = async () => {
      const { rules } = await limits.usage({ appId: 'default', subjects });
      return rules.slice(0, 3).map((rule) => [rule.used?.count].filter((count) => count !== 0));
    };
    const heldOnes = async () => {
      const found = await storedCounters(database.db).findOne({ _id: document });
      return Object.keys((found?.h ?? {}) as object).length;
    };

    for (const order of ['a', 'b', 'c']) await check(order);
    expect(await counted()).toEqual([[], [], []]);
    expect(await differences()).toEqual([]);

    // Over, and nobody touched the document since.
    await setTimeout(HOLD_MS + 100);
    expect(await heldOnes()).toBe(3);
    expect(await counted()).toEqual([[3], [3], [3]]);
    expect(await used()).toEqual(await counted());
    expect(await differences()).toEqual([]);

    // One is settled before anybody tidies, and one after.
    await limits.confirm(orderOf(nameOf('a'), subjects));
    for (let more = 0; (await heldOnes()) > more; more += 1) await check(`more-${more}`, 60_000);
    await limits.rollback(orderOf(nameOf('b'), subjects));
    expect(await counted()).toEqual([[1], [2], [3]]);
    expect(await used()).toEqual(await counted());
    expect(await differences()).toEqual([]);

    // Checked once more, the order is another attempt.
    await check('c');
    expect(await counted()).toEqual([[1], [2], [3]]);
    expect(await differences()).toEqual([]);
    await setTimeout(HOLD_MS + 100);
    expect(await counted()).toEqual([[2], [3], [4]]);
    expect(await used()).toEqual(await counted());
    expect(await differences()).toEqual([]);
    expect(lost).toEqual([]);

    // A sum that lost one is mended by what rows say.
    const { b = {} } = (await storedCounters(database.db).findOne({
      _id: document,
    })) as StoredDocument;
    const name = Object.keys(b).find((one) => one.includes('~acn~x ')) ?? '';
    const less = { [`b.${name}.n`]: -1, [`b.${name}.un`]: -1 };
    await storedCounters(database.db).updateOne({ _id: document }, { $inc: less });
    expect(await differences()).toMatchObject([
      { kind: 'sum', sum: 'usedCount', stored: 0, expected: 1 },
    ]);
  });
});

describe('who is near a maximum of what expired', () => {
  it('is listed by a scan, also before anybody released the holds, and by no call', async () => {
    const rules = [{ ...GONE, max: { count: 4 } }];
    const audit = auditOver(database.db, 'best-effort');
    const { limits, heard } = nearLimitsOver(database.db, rules, { audit });
    const subjects = { user: 'u-scanned' };
    for (const order of ['a', 'b'])
      await limits.check(checkOf({ orderId: `scanned-${order}`, subjects, holdMs: HOLD_MS }));
    const scan = async () => {
      const compiled = compile(rules.map(libRule));
      for await (const _ of scanNear(database.db, compiled, new Date()));
      const rows = await listed(database.db);
      return rows.flatMap(({ rule, subjects: { user }, percent }) =>
        user === subjects.user ? [`${rule} ${percent}`] : [],
      );
    };
    expect(await scan()).toEqual([]);
    await setTimeout(HOLD_MS + 100);
    expect(await scan()).toEqual(['gone 50']);
    await limits.confirm(orderOf('scanned-a', subjects));
    expect(await scan()).toEqual([]);
    expect(heard.events).toEqual([]);
  });
});
