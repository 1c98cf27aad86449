import type { Collection, Db, Filter, FindOptions } from 'mongodb';
import type { Bounded } from '../../mongo/client.ts';
import { asking, writing } from '../../mongo/client.ts';
import { isDuplicateKey } from '../../mongo/failure.ts';
import { BACKTESTS_AT_ONCE_MAX } from '../../shared/bounds.ts';
import { ENDED_BACKTESTS, OPEN_BACKTESTS } from '../../../contract/backtests.ts';
import type { ChangedOrder } from '../result.ts';
import type { BacktestJob, JobStore, OrdersAsked } from './job.ts';
import type { JobDocument, OrderDocument } from './mongo-job-documents.ts';
import {
  jobDocument,
  jobFrom,
  jobsOf,
  ordersOf,
  padded,
  READ,
  UNSET,
} from './mongo-job-documents.ts';
import { workIn } from './mongo-work.ts';

const LISTED = { ...READ, projection: { summary: 0, 'question.draft': 0 } } as const;

/** The back-tests of a database. */
export function mongoJobs(db: Db, timeoutMs: number): JobStore {
  const jobs = jobsOf(db);
  const ask = asking(db, timeoutMs);
  const write = writing(db, timeoutMs, 'as often as it takes');
  const find = async (id: string): Promise<BacktestJob | undefined> =>
    jobFrom(await ask(() => jobs.findOne({ _id: id }, READ)));
  const listed = async (filter: Filter<JobDocument>, options: FindOptions) => {
    const found = await ask(() => jobs.find(filter, { ...LISTED, ...options }).toArray());
    return found.flatMap((each) => jobFrom(each) ?? []);
  };
  return {
    find,
    async add(job) {
      for (let slot = 0; slot < BACKTESTS_AT_ONCE_MAX; slot += 1) {
        if (await write((bounded) => addInSlot(jobs, job, slot, bounded())))
          return { job, isNew: true };
        const known = await find(job.id);
        if (known !== undefined && !mayBeginAgain(known)) return { job: known, isNew: false };
      }
      return undefined;
    },
    open: () => listed({ slot: { $gte: 0 } }, {}),
    // All stay equally long, so those that go last were asked for last.
    list: (limit) => listed({}, { sort: { expireAt: -1 }, limit }),
    async orders(id, asked) {
      const found = await ask(() =>
        ordersOf(db)
          .find(ordersAsked(id, asked), { ...READ, sort: { _id: -1 }, limit: asked.limit })
          .toArray(),
      );
      return found.map(({ _id, order }) => ({
        ...(JSON.parse(order) as ChangedOrder), // as it was written
        place: Number(_id.slice(_id.lastIndexOf('/') + 1)),
      }));
    },
    async stop(id, now) {
      const stopped = { $set: { state: 'stopped', endedAt: now }, $unset: UNSET } as const;
      await write((bounded) =>
        jobs.updateOne({ _id: id, state: { $in: OPEN_BACKTESTS } }, stopped, bounded()),
      );
    },
    work: workIn(db, timeoutMs),
  };
}

/** Without a result. */
const AGAIN = ENDED_BACKTESTS.filter((state) => state !== 'done');

function mayBeginAgain({ state }: BacktestJob): boolean {
  return AGAIN.some((one) => one === state);
}

/** False where the slot is taken, or the job is there and may not be begun again. */
async function addInSlot(
  jobs: Collection<JobDocument>,
  job: BacktestJob,
  slot: number,
  bounded: Bounded,
) {
  const { _id, ...document } = jobDocument(job, slot);
  const again = { _id, state: { $in: AGAIN } };
  try {
    await jobs.replaceOne(again, document, { upsert: true, ...bounded });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function ordersAsked(
  id: string,
  { decided, replay, rule, before }: OrdersAsked,
): Filter<OrderDocument> {
  const prefix = `${id}/${replay}/${decided}`;
  const range = {
    $gte: `${prefix}/`,
    $lt: before === undefined ? `${prefix}0` : `${prefix}/${padded(before)}`,
  };
  return { _id: range, ...(rule === undefined ? {} : { rules: rule }) };
}
