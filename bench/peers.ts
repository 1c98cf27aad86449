import type { Db } from 'mongodb';
import { WriteConcern } from 'mongodb';
import { RateLimiterMongo, RateLimiterUnion } from 'rate-limiter-flexible';
import { atMost } from './measure.ts';
import { AMOUNT_MINOR, AMPLE_MINOR, FIVE_UNITS, plainIn } from './workload.ts';

/** Counts one order of a subject. */
export type Count = (subject: string, orderId: string) => Promise<void>;

const UNIT_SECONDS = {
  minute: 60,
  hour: 3_600,
  day: 86_400,
  month: 2_592_000,
  year: 31_536_000,
} as const;

/** A limiter of rate-limiter-flexible, in a collection of its own, with its indexes. */
async function limiter(db: Db, unit: keyof typeof UNIT_SECONDS): Promise<RateLimiterMongo> {
  const made = new RateLimiterMongo({
    storeClient: db.client,
    dbName: db.databaseName,
    tableName: `limiter-${unit}`,
    keyPrefix: unit,
    points: AMPLE_MINOR,
    duration: UNIT_SECONDS[unit],
    disableIndexesCreation: true,
  });
  await made.createIndexes();
  return made;
}

/**
 * Five amounts limited by rate-limiter-flexible, all five asked at once as its RateLimiterUnion does.
 * It counts no number of transactions, holds nothing, and cannot take back what one limiter counted
 * when another one refuses.
 */
export async function fiveLimiters(db: Db): Promise<Count> {
  const limiters = await Promise.all(FIVE_UNITS.map((unit) => limiter(db, unit)));
  const union = new RateLimiterUnion(...limiters);
  return async (subject) => {
    await union.consume(subject, AMOUNT_MINOR);
  };
}

/** One amount limited by rate-limiter-flexible. */
export async function oneLimiter(db: Db): Promise<Count> {
  const day = await limiter(db, 'day');
  return async (subject) => {
    await day.consume(`one-${subject}`, AMOUNT_MINOR);
  };
}

/** Half as many as the smallest of the engines keeps open. */
const COMMITS_MAX = 16;

type Counter = { readonly _id: string; readonly amount: number; readonly count: number };
type StoredRule = { readonly _id: string; readonly amount: number; readonly count: number };

/**
 * Limits as most teams write them: one multi-document commit that reads the rules and the counters,
 * compares, adds to every counter and records the order. Repeated by the driver when it conflicts.
 * More than COMMITS_MAX at once would only conflict more, so the others wait: to its advantage.
 */
export async function textbookCommit(db: Db): Promise<Count> {
  const rules = db.collection<StoredRule>('textbook-rules');
  const counters = db.collection<Counter>('textbook-counters');
  const records = plainIn(db, 'textbook-records');
  for (const unit of FIVE_UNITS)
    await rules.replaceOne(
      { _id: unit },
      { amount: AMPLE_MINOR, count: 1_000_000_000 },
      { upsert: true },
    );
  // A collection is made by its first document, which some engines do not allow inside a commit.
  await counters.updateOne({ _id: 'none' }, { $inc: { amount: 0, count: 0 } }, { upsert: true });
  await records.updateOne({ _id: 'none' }, { $set: { amount: 0 } }, { upsert: true });
  return atMost(COMMITS_MAX, async (subject: string, orderId: string) => {
    await db.client.withSession((session) =>
      session.withTransaction(
        async () => {
          const inForce = await rules.find({}, { session }).toArray();
          const ids = inForce.map(({ _id }) => `${subject}:${_id}`);
          const found = await counters.find({ _id: { $in: ids } }, { session }).toArray();
          for (const { _id, amount, count } of inForce) {
            const counter = found.find((one) => one._id === `${subject}:${_id}`);
            if ((counter?.amount ?? 0) + AMOUNT_MINOR > amount || (counter?.count ?? 0) + 1 > count)
              throw new Error('the benchmark refuses nothing here');
          }
          const increment = { $inc: { amount: AMOUNT_MINOR, count: 1 } };
          await counters.bulkWrite(
            ids.map((_id) => ({
              updateOne: { filter: { _id }, update: increment, upsert: true },
            })),
            { session },
          );
          await records.insertOne({ _id: orderId, subject, amount: AMOUNT_MINOR }, { session });
        },
        { readConcern: { level: 'snapshot' }, writeConcern: new WriteConcern('majority') },
      ),
    );
  });
}
