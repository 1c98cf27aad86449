import { describe, it } from 'vitest';
import { CASES } from '../cases/all-cases.ts';
import { playCase } from '../model/play-case.ts';
import { patientCounters } from '../support/patient-counters.ts';
import { useDatabase } from '../support/database.ts';
import { serviceUnderTest } from '../support/service-under-test.ts';

const database = useDatabase();

describe('on the database, every step sent twice', () => {
  it.each(CASES)('$id: $title, because $why', async (limitCase) => {
    // A collection a case, so that all of them may speak of user u-1.
    const counters = patientCounters(database.db.collection(`counters-${limitCase.id}`));
    const service = serviceUnderTest(counters, limitCase);
    await service.useRules(limitCase.rules);
    await playCase(limitCase, service, { twice: true });
  });
});
