import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import { isSameVerdict, verdictIn } from '../../lib/backtest/verdict.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import { SEED, times } from '../support/extent.ts';
import { pastOf, playedPast } from './played-past.ts';

const NOBODY = {
  draft: wholeDraft([]),
  from: new Date(0),
  freed: 'unpaid',
  documentsMax: 1_000,
} as const;

describe('a replay under the rules of the time', () => {
  it.each(['one', 'several'] as const)(
    'decides as the library did, of %s documents',
    async (documents) => {
      await fc.assert(
        fc.asyncProperty(walkArbitrary(documents), async (walk) => {
          const played = await playedPast(walk);
          const differences: unknown[] = [];
          await replayPast(pastOf(played), NOBODY, {
            onRow: () => undefined,
            onCheck: (row, control) => {
              for (const kind of ['direct', 'knockOn'] as const)
                if (!isSameVerdict(control[kind], verdictIn(row)))
                  differences.push({ kind, is: control[kind], was: verdictIn(row), row });
            },
          });
          expect(differences).toEqual([]);
        }),
        { numRuns: times('replayedPasts'), seed: SEED },
      );
    },
    600_000,
  );
});
