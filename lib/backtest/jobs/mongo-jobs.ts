import type { Collection, Db, Filter, UpdateFilter } from 'mongodb';
import { asking, writing } from '../../mongo/client.ts';
import { isDuplicateKey } from '../../mongo/failure.ts';
import { present } from '../../shared/present.ts';
import { BACKTESTS_AT_ONCE_MAX } from '../../shared/bounds.ts';
import { ENDED_BACKTESTS, OPEN_BACKTESTS } from '../../shared/states.ts';
import type { ChangedOrder } from '../result.ts';
import { REPLAYS } from '../side.ts';
import type {
  BacktestJob,
  BacktestQuestion,
  BacktestSummary,
  JobOrders,
  JobStore,
  OrdersAsked,
  WorkStore,
} from './job.ts';

/** The collections of back-tests: jobs, orders that they decide otherwise, and states that are written down. */
export const BACKTESTS = 'backtests';
export const BACKTEST_ORDERS = 'backtest_orders';
export const BACKTEST_STATES = 'backtest_states';

/** While a slice lives it says so more often. Lambda tries a slice that died again after a minute. */
const LEASE_MS = 45_000;

/** A document has 16 MB at most. */
const PIECE_BYTES = 8_000_000;

/** Rules have names of any kind, so they are texts here. */
type JobDocument = Omit<BacktestJob, 'id' | 'question' | 'summary'> & {
  readonly _id: string;
  readonly question: Omit<BacktestQuestion, 'draft'> & { readonly draft?: string };
  readonly summary?: string;
  readonly lease?: string;
  /** Of a job that has not ended: one of BACKTESTS_AT_ONCE_MAX. */
  readonly slot?: number;
};

type OrderDocument = {
  readonly _id: string;
  readonly rules: readonly string[];
  readonly order: string;
  readonly expireAt: Date;
};
type PieceDocument = { readonly _id: string; readonly bytes: Buffer; readonly expireAt: Date };

const READ = { readPreference: 'primary' } as const;
const UNSET = { slot: '', lease: '' } as const;

/** The back-tests of a database. */
export function mongoJobs(db: Db, timeoutMs: number): JobStore {
  const jobs = db.collection<JobDocument>(BACKTESTS);
  const ask = asking(db, timeoutMs);
  const write = writing(db, timeoutMs, 'as often as it takes');
  const find = async (id: string): Promise<BacktestJob | undefined> =>
    jobFrom(await ask(() => jobs.findOne({ _id: id }, READ)));
  return {
    find,
    async add(job) {
      for (let slot = 0; slot < BACKTESTS_AT_ONCE_MAX; slot += 1) {
        if (await write(() => addAt(jobs, job, slot))) return { job, isNew: true };
        const known = await find(job.id);
        if (known !== undefined && isOpen(known)) return { job: known, isNew: false };
        if (known?.state === 'done') return { job: known, isNew: false };
      }
      return undefined;
    },
    async list(limit) {
      // All stay equally long, so those that go last were asked for last.
      const options = {
        ...READ,
        sort: { expireAt: -1 },
        limit,
        projection: { summary: 0, 'question.draft': 0 },
      } as const;
      const found = await ask(() => jobs.find({}, options).toArray());
      return found.flatMap((each) => jobFrom(each) ?? []);
    },
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
      await write(() => jobs.updateOne({ _id: id, state: { $in: OPEN_BACKTESTS } }, stopped));
    },
    work: workIn(db, timeoutMs),
  };
}

function isOpen({ state }: BacktestJob): boolean {
  return OPEN_BACKTESTS.some((one) => one === state);
}

/** False where the slot is taken, or the job is there and may not be begun again. */
async function addAt(jobs: Collection<JobDocument>, job: BacktestJob, slot: number) {
  const { _id, ...document } = documentOf(job, slot);
  const again = { _id, state: { $in: ENDED_BACKTESTS.filter((state) => state !== 'done') } };
  try {
    await jobs.replaceOne(again, document, { upsert: true });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

function workIn(db: Db, timeoutMs: number): WorkStore {
  const jobs = db.collection<JobDocument>(BACKTESTS);
  const states = db.collection<PieceDocument>(BACKTEST_STATES);
  const ask = asking(db, timeoutMs);
  const write = writing(db, timeoutMs, 'as often as it takes');
  const change = async (filter: Filter<JobDocument>, update: UpdateFilter<JobDocument>) =>
    (await write(() => jobs.updateOne(filter, update))).matchedCount === 1;
  const until = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
  return {
    async claim(id, lease, now) {
      const free = { _id: id, state: { $in: OPEN_BACKTESTS }, leaseUntil: { $lte: now } };
      const found = await write(() =>
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
          { returnDocument: 'after' },
        ),
      );
      return jobFrom(found);
    },
    async read({ id, checkpoint }) {
      if (checkpoint === undefined) return undefined;
      const { number, pieces } = checkpoint;
      const found = await ask(() =>
        states
          .find(piecesOf(id, number), { ...READ, sort: { _id: 1 }, promoteBuffers: true })
          .toArray(),
      );
      return found.length === pieces ? Buffer.concat(found.map(({ bytes }) => bytes)) : undefined;
    },
    tell: (id, lease, progress, now) =>
      change({ _id: id, lease }, { $set: { ...progress, leaseUntil: until(now) } }),
    async write(job, lease, state, now) {
      const number = (job.checkpoint?.number ?? 0) + 1;
      const pieces = Math.ceil(state.byteLength / PIECE_BYTES);
      // A job that was stopped, and asked for again, may have had one of this number.
      await write(() => states.deleteMany(piecesOf(job.id, number)));
      for (let piece = 0; piece < pieces; piece += 1) {
        const bytes = state.subarray(piece * PIECE_BYTES, (piece + 1) * PIECE_BYTES);
        const _id = `${job.id}/${number}/${padded(piece)}`;
        await write(() =>
          states.replaceOne({ _id }, { bytes, expireAt: job.expireAt }, { upsert: true }),
        );
      }
      const checkpoint = { number, pieces };
      const kept = await change(
        { _id: job.id, lease },
        { $set: { checkpoint, slices: 1, leaseUntil: until(now) } },
      );
      if (!kept) return undefined;
      await write(() => states.deleteMany(piecesOf(job.id, number - 1)));
      return { ...job, checkpoint };
    },
    release: (id, lease, now) =>
      change({ _id: id, lease }, { $set: { leaseUntil: now }, $unset: { lease: '' } }),
    async end(job, lease, end, orders, now) {
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
      await write(() => states.deleteMany({ _id: { $gte: `${job.id}/`, $lt: `${job.id}0` } }));
      return isEnded;
    },
  };
}

function piecesOf(id: string, number: number) {
  return { _id: { $gte: `${id}/${number}/`, $lt: `${id}/${number}0` } };
}

function ordersOf(db: Db): Collection<OrderDocument> {
  return db.collection<OrderDocument>(BACKTEST_ORDERS);
}

type Write = ReturnType<typeof writing>;

/** A slice that died may have written them already. */
async function writeOrders(db: Db, job: BacktestJob, orders: JobOrders, write: Write) {
  const { id, expireAt } = job;
  await write(() => ordersOf(db).deleteMany({ _id: { $gte: `${id}/`, $lt: `${id}0` } }));
  for (const replay of REPLAYS)
    for (const [decided, ofKind] of Object.entries(orders[replay])) {
      const documents = ofKind.map((order, place) => ({
        _id: `${id}/${replay}/${decided}/${padded(place)}`,
        rules: order.rules,
        order: JSON.stringify(order),
        expireAt,
      }));
      if (documents.length === 0) continue;
      await write(() =>
        ordersOf(db).bulkWrite(
          documents.map((document) => ({
            replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true },
          })),
        ),
      );
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

/** Texts are in the order of numbers then. `0` comes after `/`. */
function padded(place: number): string {
  return String(place).padStart(6, '0');
}

function documentOf(job: BacktestJob, slot: number): JobDocument {
  const { id, question, summary: _none, ...kept } = job;
  return {
    _id: id,
    ...kept,
    slot,
    question: present({ ...question, draft: JSON.stringify(question.draft) }),
  };
}

function jobFrom(found: JobDocument | null): BacktestJob | undefined {
  if (found === null) return undefined;
  const { _id: id, question, summary, lease: _lease, slot: _slot, ...job } = found;
  const draft = JSON.parse(question.draft ?? '{}') as BacktestQuestion['draft']; // as it was written
  const read = summary === undefined ? {} : { summary: JSON.parse(summary) as BacktestSummary };
  return { id, ...job, question: { ...question, draft }, ...read };
}
