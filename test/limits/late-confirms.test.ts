import { describe, expect, it } from 'vitest';
import type { SettlementAnswer } from '../../lib/limits/answer.ts';
import type { ManyResult } from '../../lib/limits/many.ts';
import type { Limits } from '../../lib/edge/limits.ts';
import type { ModelRule } from '../model/model-types.ts';
import { useDatabase } from '../support/database.ts';
import { times } from '../support/extent.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { USER_DAY, checkOf, limitsOver, orderOf } from '../support/limits-fixture.ts';
import { storedCounters } from '../support/stored-buckets.ts';
import { counted } from '../support/broken-orders.ts';

const database = useDatabase();

const AT = new Date('2026-03-02T02:00:00.000Z');
/** Every hold's time is over, and their day is not. */
const LATE = new Date('2026-03-02T03:00:00.000Z');
const A_CALL = 100;
const MAX = { count: 100_000 };
const RULES: readonly ModelRule[] = [
  { ...USER_DAY, max: MAX },
  { ...USER_DAY, id: 'shop-day', per: ['merchant'], max: MAX },
];

/** As many as a merchant may have. */
const MANY = times('lateConfirms');

/** How many of them a document keeps that were swept. */
const KEPT = 100;

/** Orders, each of its own user, in calls of a hundred and a last one of what is left. */
function callsOf(orders: number): readonly (readonly string[])[] {
  const all = Array.from({ length: orders }, (_, index) => `o-${index}`);
  return Array.from({ length: Math.ceil(orders / A_CALL) }, (_, call) =>
    all.slice(call * A_CALL, (call + 1) * A_CALL),
  );
}

function halvesOf(orders: readonly string[]): readonly [string[], string[]] {
  const half = Math.ceil(orders.length / 2);
  return [orders.slice(0, half), orders.slice(half)];
}

const subjectsOf = (orderId: string, merchant: string) => ({
  user: `${merchant}-${orderId}`,
  merchant,
});

async function countedBy(limits: Limits, merchant: string): Promise<unknown> {
  const [{ used, held } = {}] = await counted(limits, { merchant }, LATE);
  return { used: used?.count, held: held?.count };
}

async function holdAll(
  limits: Limits,
  merchant: string,
  calls: readonly (readonly string[])[],
): Promise<void> {
  for (const orders of calls) {
    const requests = orders.map((orderId) =>
      checkOf({ orderId, subjects: subjectsOf(orderId, merchant), holdMs: 60_000 }),
    );
    const told = await limits.checkMany(requests, false, AT);
    expect(told.filter(isAllowed)).toHaveLength(orders.length);
  }
}

function isAllowed(result: ManyResult<{ readonly kind: string }>): boolean {
  return result.kind === 'answered' && result.answer.kind === 'allowed';
}

function confirmed(
  limits: Limits,
  merchant: string,
  orders: readonly string[],
): Promise<readonly ManyResult<SettlementAnswer>[]> {
  return limits.settleMany(
    orders.map((orderId) => ({
      ...orderOf(orderId, subjectsOf(orderId, merchant)),
      to: 'confirmed' as const,
    })),
    LATE,
  );
}

async function confirmAll(
  limits: Limits,
  merchant: string,
  calls: readonly (readonly string[])[],
): Promise<readonly ManyResult<SettlementAnswer>[]> {
  const results: ManyResult<SettlementAnswer>[] = [];
  for (const orders of calls) results.push(...(await confirmed(limits, merchant, orders)));
  return results;
}

/** Counts the late confirms that are counted at the merchant, and those that say that they may not be. */
function toldBy(results: readonly ManyResult<SettlementAnswer>[], merchant: string) {
  const document = `merchant:${merchant}`;
  const answers = results.flatMap((result) =>
    result.kind === 'answered' && result.answer.state !== 'rolledBack' ? [result.answer] : [],
  );
  const uncounted = answers.filter(({ uncounted = [] }) => uncounted.includes(document));
  return {
    late: answers.filter(({ late }) => late).length,
    uncounted: uncounted.length,
    counted: answers.length - uncounted.length,
  };
}

/** One whose every check sweeps what is over: which check does goes by the nonce. */
function sweeping() {
  let nonces = 0;
  return limitsOver(database.db, RULES, {
    openHoldsMax: 2_000,
    nonce: () => `h-${nonces++}`,
  });
}

describe('shares of one merchant that expired and are confirmed late', () => {
  it('are all counted where nothing has swept them', async () => {
    const [merchant, calls] = ['unswept', callsOf(MANY)];
    const limits = limitsOver(database.db, RULES, { openHoldsMax: 2_000 });
    await holdAll(limits, merchant, calls);
    const told = toldBy(await confirmAll(limits, merchant, calls), merchant);
    expect(told).toEqual({ late: MANY, uncounted: 0, counted: MANY });
    expect(await countedBy(limits, merchant)).toEqual({ used: MANY, held: 0 });
  });

  it('are counted, or their answers name the merchant, where one check has swept all of them', async () => {
    const [merchant, calls] = ['swept', callsOf(MANY)];
    const limits = limitsOver(database.db, RULES, { openHoldsMax: 2_000 });
    await holdAll(limits, merchant, calls);
    const sweep = checkOf({ orderId: 'sweeps', subjects: subjectsOf('sweeps', merchant) });
    expect(await sweeping().check(sweep, LATE)).toMatchObject({ kind: 'allowed' });
    await limits.rollback(orderOf('sweeps', sweep.subjects), LATE);
    const told = toldBy(await confirmAll(limits, merchant, calls), merchant);
    expect(told).toEqual({ late: MANY, uncounted: MANY - KEPT, counted: KEPT });
    expect(await countedBy(limits, merchant)).toEqual({ used: KEPT, held: 0 });
  });

  it('are counted, or named, where sweeps come between; and a repeat counts nothing twice', async () => {
    const [merchant, calls] = ['between', callsOf(MANY)];
    const limits = limitsOver(database.db, RULES, { openHoldsMax: 2_000 });
    await holdAll(limits, merchant, calls);
    let [late, counted] = [0, 0];
    const confirm = async (orders: readonly string[]): Promise<void> => {
      const told = toldBy(await confirmed(limits, merchant, orders), merchant);
      late += told.late;
      counted += told.counted;
    };
    for (const [sweeps, orders] of calls.entries()) {
      await confirm(halvesOf(orders)[0]);
      const orderId = `sweeps-${sweeps}`;
      const sweep = checkOf({ orderId, subjects: subjectsOf(orderId, merchant), capture: true });
      expect(await limits.check(sweep, LATE)).toMatchObject({ kind: 'allowed' });
    }
    for (const orders of calls) await confirm(halvesOf(orders)[1]);
    expect(late).toBe(MANY);
    expect(counted).toBeGreaterThan(KEPT);
    const used = counted + calls.length; // and the sweeps
    expect(await countedBy(limits, merchant)).toEqual({ used, held: 0 });
    // A payment that a repeat names may already count, but nothing counts twice.
    expect(toldBy(await confirmAll(limits, merchant, calls), merchant).late).toBe(MANY);
    expect(await countedBy(limits, merchant)).toEqual({ used, held: 0 });
  });
});

/** A year later every bucket, hold and memory of these documents is over, but for a lifetime's. */
const YEAR_LATER = new Date('2027-03-02T03:00:00.000Z');
const LIFETIMES: readonly ModelRule[] = [
  { ...USER_DAY, window: 'lifetime', max: MAX },
  { ...USER_DAY, id: 'shop', per: ['merchant'], window: 'lifetime', max: MAX },
  { ...USER_DAY, id: 'shop-usd', per: ['merchant'], currency: 'USD', max: MAX },
];

it.each([
  { kept: 1, says: { counted: 1, uncounted: 0 }, why: 'the merchant keeps it' },
  { kept: 0, says: { counted: 0, uncounted: 1 }, why: 'the merchant says that it had to go' },
])(
  'a share of a lifetime rule whose merchant is frozen for a minute after it expired is counted by a confirm a year later, or named: $why',
  async ({ kept, says }) => {
    const collection = storedCounters(database.db);
    const counters = patientCounters(collection, { outcomesMax: 1 });
    const limits = limitsOver(counters, LIFETIMES);
    const merchant = `frozen-${kept}`;
    const orders = kept === 1 ? ['o-1'] : ['o-1', 'o-2'];
    for (const order of orders) await holdAll(limits, merchant, [[order]]);
    const subjects = subjectsOf('usd', merchant);
    const usd = checkOf({ orderId: 'usd', currency: 'USD', capture: true, subjects });
    await limits.check(usd, LATE); // sweeps what expired: the oldest share is kept, or has to go
    const until = new Date(LATE.getTime() + 60_000);
    const by = { kind: 'local', id: 'local' } as const;
    const freeze = { reason: 'a check of the shop', at: LATE, by, until };
    const frozen = { expected: undefined, terms: { version: 'v-1', overrides: [], freeze } };
    expect(await counters.changeTerms(`merchant:${merchant}`, frozen, LATE)).toBe(true);
    await collection.deleteMany({ expireAt: { $lte: YEAR_LATER } }); // as the TTL index does
    await limits.check({ ...usd, orderId: 'anew' }, YEAR_LATER);
    const [first = ''] = orders;
    const told = await confirmed(limits, merchant, [first]);
    expect(toldBy(told, merchant)).toEqual({ late: 1, ...says });
    expect(await countedBy(limits, merchant)).toEqual({ used: says.counted, held: 0 });
  },
);
