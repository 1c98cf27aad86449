import type { Db } from 'mongodb';
import { describe, expect, it } from 'vitest';
import type { LimitsOptions } from '../../lib/edge/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver, sessionLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';

const database = useDatabase({ withIndexes: true });

describe('the clock of the caller, that no document has told the time yet', () => {
  const MERCHANT_DAY: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };
  const HOLD_MS = 900_000;
  const over = {
    'by steps': limitsOver,
    'in one commit': (db: Db, rules: readonly ModelRule[], options: Partial<LimitsOptions>) =>
      sessionLimitsOver(db, rules, options).limits,
  };
  // An estimate within two seconds of the server's time is taken for it.
  const errors = [
    { aheadMs: 3_600_000, mostMs: 1_000 },
    { aheadMs: -3_600_000, mostMs: 1_000 },
    { aheadMs: 40 * 86_400_000, mostMs: 1_000 },
    { aheadMs: 1_500, mostMs: 2_000 },
    { aheadMs: -1_500, mostMs: 2_000 },
  ];
  const rows = errors.flatMap((error) =>
    (['by steps', 'in one commit'] as const).flatMap((commits) =>
      ([[], ['merchant'], ['user']] as const).map((known) => ({ commits, known, ...error })),
    ),
  );

  it.each(rows)(
    'changes a hold over several documents by less than $mostMs ms where it is $aheadMs ms ahead, $commits, where there is $known',
    async ({ aheadMs, mostMs, commits, known }) => {
      const rules = [USER_DAY, MERCHANT_DAY];
      const name = `new ${aheadMs} ${commits} ${known.join()}`;
      const subjects = { user: name, merchant: name };
      for (const kind of known) {
        const earlier = checkOf({ orderId: 'earlier', subjects: { [kind]: name } });
        await limitsOver(database.db, rules).check(earlier);
      }
      const machineNow = (): Date => new Date(Date.now() + aheadMs);
      const limits = over[commits](database.db, rules, { machineNow });
      const askedMs = Date.now();
      const told = await limits.check(checkOf({ orderId: name, subjects, holdMs: HOLD_MS }));
      if (told.kind !== 'allowed') throw new Error(`the check is ${told.kind}`);
      const heldMs = (told.holdExpiresAt?.getTime() ?? 0) - askedMs;
      expect(heldMs).toBeGreaterThan(HOLD_MS - mostMs);
      expect(heldMs).toBeLessThan(HOLD_MS + Date.now() - askedMs + mostMs);
    },
  );

  it.each(
    [48 * 3_600_000, -48 * 3_600_000].flatMap((aheadMs) =>
      [true, false].map((isKnown) => ({ aheadMs, isKnown })),
    ),
  )('changes no window that is told, by $aheadMs ms, known: $isKnown', async (row) => {
    const { aheadMs, isKnown } = row;
    const subjects = { user: `told ${aheadMs} ${isKnown}` };
    const day = { ...USER_DAY, window: { unit: 'day' as const, timeZone: 'UTC' } };
    if (isKnown) await limitsOver(database.db, [day]).check(checkOf({ orderId: 'o-1', subjects }));
    const machineNow = (): Date => new Date(Date.now() + aheadMs);
    const limits = limitsOver(database.db, [day], { machineNow });
    const { now, rules } = await limits.usage({ appId: 'default', subjects });
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(1_000);
    const [{ window, held } = {}] = rules;
    expect(held?.count).toBe(isKnown ? 1 : 0);
    expect(window && window.start <= now && now < window.end).toBe(true);
  });

  it('refuses no payment as one that has not happened yet', async () => {
    const machineNow = (): Date => new Date(Date.now() - 3_600_000);
    const { limits } = auditedLimitsOver(database.db, [USER_DAY], { machineNow });
    const payment = {
      ...checkOf({ orderId: 'just', subjects: { user: 'just' } }),
      happenedAt: new Date(),
    };
    expect(await limits.recordMany([payment])).toMatchObject([{ kind: 'answered' }]);
  });
});
