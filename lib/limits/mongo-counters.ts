import type { Collection } from 'mongodb';
import type { CounterStore } from './counter-store.ts';
import type { CounterDocument, MongoCounterOptions } from './mongo-counter-store.ts';
import { mongoCounterStore } from './mongo-counter-store.ts';
import { mongoOneCommit } from './mongo-one-commit.ts';

/** The counters in a collection, whose commits of several documents are their own. */
export function mongoCounters(
  collection: Collection<CounterDocument>,
  options: MongoCounterOptions = {},
): CounterStore {
  const noRows = 1; // the days that rows would be kept, of which a commit of counters has none
  const oneCommit = mongoOneCommit(collection.db, noRows, options, false, collection);
  const together: CounterStore['together'] = (work) => oneCommit(({ counters }) => work(counters));
  return mongoCounterStore(collection, options, { together });
}
