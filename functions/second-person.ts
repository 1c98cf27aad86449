import type { Db } from 'mongodb';
import type { SecondPerson } from '../lib/rules/four-eyes/second-person.ts';
import type { FourEyes } from '../lib/rules/four-eyes/four-eyes.ts';
import { mongoProposalStore } from '../lib/rules/four-eyes/mongo-proposal-store.ts';

/** Which changes need a second person, and where they wait in a database. */
export function secondPersonOn(db: Db, timeoutMs: number, fourEyes: FourEyes): SecondPerson {
  return { fourEyes, store: mongoProposalStore(db, timeoutMs) };
}
