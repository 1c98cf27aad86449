import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { someOf, times } from '../support/extent.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import { fewAtATime, standingStill, startSlowWay } from '../support/broken-way.ts';
import type { ManyAct, SumsOfAll } from './many-rows.ts';
import {
  checkIn,
  copySubjects,
  countedOfAll,
  MANY_RULES,
  performMany,
  THREE,
  THREE_HELD,
} from './many-rows.ts';
import { HELD, NOTHING, prepareTemplate, USED, withShares } from '../support/broken-orders.ts';

const ONE: ManyAct = { call: 'checks', orders: ['o-2'], atomic: false };
const end = (to: 'confirmed' | 'rolledBack'): ManyAct => ({
  call: 'settlements',
  ends: { 'o-2': to },
});

/** Of three that were held: o-2 is given back, or used. */
const [TWICE] = THREE_HELD;
const IS_BACK: SumsOfAll = [TWICE, NOTHING, HELD];
const IS_USED: SumsOfAll = [TWICE, USED, withShares(USED, 1)];

/** What another caller does while the first, who asks for three orders, stands still. */
const ROWS: readonly {
  readonly meanwhile: readonly ManyAct[];
  readonly after: SumsOfAll;
  readonly why: string;
}[] = [
  { meanwhile: [THREE], after: THREE_HELD, why: 'both asked for the same holds' },
  { meanwhile: [ONE], after: THREE_HELD, why: 'both asked for one of the holds' },
  { meanwhile: [ONE, end('confirmed')], after: IS_USED, why: 'one payment happened' },
  { meanwhile: [ONE, end('rolledBack')], after: IS_BACK, why: 'one payment did not happen' },
];

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true));

/** Lets a caller stand still before its n-th request; tells whether it came so far. */
async function play(row: (typeof ROWS)[number], name: string, before: number) {
  await copySubjects(database.db, name);
  const others = limitsOver(database.db, MANY_RULES);
  const way = await startSlowWay(database.db, MANY_RULES);
  const stands = await standingStill(
    way,
    before,
    () => performMany(way.limits, THREE, name),
    async () => {
      for (const act of row.meanwhile) await performMany(others, act, name);
    },
  );
  const { after } = await countedOfAll(others, name, []);
  await way.stop();
  return { stands, after };
}

describe('a caller of many that stands still between two steps while another one acts', () => {
  it.concurrent.each(ROWS)('$meanwhile: each order is counted once, for $why', async (row) => {
    let steps = 0;
    // Every call comes to its first request.
    const moments = [0, ...someOf('manyStandStill', [1, 2, 3, 4, 5, 6, 7], ROWS.indexOf(row))];
    await fewAtATime(moments, 4, async (before) => {
      const name = `slow-many-${ROWS.indexOf(row)}-${before}`;
      const { stands, after } = await play(row, name, before);
      if (stands) steps += 1;
      expect({ before, after }).toEqual({ before, after: row.after });
    });
    expect(steps).toBeGreaterThan(0);
  });
});

describe('atomic calls that contend', () => {
  const ROUNDS = times('contended');
  const CALLERS = 8;

  it('are each all or nothing, and together never exceed a maximum', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const name = `contended-${round}`;
      await copySubjects(database.db, name);
      const limits = limitsOver(database.db, MANY_RULES);
      // Of 8.00 the merchant has 6.50 left: one call of two orders of 3.00 fits.
      const calls = Array.from({ length: CALLERS }, async (_, caller) => {
        const orders = (['o-1', 'o-2', 'o-3'] as const).map((order) => ({
          ...checkIn(name, order),
          appId: `caller-${caller}`,
        }));
        const turn = caller % 2 === 0 ? orders : orders.reverse();
        const results = await limits.checkMany(turn, true);
        return results.map((result) => result.kind === 'answered' && result.answer.kind);
      });
      const answers = await Promise.all(calls);
      const whole = answers.filter((one) => one.every((kind) => kind === 'allowed'));
      const partly = answers.filter((one) => one.includes('allowed')).length - whole.length;
      expect({ round, partly }).toEqual({ round, partly: 0 });
      expect(whole.length).toBeLessThanOrEqual(1);
      const { after } = await countedOfAll(limits, name, []);
      const held = (base: number, each: number) => 50 + base * each * whole.length;
      expect(after).toMatchObject([
        { held: { amountMinor: held(300, 2) } },
        { held: { amountMinor: held(300, 1) } },
        { held: { amountMinor: held(300, 2) } },
      ]);
    }
  });
});
