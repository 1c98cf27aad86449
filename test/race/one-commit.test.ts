import { describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { untilDecided } from '../support/broken-way.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditedLimitsOver, sessionLimitsOver } from '../support/audit-fixture.ts';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import {
  USER_DAY,
  checkOf,
  commandsDuring,
  limitsOver,
  orderOf,
} from '../support/limits-fixture.ts';

const database = useDatabase({ monitorCommands: true, withIndexes: true });

const MERCHANT_DAY: ModelRule = { ...USER_DAY, id: 'merchant-day', per: ['merchant'] };
const RULES = [{ ...USER_DAY, max: { count: 1 } }, MERCHANT_DAY];
const AMPLE = [USER_DAY, MERCHANT_DAY].map((rule) => ({ ...rule, max: { count: 1_000 } }));

/** Half of them have the merchant and a user in common. */
const CALLERS = times('callersOfOneMerchant');

const MODES: readonly {
  readonly mode: string;
  readonly over: (rules: readonly ModelRule[]) => Limits;
}[] = [
  { mode: 'holds', over: (rules) => limitsOver(database.db, rules) },
  {
    mode: 'session',
    over: (rules) => limitsOver(database.db, rules, { inOneCommit: true }),
  },
  {
    mode: 'session with rows afterwards',
    over: (rules) => auditedLimitsOver(database.db, rules, { inOneCommit: true }).limits,
  },
  {
    mode: 'session with rows',
    over: (rules) => sessionLimitsOver(database.db, rules).limits,
  },
];

describe.each(MODES)(`${CALLERS} callers of one merchant, consistency $mode`, ({ mode, over }) => {
  it('get exactly what fits, and the sums agree; none waits for itself, and all are answered', async () => {
    const limits = over(RULES);
    const merchant = `${mode}-merchant`;
    const calls = Array.from({ length: CALLERS }, (_, index) => ({
      orderId: `${mode}-${index}`,
      subjects: { user: `${mode}-${index % (CALLERS / 2)}`, merchant },
    }));
    const ended = await Promise.all(
      calls.map((call) => untilDecided(() => limits.check(checkOf(call)))),
    );
    const allowed = calls.filter((_, index) => ended[index]?.answer.kind === 'allowed');
    // Hold by hold, a share that is about to be given back may refuse others.
    if (mode === 'holds') expect(allowed.length).toBeLessThanOrEqual(5);
    else expect(allowed).toHaveLength(5);
    const subjects = { user: `${mode}-nobody`, merchant };
    const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
    const held = { count: allowed.length };
    expect(look).toMatchObject({ rules: [{ held: { count: 0 } }, { held }] });
  });

  it('settle at once, and every document says the same', async () => {
    const limits = over(AMPLE);
    const subjects = { user: `${mode}-settle`, merchant: `${mode}-settle` };
    const orders = Array.from({ length: 12 }, (_, index) => `${mode}-settle-${index}`);
    for (const orderId of orders) await limits.check(checkOf({ orderId, subjects }));
    const settled = await Promise.all(
      orders.map((orderId, index) =>
        untilDecided<unknown>(() =>
          index % 3 === 0
            ? limits.rollback(orderOf(orderId, subjects))
            : limits.confirm(orderOf(orderId, subjects)),
        ),
      ),
    );
    expect(settled).toHaveLength(12);
    const look = await limits.check(checkOf({ orderId: 'look', subjects, dryRun: true }));
    const sums = { used: { count: 8 }, held: { count: 0 } };
    expect(look).toMatchObject({ rules: [sums, sums] });
  });
});

describe('consistency session', () => {
  it('costs a commit only where several documents are touched', async () => {
    const one = limitsOver(database.db, [USER_DAY], { inOneCommit: true });
    const user = { user: 'alone' };
    await one.check(checkOf({ orderId: 'new', subjects: user }));
    const alone = await commandsDuring(database.client, () =>
      one.check(checkOf({ orderId: 'alone', subjects: user })),
    );
    expect(alone).toEqual(['findAndModify']);
    const two = limitsOver(database.db, [USER_DAY, MERCHANT_DAY], { inOneCommit: true });
    const subjects = { user: 'both', merchant: 'both' };
    await two.check(checkOf({ orderId: 'new', subjects }));
    const both = await commandsDuring(database.client, () =>
      two.check(checkOf({ orderId: 'both', subjects })),
    );
    expect(both).toEqual(['find', 'findAndModify', 'findAndModify', 'commitTransaction']);
  });

  it('refuses in the second document without a trace in the first', async () => {
    const rules = [USER_DAY, { ...MERCHANT_DAY, max: { count: 0 } }];
    const limits = limitsOver(database.db, rules, { inOneCommit: true });
    const subjects = { user: 'refused', merchant: 'refused' };
    const answer = await limits.check(checkOf({ orderId: 'refused', subjects }));
    expect(answer).toMatchObject({ kind: 'refused', rules: [{ held: { count: 0 } }, {}] });
  });

  it('does all orders of an atomic call in one commit, and names each in its row', async () => {
    const { limits, rowsOf } = auditedLimitsOver(database.db, [USER_DAY], {
      inOneCommit: true,
    });
    const orders = ['x', 'y'].map((user) => ({ orderId: `atomic-${user}`, subjects: { user } }));
    const commands = await commandsDuring(database.client, () =>
      limits.checkMany(orders.map(checkOf), true),
    );
    expect(commands.filter((name) => name === 'commitTransaction')).toHaveLength(1);
    expect(await rowsOf('atomic-y')).toMatchObject([
      { outcome: 'held', shares: [{ document: 'user:y', buckets: [{}] }] },
    ]);
  });
});
