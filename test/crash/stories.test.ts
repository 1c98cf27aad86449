import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mongoCounterStore } from '../../lib/store/mongo-counter-store.ts';
import { useDatabase } from '../support/database.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { storyArbitrary } from './story.ts';
import type { Tally } from './teller.ts';
import { Teller } from './teller.ts';

const database = useDatabase();

/** STORY_SEED repeats a run; STORIES tells more. */
const seed = Number(process.env.STORY_SEED ?? randomInt(2 ** 31));
const stories = Number(process.env.STORIES ?? 8);

process.stdout.write(`stories: STORY_SEED=${seed} STORIES=${stories}\n`);

/** What a run of so many stories must have met, or it has shown little. */
function expectWorth(tally: Tally): void {
  const names = ['check', 'checks', 'confirm', 'rollback', 'events'].flatMap((name) => [
    name,
    `${name} cut`,
  ]);
  const rare = [...names, 'allowed', 'refused', 'confirmed', 'rolledBack'].filter(
    (name) => (tally.get(name) ?? 0) < 2,
  );
  expect(rare, JSON.stringify(Object.fromEntries(tally))).toEqual([]);
}

describe('stories of crashes, of duplicates, and of events in any order', () => {
  it('never exceed a maximum, and leave each order with the one outcome that was told, on the database', async () => {
    const tally: Tally = new Map();
    let collections = 0;
    await fc.assert(
      fc.asyncProperty(storyArbitrary(30, 60), async (story) => {
        collections += 1;
        const collection = database.db.collection<{ _id: string }>(`story-${collections}`);
        await new Teller(story, mongoCounterStore(collection), tally).tell();
        await collection.drop();
      }),
      { numRuns: stories, seed },
    );
    expectWorth(tally);
  }, 600_000);

  // Shorter ones too: what fails here shrinks to a story of a few steps.
  it('never exceed a maximum, and leave each order with the one outcome that was told, in mingo', async () => {
    const tally: Tally = new Map();
    await fc.assert(
      fc.asyncProperty(storyArbitrary(1, 60), (story) =>
        new Teller(story, mingoStore(), tally).tell(),
      ),
      { numRuns: 2 * stories, seed },
    );
    expectWorth(tally);
  }, 600_000);
});
