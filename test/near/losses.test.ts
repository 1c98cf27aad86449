import { describe, expect, it } from 'vitest';
import type { Near } from '../../lib/near/telling.ts';
import { UndecidedError } from '../../lib/shared/errors.ts';
import { mongoNearStore } from '../../lib/near/mongo-near-store.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { timed } from '../support/elapsed.ts';
import { checkOf } from '../support/limits-fixture.ts';
import { listed, MERCHANT_DAY, nearLimitsOver } from './fixture.ts';

const database = useDatabase();

const away = (): Promise<never> => Promise.reject(new UndecidedError('no answer within 500 ms'));
const never = (): Promise<never> => new Promise(() => undefined);

describe.each(['without an audit', 'beside the audit'])('%s', (how) => {
  const options = (nearly: Partial<Near>) => ({
    nearly,
    ...(how === 'beside the audit' ? { audit: auditOver(database.db, 'best-effort') } : {}),
  });
  const check = (merchant: string) =>
    checkOf({ orderId: `${how} ${merchant}`, subjects: { merchant }, amountMinor: 800 });
  const storeWith = (note: () => Promise<never>) => ({ ...mongoNearStore(database.db), note });

  it('a row that cannot be written changes no answer, and is counted', async () => {
    const { limits, heard } = nearLimitsOver(
      database.db,
      [MERCHANT_DAY],
      options({ store: storeWith(away) }),
    );
    const merchant = `row ${how}`;
    expect(await limits.check(check(merchant))).toMatchObject({ kind: 'allowed', repeated: false });
    expect(heard.lost).toEqual([{ error: expect.any(UndecidedError) as unknown, crossings: 1 }]);
    expect(heard.events).toEqual([]);
    // And it is held: the same payment once more is a repeat.
    expect(await limits.check(check(merchant))).toMatchObject({ repeated: true });
  });

  it('an event that cannot be published is counted; its row is there', async () => {
    const { limits, heard } = nearLimitsOver(
      database.db,
      [MERCHANT_DAY],
      options({ publish: away }),
    );
    const merchant = `event ${how}`;
    expect(await limits.check(check(merchant))).toMatchObject({ kind: 'allowed' });
    expect(heard.lost).toEqual([{ error: expect.any(UndecidedError) as unknown, crossings: 1 }]);
    const rows = await listed(database.db);
    expect(rows.filter(({ subjects }) => subjects.merchant === merchant)).toHaveLength(1);
  });

  it.each([
    { what: 'a row', nearly: () => ({ store: storeWith(never) }) },
    { what: 'an event', nearly: () => ({ publish: never }) },
  ])('$what is waited for no longer than a time', async ({ what, nearly }) => {
    const { limits, heard } = nearLimitsOver(
      database.db,
      [MERCHANT_DAY],
      options({ ...nearly(), waitMs: 300 }),
    );
    const { ms } = await timed(async () => {
      expect(await limits.check(check(`${what} late ${how}`))).toMatchObject({ kind: 'allowed' });
    });
    expect(ms).toBeGreaterThan(290);
    expect(ms).toBeLessThan(10_000);
    const [lost] = heard.lost;
    expect(lost?.crossings).toBe(1);
    expect(String(lost?.error)).toContain('within 300 ms');
  });
});

it('rows are asked for only where something is crossed', async () => {
  let notes = 0;
  const store = mongoNearStore(database.db);
  const counting = {
    ...store,
    note: (...asked: Parameters<typeof store.note>) => {
      notes += 1;
      return store.note(...asked);
    },
  };
  const { limits } = nearLimitsOver(database.db, [MERCHANT_DAY], { nearly: { store: counting } });
  for (let each = 0; each < 10; each++)
    await limits.check(
      checkOf({ orderId: `c-${each}`, subjects: { merchant: 'quiet' }, amountMinor: 100 }),
    );
  expect(notes).toBe(3); // at 500, at 800, and at 1,000, which is 95 and 100 % at once
});
