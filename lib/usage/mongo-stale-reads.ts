import type { Collection } from 'mongodb';
import { ReadPreference } from 'mongodb';
import { UndecidedError } from '../shared/errors.ts';
import { asking } from '../mongo/client.ts';
import { STORE_TIMEOUT_MS_DEFAULT } from '../mongo/failure.ts';
import type { CounterDocument, MongoCounterOptions } from '../document/mongo-counter-store.ts';
import { mongoCounterStore } from '../document/mongo-counter-store.ts';
import type { StaleReads } from './usage.ts';

/** Source: mongodb 7.8.0, `SMALLEST_MAX_STALENESS_SECONDS` in `sdam/server_selection`. */
const MAX_STALENESS_SECONDS_MIN = 90;

/**
 * Reads from a secondary, where there is one that is near enough.
 *
 * MongoDB's own `maxStalenessSeconds` takes no less than 90, so a nearer one is asked instead how far it
 * has come: each member tells with every answer the `operationTime` that it has applied, and its clock.
 * The read that follows is causally after that answer, so that it waits for no less, whichever member
 * has it. A set on which nobody writes tells a time of up to 10 s ago (`periodicNoopIntervalSecs`).
 * Source: MongoDB manual, "Causal Consistency and Read and Write Concerns"; mongodb/mongo,
 * `computeOperationTime` in service_entry_point_common.cpp.
 */
export function mongoStaleReads(
  counters: Collection<CounterDocument>,
  options: MongoCounterOptions = {},
): StaleReads {
  const { timeoutMs = STORE_TIMEOUT_MS_DEFAULT } = options;
  const { client } = counters.db;
  const ask = asking(counters.db, timeoutMs);
  return async (documentIds, staleMs, estimate) => {
    const maxStalenessSeconds = Math.floor(staleMs / 1000);
    const readPreference = new ReadPreference(
      'secondaryPreferred',
      undefined,
      maxStalenessSeconds < MAX_STALENESS_SECONDS_MIN ? {} : { maxStalenessSeconds },
    );
    return client.withSession({ causalConsistency: true }, async (session) => {
      const hello = await ask(() => counters.db.command({ hello: 1 }, { readPreference, session }));
      const applied = session.operationTime?.t;
      const localTime: unknown = hello.localTime;
      if (applied === undefined || !(localTime instanceof Date)) return undefined;
      const asOf = new Date(applied * 1000); // the second in which it was written; later in it, at most
      const latestMs = Math.max(localTime.getTime(), estimate.getTime());
      if (latestMs - asOf.getTime() > staleMs) return undefined;
      const store = mongoCounterStore(counters, options, { session, readPreference });
      try {
        return { asOf, views: await store.read(documentIds, [], estimate) };
      } catch (error) {
        // Another member may have been asked, which has not come so far yet.
        if (error instanceof UndecidedError) return undefined;
        throw error;
      }
    });
  };
}
