import type { Collection, Db } from 'mongodb';
import type { CounterStore } from '../document/counter-store.ts';
import { COMMIT_MS_MAX } from '../shared/bounds.ts';
import { UndecidedError } from '../shared/errors.ts';
import type { AuditRow } from './audit.ts';
import { appendWithin } from './mongo-chain.ts';
import { STORE_TIMEOUT_MS_DEFAULT, decided } from '../mongo/failure.ts';
import type { Around, CounterDocument, MongoCounterOptions } from '../document/mongo-counter-store.ts';
import { COUNTERS, mongoCounterStore, mongoStatements } from '../document/mongo-counter-store.ts';
import { REFUNDS } from './mongo-audit-store.ts';
import { refundsOver } from './refunds/refund-store.ts';
import type { OneCommit } from './one-commit.ts';
import { inTransaction } from '../mongo/transaction.ts';

/**
 * Commits with write concern `majority`. Read concern `local` is enough: every decision is inside an update, and an
 * update of a document that another commit wrote meanwhile is a conflict and begins again.
 * Source: MongoDB manual, "Transactions", "In-progress Transactions and Write Conflicts".
 *
 * @param days how long audit rows are kept
 * @param chains whether rows are chained: where every call's rows are
 */
export function mongoOneCommit(
  db: Db,
  days: number,
  options: MongoCounterOptions,
  chains = true,
  collection = db.collection<CounterDocument>(COUNTERS),
): OneCommit {
  const timeoutMs = options.timeoutMs ?? STORE_TIMEOUT_MS_DEFAULT;
  return (work) => {
    const deadlineMs = performance.now() + COMMIT_MS_MAX;
    return inTransaction(db, timeoutMs, async (session) => {
      const { inTurn, allTaken } = takingTurns(deadlineMs);
      const within = { session, inTurn };
      const append = (rows: readonly AuditRow[]) => appendWithin(db, session, days, rows, chains);
      const result = await work({
        counters: mongoCounterStore(collection, options, within),
        refunds: refundsOver(
          mongoStatements(db.collection<CounterDocument>(REFUNDS), timeoutMs, within),
          mongoStatements(collection, timeoutMs, within),
        ),
        append: (rows) => inTurn(() => decided(append(rows), COMMIT_MS_MAX)),
      });
      // A call may have taken a failure for the answer of one order among many.
      await allTaken();
      return result;
    });
  };
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
  const noRows = 1; // the days that rows would be kept, of which a commit of counters has none
  const oneCommit = mongoOneCommit(collection.db, noRows, options, false, collection);
  const together: CounterStore['together'] = (work) => oneCommit(({ counters }) => work(counters));
  return mongoCounterStore(collection, options, { together });
}
