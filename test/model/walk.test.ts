import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { mingoStore } from '../support/mingo-store.ts';
import type { ServiceUnderTest } from '../support/service-under-test.ts';
import { libCheck, serviceUnderTest } from '../support/service-under-test.ts';
import { walkArbitrary } from './arbitraries.ts';
import type { LimitsUnderTest, ModelCheck, ModelCheckAnswer } from './model-types.ts';
import type { Walk } from './walk.ts';
import { modelOf, playWalk } from './walk.ts';

const database = useDatabase();

/** Every phrase is at least one step, so these are the steps of a walk on the database, at least. */
const STEPS_MIN = 60;

/** Before every check, asks what would happen: the planned answer, by the same service. */
function planning(service: ServiceUnderTest): LimitsUnderTest {
  const planned = async (request: ModelCheck, now: Date): Promise<string> => {
    try {
      const answer = await service.limits.check({ ...libCheck(request), dryRun: true }, now);
      return answer.kind;
    } catch {
      return 'error';
    }
  };
  return {
    ...service,
    async check(request, now): Promise<ModelCheckAnswer> {
      const plan = await planned(request, now);
      const answer = await service.check(request, now);
      const decided = ['allowed', 'refused'].includes(answer.kind) ? answer.kind : 'error';
      expect(plan, 'the planned answer').toBe(decided);
      return answer;
    },
  };
}

async function walkOver(walk: Walk, counters: CounterStore): Promise<void> {
  const service = serviceUnderTest(counters, walk);
  await service.useRules(walk.rules);
  await playWalk(walk, planning(service), modelOf(walk));
}

describe.each(['one', 'several'] as const)('walks over %s document(s)', (documents) => {
  it('give the same answers by the naive model, by the plan and by the database', async () => {
    let collections = 0;
    await fc.assert(
      fc.asyncProperty(walkArbitrary(documents, STEPS_MIN, STEPS_MIN), async (walk) => {
        collections += 1;
        const collection = database.db.collection<{ _id: string }>(
          `walk-${documents}-${collections}`,
        );
        await walkOver(walk, patientCounters(collection));
        await collection.drop();
      }),
      { numRuns: times('walks'), seed: SEED },
    );
  });

  // Shorter ones too: what fails here shrinks to a story of a few steps.
  it('give the same answers in mingo', async () => {
    await fc.assert(
      fc.asyncProperty(walkArbitrary(documents), (walk) => walkOver(walk, mingoStore())),
      { numRuns: times('walks'), seed: SEED },
    );
  });
});
