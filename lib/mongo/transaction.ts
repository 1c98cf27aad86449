import { setTimeout } from 'node:timers/promises';
import type { ClientSession, Db } from 'mongodb';
import { MongoError, MongoServerError, WriteConcern } from 'mongodb';
import { CONFLICT_MS_MAX } from '../shared/bounds.ts';
import { MissingCollectionsError } from '../shared/deployment-errors.ts';
import { LostAnswerError, UndecidedError } from '../shared/errors.ts';
import { decided } from './failure.ts';

/**
 * OperationNotSupportedInTransaction: a shard cannot prepare a commit whose statements made a collection.
 * Source: mongodb/mongo, src/mongo/db/commands/txn_two_phase_commit_cmds.cpp, `PrepareTransaction`.
 */
const NOT_IN_TRANSACTIONS = 263;

/**
 * Commits all of the work with write concern `majority`, or nothing. If another commit came first it begins
 * again, after a pause of 5 ms that doubles up to a third of a second, for at most CONFLICT_MS_MAX.
 *
 * @param timeoutMs longest wait for the session's connection, and for each try to commit
 * @throws what the work throws; MissingCollectionsError; UndecidedError
 */
export async function inTransaction<T>(
  db: Db,
  timeoutMs: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  for (let tries = 0; ; tries++) {
    try {
      return await oneTry(db, timeoutMs, work);
    } catch (error) {
      if (!hasLabel(error, 'TransientTransactionError')) throw error; // nothing was committed
      const pauseMs = 5 * 2 ** Math.min(tries, 6) * (0.5 + Math.random());
      if (performance.now() + pauseMs > startedMs + CONFLICT_MS_MAX)
        throw new UndecidedError('other commits kept coming first', { cause: error });
      await setTimeout(pauseMs);
    }
  }
}

async function oneTry<T>(
  db: Db,
  timeoutMs: number,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> {
  await decided(db.client.connect(), timeoutMs);
  const session = db.client.startSession();
  try {
    session.startTransaction({
      readConcern: { level: 'local' },
      writeConcern: new WriteConcern('majority'),
      readPreference: 'primary',
    });
    const result = await work(session);
    await commit(session, timeoutMs);
    return result;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NOT_IN_TRANSACTIONS)
      throw new MissingCollectionsError(db.databaseName, { cause: error });
    throw error;
  } finally {
    // Aborts what was not committed. Where the store is silent, it does so itself, MongoDB within 90 s.
    await decided(session.endSession(), timeoutMs).catch(() => undefined);
  }
}

/** An outcome that is not known is asked for once more, after the driver's own repeat. */
async function commit(session: ClientSession, timeoutMs: number): Promise<void> {
  try {
    await decided(session.commitTransaction(), timeoutMs);
  } catch (error) {
    if (!hasLabel(error, UNKNOWN)) throw error;
    const endsAtMs = performance.now() + timeoutMs;
    try {
      await decided(session.commitTransaction(), timeoutMs);
    } catch (again) {
      if (!(again instanceof UndecidedError) || !hasLabel(again, UNKNOWN)) throw again;
      throw new LostAnswerError('the answer to the commit was lost', endsAtMs, {
        cause: again.cause,
      });
    }
  }
}

const UNKNOWN = 'UnknownTransactionCommitResult';

function hasLabel(error: unknown, label: string): boolean {
  const cause = error instanceof UndecidedError ? error.cause : error;
  return cause instanceof MongoError && cause.hasErrorLabel(label);
}
