import { ownField } from '../../schema/mistakes.ts';
import type { Actor } from '../../shared/actor.ts';
import { BACKTEST_DAYS, BACKTESTS_AT_ONCE_MAX, DAY_MS } from '../../shared/bounds.ts';
import { canonicalText, fullDigestOf } from '../../shared/digest.ts';
import { errorOf } from '../../shared/errors.ts';
import { present } from '../../shared/present.ts';
import type {
  BacktestJob,
  BacktestQuestion,
  DraftGiven,
  JobStore,
  OrdersAsked,
  PlacedOrder,
} from './job.ts';

/** What a book of back-tests needs. */
type BacktestSources = {
  readonly store: JobStore;
  /** Reads what a question needs: when its rows begin, and the revision of the rules now. */
  readonly examine: (
    question: BacktestQuestion,
  ) => Promise<Pick<BacktestJob, 'warmUpFrom' | 'revision'>>;
  /** Has somebody work on a job. */
  readonly startWork: (id: string) => Promise<void>;
};

/** The back-tests of a database. */
export type BacktestBook = {
  /** Asks a question; the same one has one answer. */
  readonly start: (
    question: BacktestQuestion,
    by: Actor,
    at: Date,
  ) => Promise<{ readonly job: BacktestJob; readonly isNew: boolean }>;
  readonly list: (limit: number) => Promise<readonly BacktestJob[]>;
  /** Finds one. If its work has died, it begins again from its last checkpoint. @throws NoSuchBacktestError */
  readonly find: (id: string, now: Date) => Promise<BacktestJob>;
  /** @throws NoSuchBacktestError */
  readonly orders: (id: string, asked: OrdersAsked) => Promise<readonly PlacedOrder[]>;
  /** Stops one; one that has ended stays as it is. @throws NoSuchBacktestError */
  readonly stop: (id: string, now: Date) => Promise<BacktestJob>;
};

/** Puts the back-tests of a database together. */
export function createBacktestBook({ store, examine, startWork }: BacktestSources): BacktestBook {
  const known = async (id: string): Promise<BacktestJob> => {
    const job = await store.find(id);
    if (job === undefined) throw new NoSuchBacktestError(id);
    return job;
  };
  const wake = async (jobs: readonly BacktestJob[], now: Date): Promise<void> => {
    for (const job of jobs) if (isAsleep(job, now)) await startWork(job.id);
  };
  return {
    async start(question, by, at) {
      const id = idOf(question);
      const known = await store.find(id);
      // Its rows may be gone by now.
      if (known?.state === 'done') return { job: known, isNew: false };
      const job: BacktestJob = {
        id,
        question,
        ...present({ rule: ruleOfDraft(question.draft) }),
        ...(await examine(question)),
        state: 'waiting',
        at,
        by,
        rows: 0,
        slices: 0,
        leaseUntil: new Date(0),
        expireAt: new Date(at.getTime() + BACKTEST_DAYS * DAY_MS),
      };
      const added = await store.add(job);
      if (added === undefined) {
        await wake(await store.open(), at);
        throw new TooManyBacktestsError(BACKTESTS_AT_ONCE_MAX);
      }
      if (added.isNew) await startWork(job.id);
      else await wake([added.job], at);
      return added;
    },
    list: (limit) => store.list(limit),
    async find(id, now) {
      const job = await known(id);
      await wake([job], now);
      return job;
    },
    async orders(id, asked) {
      const { state } = await known(id);
      // One that was stopped at its end may have some.
      return state === 'done' ? store.orders(id, asked) : [];
    },
    async stop(id, now) {
      await known(id);
      await store.stop(id, now);
      return known(id);
    },
  };
}

/** A slice that was asked for has begun by then, or never will. */
const BEGINS_MS = 60_000;

/** Nobody works on it. */
function isAsleep({ state, leaseUntil, at }: BacktestJob, now: Date): boolean {
  if (state === 'waiting') return at.getTime() + BEGINS_MS <= now.getTime();
  return state === 'running' && leaseUntil <= now;
}

function ruleOfDraft(draft: DraftGiven): string | undefined {
  if ('drop' in draft) return draft.drop;
  return 'put' in draft ? String(ownField(draft.put, 'id')) : undefined;
}

/** A question that is repeated has the same id, however its fields are ordered: it begins nothing. */
function idOf({ draft, from, to, freed, subject }: BacktestQuestion): string {
  const asked = { draft, from, to, freed, subject };
  return fullDigestOf(canonicalText(asked)).slice(0, 32);
}

/** No back-test has the id, or no longer. */
class NoSuchBacktestError extends errorOf(
  'NO_SUCH_BACKTEST',
  (id: string) =>
    `back-test ${JSON.stringify(id)} is not there: Headroom deletes them after ${BACKTEST_DAYS} days`,
) {}

/** Others have not ended. */
class TooManyBacktestsError extends errorOf(
  'TOO_MANY_BACKTESTS',
  (most: number) =>
    `${most} back-tests have not ended, which is the most at one time: wait for one, or stop one`,
) {}
