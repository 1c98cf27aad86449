import process from 'node:process';
import { MongoClient } from 'mongodb';

/**
 * The least function that could keep a counter: it loads the driver and makes one increment. The
 * cold start of a real function is compared with it.
 */
const client = new MongoClient(process.env.MONGODB_URI ?? '', {
  retryWrites: false,
  writeConcern: { w: 'majority' },
});

/** Answers every event with 200, once one counter is incremented. */
export async function handler(): Promise<{ readonly statusCode: number }> {
  const counters = client
    .db(process.env.MONGODB_DATABASE)
    .collection<{ readonly _id: string; readonly count: number }>('floor');
  await counters.findOneAndUpdate({ _id: 'cold' }, { $inc: { count: 1 } }, { upsert: true });
  return { statusCode: 200 };
}
