import type { Collection } from 'mongodb';
import { STORE_TIMEOUT_MS_DEFAULT } from '../mongo/failure.ts';
import type { InCommit } from '../mongo/transaction.ts';
import { inTransaction } from '../mongo/transaction.ts';
import { COMMIT_MS_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { CounterStore } from './counter-store.ts';
import type { Around, CounterDocument, MongoCounterOptions } from './mongo-counter-store.ts';
import { mongoCounterStore } from './mongo-counter-store.ts';

/** What one commit works with: its counters, the options of its statements, and the turn in which a statement is sent. */
export type Commit = {
  readonly counters: CounterStore;
  readonly inCommit: InCommit;
  readonly inTurn: Around;
};

/**
 * Commits with write concern `majority`. Read concern `local` is enough: every decision is inside an update, and an
 * update of a document that another commit wrote meanwhile is a conflict and begins again. So the work may run
 * several times; what it throws ends it.
 * Source: MongoDB manual, "Transactions", "In-progress Transactions and Write Conflicts".
 *
 * @throws UndecidedError where other commits kept coming first, or the store did not answer in time
 */
export function inMongoCommit<T>(
  collection: Collection<CounterDocument>,
  options: MongoCounterOptions,
  work: (commit: Commit) => Promise<T>,
): Promise<T> {
  const deadlineMs = performance.now() + COMMIT_MS_MAX;
  const timeoutMs = options.timeoutMs ?? STORE_TIMEOUT_MS_DEFAULT;
  return inTransaction(collection.db, timeoutMs, async (inCommit) => {
    const { session } = inCommit;
    const { inTurn, allTaken } = takingTurns(deadlineMs);
    const counters = mongoCounterStore(collection, options, { session, inTurn });
    const result = await work({ counters, inCommit, inTurn });
    // A call may have taken a failure for the answer of one order among many.
    await allTaken();
    return result;
  });
}

/** Lets one operation at a time into a session. Once one has failed, all that follow fail with its error. */
function takingTurns(deadlineMs: number) {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Around = (operation) => {
    const turn = last.then(() => {
      if (performance.now() > deadlineMs)
        throw new UndecidedError(`no commit within ${COMMIT_MS_MAX} ms`);
      return operation();
    });
    turn.catch(() => undefined); // its caller may have gone by then
    last = turn;
    return turn;
  };
  return { inTurn, allTaken: () => last };
}

/** The counters in a collection, whose commits of several documents are their own. */
export function mongoCounters(
  collection: Collection<CounterDocument>,
  options: MongoCounterOptions = {},
): CounterStore {
  const together: CounterStore['together'] = (work) =>
    inMongoCommit(collection, options, ({ counters }) => work(counters));
  return mongoCounterStore(collection, options, { together });
}
