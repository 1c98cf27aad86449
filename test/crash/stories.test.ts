import fc from 'fast-check';
import { describe, it } from 'vitest';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { SEED, someOf, times } from '../support/extent.ts';
import { chosenLanes, lanesFor } from '../support/lanes.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { REFUND_MODES, tellRefunds } from './refund-stories.ts';
import { WITH_REFUNDS, WITHOUT_REFUNDS, storyArbitrary } from './story.ts';
import { Teller } from './teller.ts';

const database = useDatabase({ withIndexes: true });

const STORIES = times('crashStories');

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
          const counters = patientCounters(collection, { lanes: lanesFor(chosen) });
          await new Teller(story, { counters }).tell();
          await collection.drop();
        },
      ),
      { numRuns: STORIES, seed: SEED },
    );
  });

  // Shorter ones too: what fails here shrinks to a story of a few steps.
  it.each([
    { ofPairs: false, where: 'in mingo' },
    {
      ofPairs: true,
      where: 'in mingo, also where a user and the merchant have a document together',
    },
  ])(
    'never exceed a maximum, and leave each order with the one outcome that was told, $where',
    async ({ ofPairs }) => {
      await fc.assert(
        fc.asyncProperty(storyArbitrary(WITHOUT_REFUNDS, 1, 60), chosenLanes, (story, chosen) => {
          const counters = mingoStore({ lanes: lanesFor(chosen) });
          return new Teller(story, { counters, ofPairs }).tell();
        }),
        { numRuns: 2 * STORIES, seed: SEED },
      );
    },
  );

  it.each(someOf('crashModes', REFUND_MODES))(
    'give back no more than was counted, each once, and leave what was confirmed less what was refunded, AUDIT=%s',
    async (mode) => {
      await fc.assert(
        fc.asyncProperty(storyArbitrary(WITH_REFUNDS, 30, 60), chosenLanes, (story, chosen) =>
          tellRefunds(database.db, mode, story, chosen),
        ),
        { numRuns: Math.ceil(STORIES / 2), seed: SEED },
      );
    },
  );
});
