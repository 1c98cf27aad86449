import type { Db } from 'mongodb';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LimitsOptions } from '../../lib/edge/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver, sessionLimitsOver } from '../support/audit-fixture.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';

const database = useDatabase();
beforeAll(() => makeIndexes(database.db));

describe('the clock of the caller, that no document has told the time yet', () => {
  const MERCHANT_DAY: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };
  const HOLD_MS = 900_000;
  const over = {
    'by steps': limitsOver,
    'in one commit': (db: Db, rules: readonly ModelRule[], options: Partial<LimitsOptions>) =>
      sessionLimitsOver(db, rules, options).limits,
  };
  const rows = [3_600_000, -3_600_000, 40 * 86_400_000].flatMap((aheadMs) =>
    (['by steps', 'in one commit'] as const).flatMap((commits) =>
      ([[], ['merchant'], ['user']] as const).map((known) => ({ aheadMs, commits, known })),
    ),
  );

  it.each(rows)(
    'changes no hold over several documents, by $aheadMs ms, $commits, where there is $known',
    async ({ aheadMs, commits, known }) => {
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
      expect(heldMs).toBeGreaterThan(HOLD_MS - 1_000);
      expect(heldMs).toBeLessThan(HOLD_MS + Date.now() - askedMs + 1_000);
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
