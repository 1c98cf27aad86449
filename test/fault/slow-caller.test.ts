import { beforeAll, describe, expect, it } from 'vitest';
import type { Limits } from '../../lib/edge/limits.ts';
import { useDatabase } from '../support/database.ts';
import { someOf } from '../support/extent.ts';
import { limitsOver } from '../support/limits-fixture.ts';
import { fewAtATime, standingStill, startSlowWay } from '../support/broken-way.ts';
import type { Act, Sums } from '../support/broken-orders.ts';
import {
  CAPTURE,
  CHECK,
  CONFIRM,
  copyTemplate,
  counted,
  HELD,
  NOTHING,
  perform,
  prepareTemplate,
  ROLLBACK,
  rulesOf,
  subjectsOf,
  USED,
} from '../support/broken-orders.ts';

/** What another caller does with the order while the first stands still, and what is counted in the end. */
const ROWS: readonly {
  readonly slow: Act;
  readonly meanwhile: readonly Act[];
  /** Whether the other caller rolls back by its reservation once the first has ended. */
  readonly thenRollsBack?: true;
  readonly after: Sums;
  readonly why: string;
}[] = [
  { slow: CHECK, meanwhile: [CHECK], after: HELD, why: 'both asked for one hold' },
  { slow: CHECK, meanwhile: [CHECK], thenRollsBack: true, after: NOTHING, why: 'one hold is one' },
  { slow: CHECK, meanwhile: [CHECK, CONFIRM], after: USED, why: 'the payment happened' },
  { slow: CHECK, meanwhile: [CHECK, ROLLBACK], after: NOTHING, why: 'the payment did not happen' },
  { slow: CAPTURE, meanwhile: [CAPTURE, ROLLBACK], after: USED, why: 'it is counted by then' },
  { slow: CHECK, meanwhile: [CHECK, CONFIRM, CONFIRM], after: USED, why: 'it happened once' },
  { slow: CAPTURE, meanwhile: [CAPTURE], after: USED, why: 'both asked to count it once' },
  { slow: CONFIRM, meanwhile: [CONFIRM], after: USED, why: 'both say that it happened' },
  { slow: ROLLBACK, meanwhile: [ROLLBACK], after: NOTHING, why: 'both say that it did not happen' },
];

const database = useDatabase();
beforeAll(() => prepareTemplate(database.db, true));

/** Lets a caller stand still before its n-th request; tells whether it came so far. */
async function play(row: (typeof ROWS)[number], name: string, before: number) {
  const subjects = subjectsOf(name, true);
  await copyTemplate(database.db, name);
  const others = limitsOver(database.db, rulesOf({}, true));
  if (row.slow.call !== 'check') await perform(others, CHECK, subjects);
  const call = (limits: Limits, act: Act) => perform(limits, act, subjects);
  const way = await startSlowWay(database.db, rulesOf({}, true));
  const answers: unknown[] = [];
  const stands = await standingStill(
    way,
    before,
    () => call(way.limits, row.slow),
    async () => {
      for (const act of row.meanwhile) answers.push(await call(others, act));
    },
  );
  const [first] = answers;
  if (row.thenRollsBack && typeof first === 'object' && first !== null && 'reservation' in first)
    await call(others, { call: 'rollback', reservation: String(first.reservation) });
  const sums = await counted(others, subjects);
  await way.stop();
  return { stands, sums };
}

describe('a caller that stands still between two steps of its call while another one acts', () => {
  it.concurrent.each(ROWS)('$slow.call: $meanwhile: $why', async (row) => {
    const names = `slow-${ROWS.indexOf(row)}`;
    let steps = 0;
    // Every call comes to its first request.
    const moments = [0, ...someOf('standsStill', [1, 2, 3, 4, 5, 6, 7], ROWS.indexOf(row))];
    await fewAtATime(moments, 4, async (before) => {
      const { stands, sums } = await play(row, `${names}-${before}`, before);
      if (stands) steps += 1;
      expect({ before, sums }).toEqual({ before, sums: [row.after, row.after] });
    });
    expect(steps).toBeGreaterThan(0);
  });
});
