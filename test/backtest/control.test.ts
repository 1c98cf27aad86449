import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { walkArbitrary } from '../model/arbitraries.ts';
import { SEED, times } from '../support/extent.ts';
import { controlOf } from './control-of.ts';
import { pastOf, playedPast } from './played-past.ts';

describe('a replay under the rules of the time', () => {
  it.each(['one', 'several'] as const)(
    'decides as the library did, of %s documents',
    async (documents) => {
      await fc.assert(
        fc.asyncProperty(walkArbitrary(documents), async (walk) => {
          const { differences, explained } = await controlOf(pastOf(await playedPast(walk)));
          expect([...differences, ...explained]).toEqual([]);
        }),
        { numRuns: times('replayedPasts'), seed: SEED },
      );
    },
    600_000,
  );
});
