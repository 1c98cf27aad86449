import type { Collection } from 'mongodb';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type {
  CounterDocument,
  MongoCounterOptions,
} from '../../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { PATIENCE_MS } from './limits-fixture.ts';

/** Counters on a database that may have no turn for long: what is tested is not how long a call waits. */
export function patientCounters(
  collection: Collection<CounterDocument>,
  options: MongoCounterOptions = {},
): CounterStore {
  return mongoCounters(collection, { timeoutMs: PATIENCE_MS, ...options });
}
