import { describe, expect, it } from 'vitest';
import { CASES } from '../cases/all-cases.ts';
import { LimitModel, modelUnderTest, settingsOf } from './limit-model.ts';
import { playCase } from './play-case.ts';

describe('the model of limits', () => {
  it.each(CASES)('$id: $title, because $why; every step sent twice', async (limitCase) => {
    const model = new LimitModel(limitCase.rules, settingsOf(limitCase));
    await playCase(limitCase, modelUnderTest(model), { twice: true });
  });
});

describe('the cases themselves', () => {
  it('have one id each, so that a failure names one row', () => {
    const ids = CASES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(CASES)('$id never goes back in time', ({ steps }) => {
    const instants = steps.map(({ at }) => Date.parse(at));
    expect(instants).toEqual([...instants].sort((left, right) => left - right));
  });
});
