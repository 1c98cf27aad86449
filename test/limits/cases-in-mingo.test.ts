import { describe, it } from 'vitest';
import { CASES } from '../cases/all-cases.ts';
import { playCase } from '../model/play-case.ts';
import { mingoStore } from '../support/mingo-store.ts';
import { serviceUnderTest } from '../support/service-under-test.ts';

/**
 * mingo evaluates the same pipelines without any server. Where it and MongoDB's manual differ, the
 * pipelines keep away: `{ $gt: [document, null] }` is true by the manual's order of types and false
 * in mingo, so presence is asked with `$ifNull`; `$last` of an empty array is missing by the manual
 * and an error in mingo; and mingo has no 64-bit integers.
 */
describe('in mingo, an independent evaluator of pipelines', () => {
  it.each(CASES)('$id: $title', async (limitCase) => {
    const service = serviceUnderTest(mingoStore(), limitCase);
    await service.useRules(limitCase.rules);
    await playCase(limitCase, service, { twice: false });
  });
});
