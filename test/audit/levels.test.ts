import { describe, expect, it } from 'vitest';
import { lookAt } from '../../lib/audit/reconcile/mongo-reconciling.ts';
import { mongoHistory } from '../../lib/audit/history/mongo-history.ts';
import { auditCollection } from '../../lib/audit/mongo-audit-store.ts';
import type { ModelRule } from '../model/model-types.ts';
import { nearLimitsOver } from '../near/fixture.ts';
import { AUDITED, auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { NOON_ZONE, checkOf, orderOf } from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';

/** What history, reconcile, refunds and the list of who is near say of sums that other orders lower. */

const database = useDatabase({ withIndexes: true });

const WALLET: ModelRule = {
  id: 'wallet',
  per: ['user'],
  currency: 'CNY',
  counts: { is: { type: 'TOPUP' } },
  minus: { is: { type: 'PAYOUT' } },
  window: { unit: 'day', timeZone: NOON_ZONE },
  max: { amount: 100 },
  mode: 'enforce',
};
const ALL: ModelRule = { ...WALLET, id: 'all', counts: {}, minus: {}, max: { amount: 10_000 } };
const { minus: _, ...PLAIN } = ALL;
const RULES = [WALLET, PLAIN];

describe.each(AUDITED)('with the audit $mode', ({ mode, over }) => {
  it('a balance is what was paid in, less what was paid out and not refunded', async () => {
    const { limits, lost } = over(database.db, RULES);
    const subjects = { user: `u-${mode}` };
    const check = (orderId: string, type: string, amountMinor: number) =>
      limits.check(checkOf({ orderId: `${mode}-${orderId}`, subjects, type, amountMinor }));
    await check('a', 'TOPUP', 100);
    await limits.confirm(orderOf(`${mode}-a`, subjects));
    await check('b', 'PAYOUT', 70);
    expect(await check('c', 'TOPUP', 1)).toMatchObject({ kind: 'refused' });
    await limits.confirm(orderOf(`${mode}-b`, subjects));
    await limits.refund({ ...orderOf(`${mode}-b`, subjects), refundId: 'r-1', amountMinor: 20 });
    expect(await check('d', 'TOPUP', 51)).toMatchObject({ kind: 'refused' });
    expect(await check('d', 'TOPUP', 50)).toMatchObject({ kind: 'allowed' });
    expect(lost).toEqual([]);

    const document = `user:${subjects.user}`;
    const looks = await lookAt(database.db, [document], { lateMs: 0 });
    expect(looks.get(document)?.differences).toEqual([]);
    const history = mongoHistory({
      rows: auditCollection(database.db),
      timeoutMs: 10_000,
      rules: () => Promise.resolve(RULES.map(libRule)),
      knownKinds: [],
      machineNow: () => new Date(),
    });
    const last = { count: 1, unit: 'day' } as const;
    const asked = { rule: 'wallet', subjects, last, zone: undefined };
    const { windows } = await history.usageHistory(asked);
    expect(windows.map(({ sums }) => sums)).toMatchObject([[{ amountMinor: 50, count: 1 }]]);
  });
});

it('who is near the maximum of a balance is told by what raises it', async () => {
  const audit = auditOver(database.db, 'best-effort');
  const { limits, heard } = nearLimitsOver(database.db, RULES, { audit });
  const subjects = { user: 'u-near' };
  const paid = (orderId: string, type: string, amountMinor: number) =>
    limits.check(checkOf({ orderId, subjects, type, amountMinor, capture: true }));
  await paid('near-a', 'PAYOUT', 40);
  await paid('near-b', 'TOPUP', 89);
  expect(heard.events).toEqual([]);
  await paid('near-c', 'TOPUP', 1);
  expect(heard.events).toEqual(['wallet 50']);
  await paid('near-d', 'PAYOUT', 50);
  await paid('near-e', 'TOPUP', 100);
  expect(heard.events).toEqual(['wallet 50', 'wallet 80', 'wallet 95', 'wallet 100']);
});
