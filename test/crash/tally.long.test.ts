import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';
import { FIXED_SEED, times } from '../support/extent.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { REFUND_MODES, tellRefunds } from './refund-stories.ts';
import { WITH_REFUNDS, WITHOUT_REFUNDS, storyArbitrary } from './story.ts';
import type { Tally } from './teller.ts';
import { Teller } from './teller.ts';

const database = useDatabase({ withIndexes: true });

/** How many show that stories meet what they should. */
const TOLD = times('crashTally');

/** What stories must meet, or they show little. */
const WORTH_MEETING = [
  ...['check', 'checks', 'confirm', 'rollback', 'events'].flatMap((name) => [name, `${name} cut`]),
  ...['allowed', 'refused', 'confirmed', 'rolledBack'],
];
const WORTH_REFUNDING = [
  ...['refund', 'refund cut', 'refunded', 'refunded again', 'NOT_CONFIRMED', 'NOT_FOUND'],
  ...['REFUND_TOO_LARGE', 'REFUND_REUSED', 'ALREADY_ROLLED_BACK'],
];

/** The events that fewer than a quarter of the stories met. */
function rareOf(worth: readonly string[], tally: Tally): readonly string[] {
  return worth.filter((name) => (tally.get(name) ?? 0) < TOLD / 4);
}

describe('stories of crashes meet everything often enough to be worth telling', () => {
  it('without refunds', async () => {
    const tally: Tally = new Map();
    const arbitrary = storyArbitrary(WITHOUT_REFUNDS, 30, 60);
    for (const story of fc.sample(arbitrary, { numRuns: TOLD, seed: FIXED_SEED }))
      await new Teller(story, { counters: mingoStore() }, tally).tell();
    expect(rareOf(WORTH_MEETING, tally), JSON.stringify(Object.fromEntries(tally))).toEqual([]);
  });

  it.each(REFUND_MODES)('with refunds, AUDIT=%s', async (mode) => {
    const tally: Tally = new Map();
    const arbitrary = storyArbitrary(WITH_REFUNDS, 30, 60);
    for (const story of fc.sample(arbitrary, { numRuns: TOLD, seed: FIXED_SEED }))
      await tellRefunds(database.db, mode, story, 'learning', tally);
    expect(rareOf(WORTH_REFUNDING, tally), JSON.stringify(Object.fromEntries(tally))).toEqual([]);
  });
});
