import { describe, expect, it } from 'vitest';
import { HeadroomError } from '../../lib/shared/errors.ts';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';

const database = useDatabase();

/** Calls at once, numbered. */
function atOnce<T>(callers: number, call: (index: number) => Promise<T>): Promise<readonly T[]> {
  return Promise.all(Array.from({ length: callers }, (_, index) => call(index)));
}

describe('100 callers on a subject never seen before', () => {
  it.each(Array.from({ length: times('newSubjects') }, (_, run) => ({ run })))(
    'admit exactly the maximum of 5, and no error surfaces (run $run)',
    async ({ run }) => {
      const subjects = { user: `race-1-${run}` };
      const limits = limitsOver(database.db, [USER_DAY]);
      const answers = await atOnce(100, (index) =>
        limits.check(checkOf({ orderId: `o-${index}`, subjects })),
      );
      expect(answers.filter(({ kind }) => kind === 'allowed')).toHaveLength(5);
      expect(answers.filter(({ kind }) => kind === 'refused')).toHaveLength(95);
    },
  );
});

describe('callers at once on a subject with little room', () => {
  it('admits exactly N - 1 of N, and used + held never exceeds the maximum meanwhile', async () => {
    const subjects = { user: 'race-2' };
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 39 } }]);
    const seen: number[] = [];
    const race = { on: true };
    const observer = (async () => {
      while (race.on) {
        const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
        if (look.kind === 'undecided') throw new Error('the database answers');
        for (const { used, held } of look.rules) seen.push((used?.count ?? 0) + (held?.count ?? 0));
      }
    })();
    const answers = await atOnce(40, async (index) => {
      const answer = await limits.check(checkOf({ orderId: `o-${index}`, subjects }));
      if (answer.kind === 'allowed' && index % 2 === 0)
        await limits.confirm(orderOf(`o-${index}`, subjects));
      return answer;
    });
    race.on = false;
    await observer;
    expect(answers.filter(({ kind }) => kind === 'allowed')).toHaveLength(39);
    expect(Math.max(...seen)).toBeLessThanOrEqual(39);
  });

  it('admits one of three asks of 100 where 900 of 1,000 are used', async () => {
    for (let run = 0; run < times('newSubjects'); run++) {
      const subjects = { user: `race-3-${run}` };
      const limits = limitsOver(database.db, [{ ...USER_DAY, max: { amount: 1_000 } }]);
      await limits.check(checkOf({ orderId: 'first', subjects, amountMinor: 900, capture: true }));
      const answers = await atOnce(3, (index) =>
        limits.check(checkOf({ orderId: `o-${index}`, subjects, amountMinor: 100 })),
      );
      expect(answers.filter(({ kind }) => kind === 'allowed')).toHaveLength(1);
    }
  });

  it('gives callers that take what fits exactly the maximum, and the last of them the rest', async () => {
    for (let run = 0; run < times('newSubjects'); run++) {
      const subjects = { user: `race-part-${run}` };
      const limits = limitsOver(database.db, [{ ...USER_DAY, max: { amount: 1_000 } }]);
      const ask = { subjects, amountMinor: 300, leastMinor: 1 };
      const answers = await atOnce(20, (index) =>
        limits.check(checkOf({ orderId: `o-${index}`, ...ask })),
      );
      const parts = answers.flatMap((answer) =>
        answer.kind === 'allowed' ? (answer.part?.amount ?? []) : [],
      );
      expect(parts.toSorted((one, other) => other - one)).toEqual([300, 300, 300, 100]);
    }
  });

  it('admits one of 50 callers under a cooldown of three seconds', async () => {
    const subjects = { user: 'cooldown' };
    const cooldown = { rollingMs: 3_000, stepMs: 'exact' } as const;
    const limits = limitsOver(database.db, [
      { id: 'cooldown', per: ['user'], window: cooldown, max: { count: 1 }, mode: 'enforce' },
    ]);
    const at = new Date('2026-03-02T02:00:00.000Z');
    const answers = await atOnce(50, (index) =>
      limits.check(checkOf({ orderId: `o-${index}`, subjects }), at),
    );
    expect(answers.filter(({ kind }) => kind === 'allowed')).toHaveLength(1);
  });
});

describe('the same order at once', () => {
  it('gives 20 callers one hold and one answer', async () => {
    const subjects = { user: 'race-4' };
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 1 } }]);
    const answers = await atOnce(20, () => limits.check(checkOf({ orderId: 'same', subjects })));
    const told = answers.map((answer) =>
      answer.kind === 'allowed' ? [answer.reservation, answer.holdExpiresAt] : [answer.kind],
    );
    expect(new Set(told.map((one) => JSON.stringify(one)))).toHaveLength(1);
    const fresh = answers.filter((answer) => answer.kind === 'allowed' && !answer.repeated);
    expect(fresh).toHaveLength(1);
  });

  it('lets exactly one of confirm and rollback win, time after time, and the sums agree', async () => {
    const subjects = { user: 'race-5' };
    const limits = limitsOver(database.db, [{ ...USER_DAY, max: { count: 10_000 } }]);
    let confirmed = 0;
    for (let run = 0; run < times('settledAtOnce'); run++) {
      const order = orderOf(`o-${run}`, subjects);
      await limits.check(checkOf({ orderId: order.orderId, subjects }));
      const [confirm, rollback] = await Promise.allSettled([
        limits.confirm(order),
        limits.rollback(order),
      ]);
      expect([confirm.status, rollback.status].sort()).toEqual(['fulfilled', 'rejected']);
      const loser = confirm.status === 'rejected' ? confirm : rollback;
      if (loser.status === 'rejected') expect(loser.reason).toBeInstanceOf(HeadroomError);
      if (confirm.status === 'fulfilled') confirmed += 1;
    }
    const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
    expect(look).toMatchObject({ rules: [{ used: { count: confirmed }, held: { count: 0 } }] });
  });
});
