import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InForce } from '../../lib/backtest/history.ts';
import { mongoPast } from '../../lib/backtest/mongo-past.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import { compile } from '../../lib/plan/compile.ts';
import { HeadroomError } from '../../lib/shared/errors.ts';
import { Chance } from '../interleavings/chance.ts';
import type { ModelRule } from '../model/model-types.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import {
  byReservation,
  checkOf,
  limitsOver,
  refundOf,
  USER_DAY,
} from '../support/limits-fixture.ts';
import { libRule } from '../support/service-under-test.ts';
import { controlOf } from './control-of.ts';
import { settingsFrom } from './settings-from.ts';

const database = useDatabase();
const CHECKS = times('checksAtOnce');
const CALLERS = 16;
const PROCESSES = 4;

const ZONE = { timeZone: 'Asia/Shanghai' };
const MINUTE = { unit: 'minute', ...ZONE } as const;
const STEPS = { rollingMs: 4_000, stepMs: 1_000 };
const EXACT = { rollingMs: 4_000, stepMs: 1 };
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, id: 'user-steps', window: STEPS, max: { amount: 20_000 } },
  { ...USER_DAY, id: 'user-minute', window: MINUTE, max: { amount: 150_000, count: 500 } },
  {
    ...USER_DAY,
    id: 'user-exact',
    counts: { is: { type: 'WITHDRAWAL' } },
    window: EXACT,
    max: { count: 6 },
  },
  {
    ...USER_DAY,
    id: 'cool',
    per: ['user', 'merchant'],
    window: { rollingMs: 1_000, stepMs: 1 },
    max: { count: 2 },
  },
  { ...USER_DAY, id: 'merchant', per: ['merchant'], window: STEPS, max: { amount: 60_000 } },
];

const IN_FORCE: InForce = {
  rules: [{ at: new Date(0), rules: compile(RULES.map(libRule)) }],
  terms: [],
  settings: settingsFrom(new Date(0)),
};

/** Asks for an order, and settles it as chance has it: late, not at all, or refunded at times. */
async function pay(limits: Limits, orderId: string, chance: Chance): Promise<void> {
  const merchant = chance.isLucky(40) ? { merchant: `m-${chance.below(3)}` } : {};
  const request = checkOf({
    orderId,
    type: chance.isLucky(30) ? 'WITHDRAWAL' : 'PAYMENT',
    subjects: { user: `u-${chance.below(12)}`, ...merchant },
    amountMinor: 1 + chance.below(1_500),
    leastMinor: chance.isLucky(5) ? 1 : undefined,
    holdMs: chance.pick([1_000, 2_000, 3_000, 60_000]),
    capture: chance.isLucky(20),
  });
  const [fate, isRefunded] = [chance.below(100), chance.isLucky(15)];
  const answer = await limits.check(request);
  if (answer.kind !== 'allowed' || fate >= 85) return;
  const order = byReservation(orderId, answer.reservation ?? '');
  await setTimeout(chance.below(30));
  if (answer.state === 'held') {
    if (fate >= 60) return void (await limits.rollback(order));
    if (fate >= 55) await setTimeout(1_100);
    await limits.confirm(fate < 45 ? order : { ...order, amountMinor: 1 });
  }
  if (isRefunded) await limits.refund(refundOf(orderId, 'r', chance.isLucky(50) ? 1 : undefined));
}

beforeAll(async () => {
  await makeIndexes(database.db);
  const chance = new Chance(SEED);
  const processes = Array.from({ length: PROCESSES }, () =>
    limitsOver(database.db, RULES, { audit: auditOver(database.db, 'best-effort') }),
  );
  let made = 0;
  const call = async (): Promise<void> => {
    while (made < CHECKS) {
      made += 1;
      try {
        await pay(chance.pick(processes), `o-${made}`, chance);
      } catch (error) {
        // Example: the hold ended, and others took its place in the memory of its user.
        if (!(error instanceof HeadroomError)) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
}, 600_000);

describe(`${CALLERS} callers at once, whose windows are of seconds`, () => {
  it('are decided again as they were', async () => {
    const past = mongoPast(database.db, IN_FORCE, {
      from: new Date(0),
      to: new Date(Date.now() + 60_000),
    });
    const { checks, differences, explained } = await controlOf(past);
    expect(differences).toEqual([]);
    expect(explained.length).toBeLessThanOrEqual(checks / 1_000);
    expect(checks).toBeGreaterThan(CHECKS * 0.9);
  });
});
