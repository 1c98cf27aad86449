import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FIXED_SEED, times } from '../support/extent.ts';
import { walkArbitrary } from './arbitraries.ts';
import type { ModelAnswer } from './model-types.ts';
import { modelOf, playWalk } from './walk.ts';

const WALKS = times('walksOfTheTally');

describe.each(['one', 'several'] as const)('walks over %s document(s)', (documents) => {
  it('meet every answer often enough to be worth walking', async () => {
    const heard = new Map<string, number>();
    for (const walk of fc.sample(walkArbitrary(documents), { numRuns: WALKS, seed: FIXED_SEED })) {
      for (const answer of await playWalk(walk, modelOf(walk), modelOf(walk))) {
        for (const name of namesOf(answer)) heard.set(name, (heard.get(name) ?? 0) + 1);
      }
    }
    const names = [
      'allowed',
      'allowed repeated',
      'allowed in part',
      'refused rule',
      'refused no-rule',
      'refused frozen',
      'refused review',
      'refused rejected',
      'allowed by an approval',
      'decided',
      'incompleteOrder',
      'orderReused',
      'alreadyRolledBack',
      'confirmed',
      'confirmed repeated',
      'confirmed late',
      'confirmed exceeded',
      'alreadyConfirmed',
      'rolledBack',
      'rolledBack repeated',
      'recorded',
      'recorded exceeded',
      'recorded over',
      'notFound',
      'reached',
      'exceeded-shadow',
      ...(documents === 'one' ? ['tooManyOpenHolds'] : []),
    ];
    const rare = names.filter((name) => (heard.get(name) ?? 0) < WALKS / 60);
    expect(rare, JSON.stringify(Object.fromEntries(heard))).toEqual([]);
    expect((heard.get('refused rule') ?? 0) / (heard.get('allowed') ?? 1)).toBeGreaterThan(0.3);
  });
});

function namesOf(answer: ModelAnswer): readonly string[] {
  const names: string[] =
    'repeated' in answer && answer.repeated
      ? [`${answer.kind} repeated`]
      : ['reason' in answer ? `${answer.kind} ${answer.reason}` : answer.kind];
  if (answer.kind === 'recorded' && answer.exceeded.length > 0) names.push('recorded exceeded');
  if (answer.kind === 'recorded' && answer.over.length > 0) names.push('recorded over');
  if (answer.kind === 'confirmed' && answer.late) names.push('confirmed late');
  if (answer.kind === 'confirmed' && answer.exceeded.length > 0) names.push('confirmed exceeded');
  if (answer.kind === 'allowed' && answer.part && answer.part.amount < answer.part.asked)
    names.push('allowed in part');
  if (answer.kind === 'allowed' && answer.approval !== undefined)
    names.push('allowed by an approval');
  if ('rules' in answer) names.push(...new Set(answer.rules.map(({ outcome }) => outcome)));
  return names;
}
