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

/** What stories must meet, or they show little. */
const WORTH_MEETING = [
  ...['check', 'checks', 'confirm', 'rollback', 'events'].flatMap((name) => [name, `${name} cut`]),
  ...['allowed', 'refused', 'confirmed', 'rolledBack'],
];

describe('stories of crashes, of duplicates, and of events in any order', () => {
  it('never exceed a maximum, and leave each order with the one outcome that was told, on the database', async () => {
    let collections = 0;
    await fc.assert(
      fc.asyncProperty(storyArbitrary(30, 60), async (story) => {
        collections += 1;
        const collection = database.db.collection<{ _id: string }>(`story-${collections}`);
        await new Teller(story, mongoCounterStore(collection)).tell();
        await collection.drop();
      }),
      { numRuns: stories, seed },
    );
  }, 600_000);

  // Shorter ones too: what fails here shrinks to a story of a few steps.
  it('never exceed a maximum, and leave each order with the one outcome that was told, in mingo', async () => {
    await fc.assert(
      fc.asyncProperty(storyArbitrary(1, 60), (story) => new Teller(story, mingoStore()).tell()),
      { numRuns: 2 * stories, seed },
    );
  }, 600_000);

  it('meet everything often enough to be worth telling', async () => {
    const tally: Tally = new Map();
    for (const story of fc.sample(storyArbitrary(30, 60), { numRuns: 8, seed: 20260302 }))
      await new Teller(story, mingoStore(), tally).tell();
    const rare = WORTH_MEETING.filter((name) => (tally.get(name) ?? 0) < 5);
    expect(rare, JSON.stringify(Object.fromEntries(tally))).toEqual([]);
  }, 60_000);
});
