import fc from 'fast-check';
import { describe, it } from 'vitest';
import { SEED, times } from '../support/extent.ts';
import { walkArbitrary } from './arbitraries.ts';
import type { LimitsUnderTest } from './model-types.ts';
import { modelOf, playWalk } from './walk.ts';

function sentTwice(limits: LimitsUnderTest): LimitsUnderTest {
  const twice = async <Answer>(send: () => Promise<Answer>): Promise<Answer> => {
    const first = await send();
    await send();
    return first;
  };
  return {
    useRules: (rules) => limits.useRules(rules),
    useTerms: (kind, id, terms, now) => limits.useTerms(kind, id, terms, now),
    check: (request, now) => twice(() => limits.check(request, now)),
    confirm: (request, now) => twice(() => limits.confirm(request, now)),
    rollback: (request, now) => twice(() => limits.rollback(request, now)),
    record: (request, now) => twice(() => limits.record(request, now)),
    // A second decision is another one.
    decide: (request, now) => limits.decide(request, now),
  };
}

describe.each(['one', 'several'] as const)('walks over %s document(s)', (documents) => {
  it('answer alike whether every step is sent once or twice', async () => {
    await fc.assert(
      fc.asyncProperty(walkArbitrary(documents), async (walk) => {
        await playWalk(walk, sentTwice(modelOf(walk)), modelOf(walk));
      }),
      { numRuns: times('modelWalks'), seed: SEED },
    );
  });
});
