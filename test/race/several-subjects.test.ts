import { describe, expect, it } from 'vitest';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';

const database = useDatabase();

const MERCHANT_DAY: ModelRule = {
  ...USER_DAY,
  id: 'merchant-day',
  per: ['merchant'],
  max: { count: 10 },
};

describe('rules of two subjects in one check', () => {
  it('admit exactly what both have room for, 50 callers at once, and leave nothing held by the refused', async () => {
    for (let run = 0; run < times('severalAtOnce'); run++) {
      const merchant = `several-1-${run}`;
      const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 1 } }, MERCHANT_DAY]);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          limits.check(
            checkOf({
              orderId: `o-${run}-${index}`,
              subjects: { user: `u-${run}-${index % 25}`, merchant },
            }),
          ),
        ),
      );
      const allowed = answers.filter(({ kind }) => kind === 'allowed').length;
      expect(allowed).toBeLessThanOrEqual(10);
      // Refusals that met holds about to be withdrawn are early, never too many: what is free can be taken.
      let after = 0;
      for (let index = 0; index < 25; index++) {
        const subjects = { user: `late-${run}-${index}`, merchant };
        const late = await limits.check(checkOf({ orderId: `late-${run}-${index}`, subjects }));
        if (late.kind === 'allowed') after += 1;
      }
      expect(allowed + after).toBe(10);
    }
  });

  it('give orders that take what fits the same amount in both, and never more than both leave', async () => {
    for (let run = 0; run < times('severalAtOnce'); run++) {
      const merchant = `part-${run}`;
      const limits = limitsOver(database.db, [
        { ...USER_DAY, max: { amount: 400 } },
        { ...MERCHANT_DAY, max: { amount: 1_000 } },
      ]);
      const check = (index: number, dryRun = false) => {
        const subjects = { user: `part-${run}-${index % 4}`, merchant };
        const orderId = `part-${run}-${index}`;
        const asked = { orderId, subjects, amountMinor: 300, leastMinor: 1 };
        return limits.check({ ...checkOf(asked), dryRun });
      };
      const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => check(index)));
      const got = answers.map((answer) =>
        answer.kind === 'allowed' ? (answer.part?.amount ?? Number.NaN) : 0,
      );
      const sumOf = (amounts: readonly number[]): number =>
        amounts.reduce((sum, amount) => sum + amount, 0);
      expect(sumOf(got)).toBeLessThanOrEqual(1_000);
      for (let user = 0; user < 4; user++) {
        const look = await check(100 + user, true);
        if (look.kind === 'undecided') throw new Error('the database answers');
        const mine = got.filter((_, index) => index % 4 === user);
        const held = look.rules.map(({ held: sums }) => sums?.amountMinor);
        expect(held).toEqual([sumOf(mine), sumOf(got)]);
      }
      // Refusals that met shares about to be given back are early: what is free can be taken.
      const late = await Promise.all(Array.from({ length: 4 }, (_, user) => check(200 + user)));
      const after = late.map((answer) =>
        answer.kind === 'allowed' ? (answer.part?.amount ?? Number.NaN) : 0,
      );
      expect(sumOf([...got, ...after])).toBe(1_000);
    }
  });

  it('gives 20 callers of one order one hold in each document', async () => {
    for (let run = 0; run < times('severalAtOnce'); run++) {
      const subjects = { user: `same-${run}`, merchant: `same-${run}` };
      const limits = limitsOver(database.db, [USER_DAY, MERCHANT_DAY]);
      const answers = await Promise.allSettled(
        Array.from({ length: 20 }, () =>
          limits.check(checkOf({ orderId: `same-${run}`, subjects })),
        ),
      );
      const told = answers.map((answer) =>
        answer.status === 'fulfilled' ? answer.value.kind : String(answer.reason),
      );
      expect(new Set(told)).toEqual(new Set(['allowed']));
      const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
      expect(look).toMatchObject({ rules: [{ held: { count: 1 } }, { held: { count: 1 } }] });
    }
  });

  it('lets one of confirm and rollback win in every document', async () => {
    const subjects = { user: 'settle', merchant: 'settle' };
    const limits = limitsOver(database.db, [
      { ...USER_DAY, max: { count: 1_000 } },
      { ...MERCHANT_DAY, max: { count: 1_000 } },
    ]);
    let confirmed = 0;
    for (let run = 0; run < 10 * times('severalAtOnce'); run++) {
      const order = orderOf(`o-${run}`, subjects);
      await limits.check(checkOf({ orderId: order.orderId, subjects }));
      const settled = await Promise.allSettled([limits.confirm(order), limits.rollback(order)]);
      expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      if (settled[0].status === 'fulfilled') confirmed += 1;
    }
    const sums = { used: { count: confirmed }, held: { count: 0 } };
    const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
    expect(look).toMatchObject({ rules: [sums, sums] });
  });
});
