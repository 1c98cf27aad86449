import { describe, expect, it } from 'vitest';
import { DOCUMENT_CASES } from '../cases/documents.ts';
import { EXPIRY_CASES } from '../cases/expiry.ts';
import { MODE_CASES } from '../cases/modes.ts';
import { RECORD_CASES } from '../cases/records.ts';
import { RESERVATION_CASES } from '../cases/reservations.ts';
import { RULE_CASES } from '../cases/rules.ts';
import { SCOPE_CASES } from '../cases/scopes.ts';
import { EXACT_TERMS_CASES } from '../cases/exact-terms.ts';
import { TERMS_CASES } from '../cases/terms.ts';
import { LimitModel, modelUnderTest, settingsOf } from './limit-model.ts';
import { playCase } from './play-case.ts';

const CASES = [
  ...RESERVATION_CASES,
  ...RULE_CASES,
  ...SCOPE_CASES,
  ...MODE_CASES,
  ...TERMS_CASES,
  ...EXACT_TERMS_CASES,
  ...EXPIRY_CASES,
  ...DOCUMENT_CASES,
  ...RECORD_CASES,
];

describe('the model of limits', () => {
  it.each(CASES)('$id: $title, because $why', async (limitCase) => {
    const model = new LimitModel(limitCase.rules, settingsOf(limitCase));
    await playCase(limitCase, modelUnderTest(model), { twice: false });
  });

  it.each(CASES)('$id: nothing changes when every step is sent twice', async (limitCase) => {
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
