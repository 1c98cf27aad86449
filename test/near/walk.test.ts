import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NEVER } from '../../lib/shared/bounds.ts';
import type { NearTold } from '../../lib/near/near.ts';
import { mongoNearStore, nearCollection } from '../../lib/near/mongo-near-store.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import { LimitModel, modelUnderTest, settingsOf } from '../model/limit-model.ts';
import type { LimitsUnderTest } from '../model/model-types.ts';
import { NearModel } from '../model/near-model.ts';
import type { Walk } from '../model/walk.ts';
import { playWalk } from '../model/walk.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, times } from '../support/extent.ts';
import { chosenLanes, lanesFor } from '../support/lanes.ts';
import type { ChosenLanes } from '../support/lanes.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { serviceUnderTest } from '../support/service-under-test.ts';
import { listed } from './fixture.ts';
import { PATIENCE_MS } from '../support/patient-counters.ts';

const database = useDatabase({ withIndexes: true });

const tally = { crossings: 0, rows: 0 };

/** Plays a walk by the service and by the naive model, and holds what each call tells to the other. */
async function walkOver(walk: Walk, chosen: ChosenLanes): Promise<void> {
  await nearCollection(database.db).deleteMany({});
  const told: string[] = [];
  const store = mongoNearStore(database.db, PATIENCE_MS, PATIENCE_MS);
  const near = {
    store: {
      ...store,
      note(...asked: Parameters<typeof store.note>) {
        tally.crossings += 1;
        return store.note(...asked);
      },
    },
    publish: (news: readonly NearTold[]) => {
      for (const { row, percents } of news)
        for (const percent of percents)
          told.push(`${row.ruleId} ${JSON.stringify(row.subjects)} ${percent}`);
      return Promise.resolve();
    },
    onLost: (error: unknown) => {
      throw error instanceof Error ? error : new Error(String(error));
    },
    waitMs: PATIENCE_MS,
  };
  const service = serviceUnderTest(mingoStore({ lanes: lanesFor(chosen) }), walk, { near });
  await service.useRules(walk.rules);
  const model = new LimitModel(walk.rules, settingsOf(walk));
  const keeper = new NearModel(model);
  const compared = async (now: Date): Promise<void> => {
    expect(told.splice(0).sort()).toEqual(keeper.events.splice(0).sort());
    const rows = (await listed(database.db, now)).map(
      ({ rule, subjects, percent, until }) =>
        `${rule} ${JSON.stringify(subjects)} ${percent} until ${until < NEVER ? until.getTime() : Infinity}`,
    );
    tally.rows += rows.length;
    expect(rows.sort()).toEqual(keeper.rows(now));
  };
  // Whether answers are the same is for test/model/walk.test.ts to say: here each is taken for the other.
  const wanted: { answer?: unknown } = {};
  const noted = keeper.telling(modelUnderTest(model));
  const expected: LimitsUnderTest = {
    ...noted,
    check: async (...asked) => (wanted.answer = await noted.check(...asked)),
    confirm: async (...asked) => (wanted.answer = await noted.confirm(...asked)),
    rollback: async (...asked) => (wanted.answer = await noted.rollback(...asked)),
    record: async (...asked) => (wanted.answer = await noted.record(...asked)),
  };
  const then = async (answer: Promise<{ readonly kind: string }>, now: Date): Promise<never> => {
    const { kind } = await answer;
    expect(kind).toBe((wanted.answer as { readonly kind: string }).kind); // that of the model
    await compared(now);
    return wanted.answer as never; // it was answered to this very call
  };
  const actual: LimitsUnderTest = {
    ...service,
    check: (request, now) => then(service.check(request, now), now),
    confirm: (request, now) => then(service.confirm(request, now), now),
    rollback: (request, now) => then(service.rollback(request, now), now),
    record: (request, now) => then(service.record(request, now), now),
  };
  await playWalk(walk, actual, expected);
}

describe.each(['one', 'several'] as const)('walks over %s document(s)', (documents) => {
  it('tell each part of each maximum as the naive model does, and list the same rows', async () => {
    await fc.assert(fc.asyncProperty(walkArbitrary(documents), chosenLanes, walkOver), {
      numRuns: times('nearWalks'),
      seed: SEED,
    });
    expect(tally.crossings).toBeGreaterThan(10);
    expect(tally.rows).toBeGreaterThan(30);
  });
});
