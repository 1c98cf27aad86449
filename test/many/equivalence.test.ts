import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patientCounters } from '../support/patient-counters.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import type { ModelRule } from '../model/model-types.ts';
import type { Walk } from '../model/walk.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { serviceUnderTest } from '../support/service-under-test.ts';
import { comparable, decidedInTurn, expectSame, whatCounts } from './same-as-one-by-one.ts';

const database = useDatabase();

const WALKS = times('manyWalks');

const everything = (
  documents: Iterable<Record<string, unknown>>,
): Iterable<Record<string, unknown>> => documents;

/** `$max` of a missing field and an instant is the instant by MongoDB's manual, and null in mingo. */
function withoutEnd({ documents }: ReturnType<typeof mingoStore>): Record<string, unknown>[] {
  return [...documents.values()].map((document) => ({ ...document, expireAt: 'not compared' }));
}

/**
 * A counter of rules on trial that is exact, or of different values, has room for some orders only. One that is given back in the
 * same call takes room there from those after it: they are left out, which no answer depends on.
 */
function withoutExactTrials(walk: Walk): Walk {
  const isExactTrial = ({ mode, window, distinct }: ModelRule): boolean => {
    const isExact = typeof window === 'object' && 'stepMs' in window && window.stepMs === 'exact';
    return mode === 'shadow' && (isExact || distinct !== undefined);
  };
  return { ...walk, rules: walk.rules.filter((rule) => !isExactTrial(rule)) };
}

const asWalked = (walk: Walk): Walk => walk;

const WAYS = [
  { documents: 'one', compare: comparable, shown: everything, of: asWalked },
  {
    documents: 'several',
    compare: decidedInTurn,
    shown: whatCounts,
    of: withoutExactTrials,
  },
] as const;

describe.each(WAYS)(
  'many orders over $documents document(s)',
  ({ documents, compare, shown, of }) => {
    it('get the same as one by one, and leave the same, on the database', async () => {
      let collections = 0;
      await fc.assert(
        fc.asyncProperty(walkArbitrary(documents, 40, 60), async (walk) => {
          collections += 1;
          const name = `many-${documents}-${collections}`;
          const [many, one] = ['many', 'one'].map((way) =>
            database.db.collection<{ _id: string }>(`${name}-${way}`),
          );
          if (many === undefined || one === undefined) throw new Error('there are two ways');
          await expectSame(
            of(walk),
            serviceUnderTest(patientCounters(many), walk),
            serviceUnderTest(patientCounters(one), walk),
            async (now) => ({
              many: shown(await many.find({}, { promoteLongs: false }).toArray(), now),
              one: shown(await one.find({}, { promoteLongs: false }).toArray(), now),
            }),
            compare,
          );
          await many.drop().catch(() => undefined);
          await one.drop().catch(() => undefined);
        }),
        { numRuns: WALKS, seed: SEED, endOnFailure: true },
      );
    });

    it('get the same as one by one, and leave the same, in mingo', async () => {
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(walkArbitrary(documents, 5, 60), async (walk) => {
          const [many, one] = [mingoStore(), mingoStore()];
          answered += await expectSame(
            of(walk),
            serviceUnderTest(many, walk),
            serviceUnderTest(one, walk),
            (now) =>
              Promise.resolve({
                many: shown(withoutEnd(many), now),
                one: shown(withoutEnd(one), now),
              }),
            compare,
          );
        }),
        { numRuns: WALKS, seed: SEED, endOnFailure: true },
      );
      expect(answered).toBeGreaterThan(WALKS);
    });
  },
);
