import type { Db } from 'mongodb';
import type { SecondPerson } from '../lib/calls/second-person.ts';
import type { FourEyes } from '../lib/domain/four-eyes.ts';
import { mongoProposalStore } from '../lib/store/proposals.ts';

/** Which changes need a second person, and where they wait in a database. */
export function secondPersonOn(db: Db, timeoutMs: number, fourEyes: FourEyes): SecondPerson {
  return { fourEyes, store: mongoProposalStore(db, timeoutMs) };
}
