import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { AUDIT } from '../../lib/store/mongo-audit-store.ts';
import { CHAINS } from '../../lib/store/audit-chain.ts';
import type { CounterDocument } from '../../lib/store/mongo-counter-store.ts';
import { COUNTERS } from '../../lib/store/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/store/mongo-counters.ts';
import { REFUNDS } from '../../lib/store/mongo-refund-store.ts';
import { auditOver } from '../support/audit-fixture.ts';
import { makeIndexes, useDatabase } from '../support/database.ts';
import { SEED, someOf, times } from '../support/extent.ts';
import type { ChosenLanes } from '../support/lanes.ts';
import { chosenLanes, lanesFor } from '../support/lanes.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { WITH_REFUNDS, WITHOUT_REFUNDS, storyArbitrary } from './story.ts';
import type { Story } from './story.ts';
import type { Tally } from './teller.ts';
import { Teller } from './teller.ts';

const database = useDatabase();

const STORIES = times('crashStories');

/** How many show that stories meet what they should. */
const TOLD = times('crashTally');

/** What stories must meet, or they show little. */
const WORTH_MEETING = [
  ...['check', 'checks', 'confirm', 'rollback', 'events'].flatMap((name) => [name, `${name} cut`]),
  ...['allowed', 'refused', 'confirmed', 'rolledBack'],
];

describe('stories of crashes, of duplicates, and of events in any order', () => {
  it('never exceed a maximum, and leave each order with the one outcome that was told, on the database', async () => {
    let collections = 0;
    await fc.assert(
      fc.asyncProperty(
        storyArbitrary(WITHOUT_REFUNDS, 30, 60),
        chosenLanes,
        async (story, chosen) => {
          collections += 1;
          const collection = database.db.collection<{ _id: string }>(`story-${collections}`);
          const counters = mongoCounters(collection, { lanes: lanesFor(chosen) });
          await new Teller(story, { counters }).tell();
          await collection.drop();
        },
      ),
      { numRuns: STORIES, seed: SEED },
    );
  });

  // Shorter ones too: what fails here shrinks to a story of a few steps.
  it('never exceed a maximum, and leave each order with the one outcome that was told, in mingo', async () => {
    await fc.assert(
      fc.asyncProperty(storyArbitrary(WITHOUT_REFUNDS, 1, 60), chosenLanes, (story, chosen) =>
        new Teller(story, { counters: mingoStore({ lanes: lanesFor(chosen) }) }).tell(),
      ),
      { numRuns: 2 * STORIES, seed: SEED },
    );
  });

  it('meet everything often enough to be worth telling', async () => {
    const tally: Tally = new Map();
    for (const story of fc.sample(storyArbitrary(WITHOUT_REFUNDS, 30, 60), {
      numRuns: TOLD,
      seed: 20260302,
    }))
      await new Teller(story, { counters: mingoStore() }, tally).tell();
    const rare = WORTH_MEETING.filter((name) => (tally.get(name) ?? 0) < TOLD / 4);
    expect(rare, JSON.stringify(Object.fromEntries(tally))).toEqual([]);
  });
});

const WORTH_REFUNDING = [
  ...['refund', 'refund cut', 'refunded', 'refunded again', 'NOT_CONFIRMED', 'NOT_FOUND'],
  ...['REFUND_TOO_LARGE', 'REFUND_REUSED', 'ALREADY_ROLLED_BACK'],
];

beforeAll(() => makeIndexes(database.db));

describe.each(someOf('crashModes', ['session', 'best-effort'] as const))(
  'stories with refunds, AUDIT=%s',
  (mode) => {
    /** Tells a story where there is nothing of another one. */
    async function tell(story: Story, chosen: ChosenLanes, tally?: Tally): Promise<void> {
      for (const name of [COUNTERS, AUDIT, CHAINS, REFUNDS])
        await database.db.collection(name).deleteMany({});
      const lanes = lanesFor(chosen);
      const collection = database.db.collection<CounterDocument>(COUNTERS);
      const counters = mongoCounters(collection, { lanes });
      await new Teller(
        story,
        { counters, audit: auditOver(database.db, mode, { lanes }) },
        tally,
      ).tell();
    }

    it('give back no more than was counted, each once, and leave what was confirmed less what was refunded', async () => {
      await fc.assert(
        fc.asyncProperty(storyArbitrary(WITH_REFUNDS, 30, 60), chosenLanes, (story, chosen) =>
          tell(story, chosen),
        ),
        { numRuns: Math.ceil(STORIES / 2), seed: SEED },
      );
    });

    it('meet everything often enough to be worth telling', async () => {
      const tally: Tally = new Map();
      const arbitrary = storyArbitrary(WITH_REFUNDS, 30, 60);
      for (const story of fc.sample(arbitrary, { numRuns: TOLD, seed: 20260302 }))
        await tell(story, 'learning', tally);
      const rare = WORTH_REFUNDING.filter((name) => (tally.get(name) ?? 0) < TOLD / 4);
      expect(rare, JSON.stringify(Object.fromEntries(tally))).toEqual([]);
    });
  },
);
