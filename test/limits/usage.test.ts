import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';

const database = useDatabase();

const HOUR_MS = 3_600_000;

describe('how limits stand', () => {
  it("is told for the database's instant, however wrong the machine's clock is", async () => {
    const subjects = { user: 'u-1' };
    const day = { ...USER_DAY, window: { unit: 'day' as const, timeZone: 'UTC' } };
    await limitsOver(database.db, [day]).check(checkOf({ orderId: 'o-1', subjects }));
    for (const hours of [-48, 48]) {
      const machineNow = () => new Date(Date.now() + hours * HOUR_MS);
      const limits = limitsOver(database.db, [day], { machineNow });
      const { now, rules } = await limits.usage({ appId: 'default', subjects });
      expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(60_000);
      const [{ window, held }] = rules as [(typeof rules)[number]];
      expect(held).toEqual({ amountMinor: 100, count: 1 });
      expect(window && window.start <= now && now < window.end).toBe(true);
    }
  });
});
