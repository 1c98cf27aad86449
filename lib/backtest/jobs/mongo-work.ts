import type { Db, Filter, UpdateFilter } from 'mongodb';
import { writing } from '../../mongo/client.ts';
import { OPEN_BACKTESTS } from '../../../contract/backtests.ts';
import { REPLAYS } from '../one-replay.ts';
import type { BacktestJob, JobOrders, WorkStore } from './job.ts';
import type { JobDocument } from './mongo-job-documents.ts';
import { jobFrom, jobsOf, ordersOf, padded, UNSET } from './mongo-job-documents.ts';
import { mongoStates } from './mongo-states.ts';

/** While a slice lives it says so more often. Lambda tries a slice that died again after a minute. */
const LEASE_MS = 45_000;

/** Where slices work on the back-tests of a database. */
export function workIn(db: Db, timeoutMs: number): WorkStore {
  const jobs = jobsOf(db);
  const states = mongoStates(db, timeoutMs);
  const write = writing(db, timeoutMs, 'as often as it takes');
  const change = async (filter: Filter<JobDocument>, update: UpdateFilter<JobDocument>) =>
    (await write((bounded) => jobs.updateOne(filter, update, bounded()))).matchedCount === 1;
  const until = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
  return {
    async claim(id, lease, now) {
      const free = { _id: id, state: { $in: OPEN_BACKTESTS }, leaseUntil: { $lte: now } };
      const found = await write((bounded) =>
        jobs.findOneAndUpdate(
          { $or: [free, { _id: id, lease }] },
          [
            {
              $set: {
                state: 'running',
                lease,
                leaseUntil: until(now),
                startedAt: { $ifNull: ['$startedAt', now] },
                slices: { $add: ['$slices', { $cond: [{ $eq: ['$lease', lease] }, 0, 1] }] },
              },
            },
          ],
          { returnDocument: 'after', ...bounded() },
        ),
      );
      return jobFrom(found);
    },
    read: (job) => states.read(job),
    tell: (id, lease, progress, now) =>
      change({ _id: id, lease }, { $set: { ...progress, leaseUntil: until(now) } }),
    async write(job, lease, state, now) {
      const checkpoint = await states.write(job, state);
      const written = { checkpoint, slices: 1, leaseUntil: until(now) };
      if (!(await change({ _id: job.id, lease }, { $set: written }))) return undefined;
      await states.forget(job.id, checkpoint.number - 1);
      return { ...job, checkpoint };
    },
    release: (id, lease, now) =>
      change(
        { _id: id, lease },
        { $set: { leaseUntil: now }, $unset: { lease: '' }, $inc: { slices: -1 } },
      ),
    async end(job, lease, end, orders, now) {
      const isOwn = await change({ _id: job.id, lease }, { $set: { leaseUntil: until(now) } });
      if (!isOwn) return false;
      if (orders !== undefined) await writeOrders(db, job, orders, write);
      const { state, summary, problem } = { summary: undefined, problem: undefined, ...end };
      const ended = {
        state,
        endedAt: now,
        ...(summary === undefined
          ? {}
          : { summary: JSON.stringify(summary), rows: summary.rows, reached: job.question.to }),
        ...(problem === undefined ? {} : { problem }),
      };
      const isEnded = await change(
        { _id: job.id, lease },
        { $set: ended, $unset: { ...UNSET, checkpoint: '' } },
      );
      await states.forget(job.id);
      return isEnded;
    },
  };
}

type Writing = ReturnType<typeof writing>;

/** A slice that died may have written them already. */
async function writeOrders(db: Db, job: BacktestJob, orders: JobOrders, write: Writing) {
  const { id, expireAt } = job;
  await write((bounded) =>
    ordersOf(db).deleteMany({ _id: { $gte: `${id}/`, $lt: `${id}0` } }, bounded()),
  );
  for (const replay of REPLAYS)
    for (const [decided, ofKind] of Object.entries(orders[replay])) {
      const documents = ofKind.map((order, place) => ({
        _id: `${id}/${replay}/${decided}/${padded(place)}`,
        rules: order.rules,
        order: JSON.stringify(order),
        expireAt,
      }));
      if (documents.length === 0) continue;
      await write((bounded) =>
        ordersOf(db).bulkWrite(
          documents.map((document) => ({
            replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
          })),
          bounded(),
        ),
      );
    }
}
