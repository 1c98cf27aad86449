import { beforeAll, describe, expect, it } from 'vitest';
import type { Lane } from '../../lib/limits/document/statements.ts';
import { learningLanes } from '../../lib/limits/document/statements.ts';
import { COUNTERS } from '../../lib/limits/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import {
  USER_DAY,
  checkOf,
  limitsOver,
  reservationOf,
  byReservation,
} from '../support/limits-fixture.ts';

const database = useDatabase();

const A_WEEK = { ...USER_DAY, window: { rollingMs: 604_800_000, stepMs: 86_400_000 } };

/** Every call below goes by the database's own clock, over a collection with its indexes. */
describe('by the clock of a database with its indexes, the ordinary call is one plain update', () => {
  beforeAll(async () => {
    await makeIndexes(database.db);
  });

  it.each([
    { what: 'a calendar window', rule: USER_DAY },
    { what: 'a rolling window', rule: A_WEEK },
  ])('$what: check and confirm, once the document is there', async ({ rule, what }) => {
    const taken: Lane[] = [];
    const lanes = learningLanes((lane) => taken.push(lane));
    const counters = patientCounters(database.db.collection(COUNTERS), { lanes });
    const limits = limitsOver(database.db, [rule], { counters });
    const user = what.replaceAll(' ', '-');
    for (const orderId of ['first', 'second']) {
      const checked = await limits.check(checkOf({ orderId, subjects: { user } }));
      await limits.confirm(byReservation(orderId, reservationOf(checked)));
    }
    expect(taken).toEqual(['general', 'plain', 'plain', 'plain']);
  });
});
