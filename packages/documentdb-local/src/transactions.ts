import type { PoolClient } from 'pg';
import { OK, type Command } from './command.ts';
import { isAnswer, type Connections } from './connections.ts';
import { CommandError } from './errors.ts';
import { answer, type Answer } from './handler.ts';
import type { RunSql } from './sql.ts';

/**
 * MongoDB's transactionLifetimeLimitSeconds. There a job looks every half of it for what has lasted
 * longer, so that a transaction may last half as long again; here a timer ends each in time.
 * Source: mongo's src/mongo/db/periodic_runner_job_abort_expired_transactions.cpp.
 */
const LIFETIME_SECONDS_DEFAULT = 60;

/** Sessions whose last transaction is remembered, so that a repeated commit is answered. */
const SESSIONS_MAX = 10_000;

/** `unknown`: its connection broke before it was answered whether it is committed. */
type State = 'open' | 'committed' | 'aborted' | 'unknown';

type Transaction = {
  readonly number: bigint;
  readonly client: PoolClient;
  readonly timer: NodeJS.Timeout;
  state: State;
  /** The command that runs, and behind it those that wait: one after the other. */
  last: Promise<unknown>;
};

/**
 * The multi-document transactions: one connection each, found by session, since a driver may send
 * the commands of one transaction over several sockets.
 */
export class Transactions {
  /** When a transaction that nobody ends is ended: one that begins from now on. */
  lifetimeSeconds = LIFETIME_SECONDS_DEFAULT;
  readonly #sessions = new Map<string, Transaction>();
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /**
   * Runs one command of a transaction behind those that came before it. Whatever fails ends the
   * transaction, as in MongoDB.
   *
   * @throws CommandError 251 when the transaction is not there any more
   */
  async run(command: Command, execute: (run: RunSql) => Promise<Answer>): Promise<Answer> {
    const transaction = await this.#find(command);
    const result = transaction.last.then(() => this.#runNext(transaction, command, execute));
    transaction.last = result.catch(() => undefined);
    return result;
  }

  /** Ends every transaction that is open. */
  async abortAll(): Promise<void> {
    await Promise.allSettled([...this.#sessions.values()].map((each) => end(each, 'ROLLBACK')));
  }

  async #runNext(
    transaction: Transaction,
    command: Command,
    execute: (run: RunSql) => Promise<Answer>,
  ): Promise<Answer> {
    if (command.name === 'commitTransaction') {
      if (transaction.state === 'aborted') throw ended(transaction);
      if (transaction.state === 'unknown')
        throw new CommandError(
          91,
          `Nobody knows whether transaction ${transaction.number} was committed: its connection broke`,
        );
      await end(transaction, 'COMMIT');
      return answer(OK);
    }
    if (transaction.state !== 'open') throw ended(transaction);
    if (command.name === 'abortTransaction') {
      await end(transaction, 'ROLLBACK');
      return answer(OK);
    }
    try {
      const result = await execute((text, values) =>
        this.#connections.runOn(transaction.client, text, values),
      );
      if (result.failed) await end(transaction, 'ROLLBACK');
      return result;
    } catch (error) {
      await end(transaction, 'ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async #find(command: Command): Promise<Transaction> {
    const known = this.#sessions.get(command.sessionId);
    if (command.startsTransaction) return this.#begin(command, known);
    if (known === undefined || known.number !== command.number) throw noSuchTransaction(command);
    return known;
  }

  async #begin(command: Command, previous: Transaction | undefined): Promise<Transaction> {
    const number = command.number ?? 0n;
    if (previous?.number === number)
      throw new CommandError(
        117,
        'Only servers in a sharded cluster can start a new transaction at the active transaction number',
      );
    if (previous !== undefined) await end(previous, 'ROLLBACK').catch(() => undefined);
    const client = await this.#connections.take();
    const transaction: Transaction = {
      number,
      client,
      state: 'open',
      last: Promise.resolve(),
      timer: setTimeout(() => {
        transaction.last = transaction.last.then(() => end(transaction, 'ROLLBACK')).catch(ignore);
      }, this.lifetimeSeconds * 1000),
    };
    this.#remember(command.sessionId, transaction);
    transaction.last = client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    try {
      await transaction.last;
    } catch (error) {
      transaction.last = Promise.resolve();
      await end(transaction, 'ROLLBACK').catch(ignore);
      throw error;
    }
    return transaction;
  }

  #remember(sessionId: string, transaction: Transaction): void {
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, transaction);
    if (this.#sessions.size <= SESSIONS_MAX) return;
    for (const [id, { state }] of this.#sessions) {
      if (state === 'open') continue;
      this.#sessions.delete(id);
      return;
    }
  }
}

async function end(transaction: Transaction, how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
  if (transaction.state !== 'open') return;
  transaction.state = how === 'COMMIT' ? 'committed' : 'aborted';
  clearTimeout(transaction.timer);
  const { client } = transaction;
  try {
    await client.query(how);
    client.release();
  } catch (error) {
    transaction.state = how === 'COMMIT' && !isAnswer(error) ? 'unknown' : 'aborted';
    client.release(true);
    throw error;
  }
}

function ignore(): void {
  // Deliberately nothing: the next query on the connection reports it.
}

/** Source: mongodb/mongo, transaction_participant.cpp, `_checkIsCommandValidWithTxnState`. */
function ended({ number, state }: Transaction): CommandError {
  return state === 'committed'
    ? new CommandError(256, `Transaction with { txnNumber: ${number} } has been committed.`)
    : new CommandError(251, `Transaction with { txnNumber: ${number} } has been aborted.`);
}

function noSuchTransaction(command: Command): CommandError {
  return new CommandError(
    251,
    `Given transaction number ${command.number ?? 'none'} does not match any in-progress transactions.`,
  );
}
