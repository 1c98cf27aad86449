import { setTimeout } from 'node:timers/promises';
import { HeadroomError, LostAnswerError, UndecidedError } from '../shared/errors.ts';
import type { ClientSession, Db } from 'mongodb';
import { MongoError, MongoServerError, WriteConcern } from 'mongodb';
import { CONFLICT_MS_MAX } from '../shared/bounds.ts';
import { whenConnected } from './client.ts';
import { decided, isCutOff, named, serverMs } from './failure.ts';

/**
 * OperationNotSupportedInTransaction: a shard cannot prepare a commit whose statements made a collection.
 * Source: mongodb/mongo, src/mongo/db/commands/txn_two_phase_commit_cmds.cpp, `PrepareTransaction`.
 */
const NOT_IN_TRANSACTIONS = 263;

/** The options of a statement of a commit: it has no concern of its own, and the server ends it once nobody waits. */
export type InCommit = { readonly session: ClientSession; readonly maxTimeMS: number };

/**
 * Commits all of the work with write concern `majority`, or nothing. It begins again if another commit came first, or
 * if a connection broke before the end was asked for. It pauses for 5 ms, which double up to a third of a second, for
 * at most CONFLICT_MS_MAX.
 *
 * @param timeoutMs longest wait for the session's connection, for a statement, and for each try to commit
 * @throws what the work throws; MissingCollectionsError; UndecidedError
 */
export async function inTransaction<T>(
  db: Db,
  timeoutMs: number,
  work: (inCommit: InCommit) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  for (let tries = 0; ; tries++) {
    const tried = await oneTry(db, timeoutMs, work);
    if (tried.kind === 'committed') return tried.result;
    const pauseMs = 5 * 2 ** Math.min(tries, 6) * (0.5 + Math.random());
    if (performance.now() + pauseMs > startedMs + CONFLICT_MS_MAX)
      throw new UndecidedError('no try to commit came through', { cause: tried.cause });
    await setTimeout(pauseMs);
  }
}

/** `nothing` was committed, and another try may succeed. */
type TriedCommit<T> =
  | { readonly kind: 'committed'; readonly result: T }
  | { readonly kind: 'nothing'; readonly cause: unknown };

async function oneTry<T>(
  db: Db,
  timeoutMs: number,
  work: (inCommit: InCommit) => Promise<T>,
): Promise<TriedCommit<T>> {
  await decided(
    whenConnected(db.client, () => Promise.resolve()),
    timeoutMs,
  );
  const session = db.client.startSession();
  const maxTimeMS = serverMs(timeoutMs);
  let isEnding = false;
  try {
    session.startTransaction({
      readConcern: { level: 'local' },
      writeConcern: new WriteConcern('majority'),
      readPreference: 'primary',
      maxCommitTimeMS: maxTimeMS,
    });
    const result = await work({ session, maxTimeMS });
    isEnding = true;
    await commit(session, timeoutMs);
    return { kind: 'committed', result };
  } catch (error) {
    const cause = causeOf(error);
    if (isTransient(cause) || (!isEnding && isCutOff(cause))) return { kind: 'nothing', cause };
    if (cause instanceof MongoServerError && cause.code === NOT_IN_TRANSACTIONS)
      throw new MissingCollectionsError(db.databaseName, { cause });
    throw named(error);
  } finally {
    // Aborts what was not committed. Where the store is silent, it does so itself, MongoDB within 90 s.
    await decided(session.endSession(), timeoutMs).catch(() => undefined);
  }
}

/** An outcome that is not known is asked for once more, after the driver's own repeat: the end of a commit may come twice. */
async function commit(session: ClientSession, timeoutMs: number): Promise<void> {
  try {
    await decided(session.commitTransaction(), timeoutMs);
  } catch (error) {
    if (!isUndecided(error)) throw error;
    const endsAtMs = performance.now() + timeoutMs;
    try {
      await decided(session.commitTransaction(), timeoutMs);
    } catch (again) {
      if (!isUndecided(again)) throw again;
      throw new LostAnswerError('the answer to the commit was lost', endsAtMs, {
        cause: again.cause,
      });
    }
  }
}

/** Whether a commit failed so that it may stand. The driver's label says so only to the first who notices a broken connection. */
function isUndecided(error: unknown): error is UndecidedError {
  return error instanceof UndecidedError && error.cause !== undefined && !isTransient(error.cause);
}

/** Whether the server ended the commit, and nothing of it stands. */
function isTransient(cause: unknown): boolean {
  return cause instanceof MongoError && cause.hasErrorLabel('TransientTransactionError');
}

function causeOf(error: unknown): unknown {
  return error instanceof UndecidedError ? error.cause : error;
}

/** A commit writes to collections that nobody made: the database was not prepared. */
export class MissingCollectionsError extends HeadroomError {
  override readonly name = 'MissingCollectionsError';
  readonly code = 'MISSING_COLLECTIONS';
  constructor(database: string, options: ErrorOptions) {
    super(
      `database ${JSON.stringify(database)} lacks some collections, and a commit over shards cannot make them. Nothing was changed. Run headroom indexes, then send the call again`,
      options,
    );
  }
}
