import { expect, it } from 'vitest';
import type { CounterDocument } from '../../lib/store/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/store/mongo-counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import type { Lane } from '../../lib/store/lanes.ts';
import { learningLanes } from '../../lib/store/lanes.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { checkOf, limitsOver, USER_DAY } from '../support/limits-fixture.ts';

const database = useDatabase();
const SUBJECTS = { user: 'plain', merchant: 'plain' };

it("decides every ordinary call by the database's own clock, where the indexes of a deployment are", async () => {
  await makeIndexes(database.db);
  const lanes: Lane[] = [];
  const counters = patientCounters(database.db.collection<CounterDocument>(COUNTERS), {
    lanes: learningLanes((lane) => lanes.push(lane)),
  });
  const rules = (['user', 'merchant'] as const).map((kind) => ({
    ...USER_DAY,
    id: kind,
    per: [kind] as [string],
    window: 'lifetime' as const,
    max: { amount: 999 }, // no end of a window is ever near
  }));
  const limits = limitsOver(database.db, rules, { counters });
  const decidedBy = async <T>(call: () => Promise<T>): Promise<T> => {
    lanes.length = 0;
    return call();
  };
  const order = (orderId: string) => checkOf({ orderId, subjects: SUBJECTS });

  await decidedBy(() => limits.check(order('o-1')));
  expect(lanes).toEqual(['general', 'general']); // the documents are new
  const second = await decidedBy(() => limits.check(order('o-2')));
  expect(lanes).toEqual(['plain', 'plain']);
  if (second.kind !== 'allowed' || second.reservation === undefined)
    throw new Error('the order has room');
  const whereabouts = { kind: 'reservation', token: second.reservation } as const;
  await decidedBy(() => limits.confirm({ appId: 'default', orderId: 'o-2', whereabouts }));
  expect(lanes).toEqual(['plain', 'plain']);
});
