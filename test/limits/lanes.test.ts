import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../lib/limits/counter-store.ts';
import type { Lane, Lanes } from '../../lib/limits/document/statements.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { USER_DAY, checkOf, limitsOver } from '../support/limits-fixture.ts';
import { mingoStore } from '../support/mingo-store.ts';

const database = useDatabase();

const NOON = new Date('2026-03-02T12:00:00.000Z');
const SUBJECTS = { user: 'u-1' };

/** One payment, of whatever currency. */
const ONCE = {
  id: 'once',
  per: ['user'] as [string],
  mode: 'enforce' as const,
  max: { count: 1 },
  window: 'lifetime' as const,
  match: { type: 'ONCE' },
};

const ENGINES: readonly {
  readonly engine: string;
  readonly over: (lanes: Lanes) => CounterStore;
}[] = [
  {
    engine: 'on the database',
    over: (lanes) => patientCounters(database.db.collection<{ _id: string }>('lanes'), { lanes }),
  },
  { engine: 'in mingo', over: (lanes) => mingoStore({ lanes }) },
];

describe.each(ENGINES)(
  'a counter without currency that the plain lane was the first to enter, $engine',
  ({ over }) => {
    it('is full for the general lane, too', async () => {
      let lane: Lane = 'general';
      const decidedBy: Lane[] = [];
      const counters = over({
        takesPlain: () => lane === 'plain',
        learn: () => undefined,
        note: (one) => decidedBy.push(one),
      });
      const limits = limitsOver(database.db, [USER_DAY, ONCE], { counters });
      const order = (orderId: string) => checkOf({ orderId, subjects: SUBJECTS, type: 'ONCE' });
      await limits.check(checkOf({ orderId: 'other', subjects: SUBJECTS }), NOON);
      lane = 'plain';
      expect(await limits.check(order('first'), NOON)).toMatchObject({ kind: 'allowed' });
      lane = 'general';
      expect(await limits.check(order('second'), NOON)).toMatchObject({ kind: 'refused' });
      expect(decidedBy).toEqual(['general', 'plain', 'general']);
    });
  },
);
