import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeDraft } from '../../lib/backtest/draft.ts';
import { replayPast } from '../../lib/backtest/replay-past.ts';
import { isSameVerdict } from '../../lib/backtest/verdict.ts';
import { walkArbitrary } from '../model/arbitraries.ts';
import type { Step, Walk } from '../model/walk.ts';
import { SEED, times } from '../support/extent.ts';
import { libRule } from '../support/service-under-test.ts';
import { libraryReplay } from './library-replay.ts';
import { pastOf, playedPast } from './played-past.ts';

/**
 * A walk in which an order asks the same each time, and none is checked and recorded. A refused order may come again
 * with another amount. Where a draft has held the first try, the library would call the second one a mistake.
 */
function sameOrders(walk: Walk): Walk {
  const asked = new Map<string, string>();
  const steps = walk.steps.flatMap((step): readonly Step[] => {
    if (step.do === 'record') {
      const { orderId, ...request } = step.request;
      return [{ ...step, request: { ...request, orderId: `recorded-${orderId}` } }];
    }
    if (step.do !== 'check') return [step];
    const { proofs: _proofs, ...content } = step.request;
    const text = JSON.stringify(content);
    const first = asked.get(content.orderId) ?? text;
    asked.set(content.orderId, first);
    return first === text ? [step] : [];
  });
  return { ...walk, steps };
}

describe('a replay under a draft', () => {
  it.each(['one', 'several'] as const)(
    'decides as the whole library does under its rules, of %s documents',
    async (documents) => {
      await fc.assert(
        fc.asyncProperty(
          walkArbitrary(documents),
          walkArbitrary(documents),
          async (walk, { rules: others }) => {
            const past = sameOrders(walk);
            const played = await playedPast(past);
            const rules = [...others, ...walk.rules.slice(1)].map((rule, place) =>
              libRule({ ...rule, id: place < others.length ? `draft-${place}` : rule.id }),
            );
            const expected = await libraryReplay(played, rules, walk.onNoRule);
            const differences: unknown[] = [];
            const question = { freed: 'unpaid', from: new Date(0), documentsMax: 1_000 } as const;
            const draft = wholeDraft(rules);
            await replayPast(
              pastOf(played),
              { ...question, draft },
              {
                onRow: () => undefined,
                onCheck: (row, _control, { knockOn: is }) => {
                  const was = expected.get(row.id);
                  if (was === undefined || !isSameVerdict(is, was))
                    differences.push({ is, was, row });
                },
              },
            );
            expect(differences).toEqual([]);
          },
        ),
        { numRuns: times('replayedDrafts'), seed: SEED },
      );
    },
    600_000,
  );
});
