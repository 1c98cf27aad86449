import type { Collection, Db } from 'mongodb';
import type { CounterStore } from '../../lib/document/counter-store.ts';
import type {
  CounterDocument,
  MongoCounterOptions,
} from '../../lib/document/mongo-counter-store.ts';
import { mongoCounters } from '../../lib/document/mongo-commit.ts';
import { storedCounters } from './stored-buckets.ts';

/** Where nothing breaks no call is given up, however busy the machine is. */
export const PATIENCE_MS = 60_000;

/**
 * Counters of a database, or in one collection, that may have no turn for long: what is tested is not how long a call
 * waits.
 */
export function patientCounters(
  over: Db | Collection<CounterDocument>,
  options: MongoCounterOptions = {},
): CounterStore {
  const collection = 'databaseName' in over ? storedCounters(over) : over;
  return mongoCounters(collection, { timeoutMs: PATIENCE_MS, ...options });
}
