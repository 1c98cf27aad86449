import type { Command } from './command.ts';
import { CommandError } from './errors.ts';

/** Sessions whose newest number is remembered. */
const SESSIONS_MAX = 10_000;

type Newest = { readonly number: bigint; readonly kind: 'retryable write' | 'transaction' };

/**
 * The newest number of each session. A command with an older one comes late, from a caller that went
 * on without it: it is never carried out.
 * Source: mongodb/mongo, src/mongo/db/transaction/transaction_participant.cpp, `beginOrContinue`.
 */
export class SessionNumbers {
  readonly #newest = new Map<string, Newest>();

  /** @throws CommandError 225 for a number that is over, 217 for one that a transaction has taken */
  enter({ sessionId, number, inTransaction, startsTransaction }: Command): void {
    if (number === undefined) return;
    const newest = this.#newest.get(sessionId);
    if (newest !== undefined && number < newest.number)
      throw new CommandError(
        225,
        `${inTransaction ? 'Cannot start transaction' : 'Retryable write'} with txnNumber ${number} is prohibited on session ${sessionId} because a newer ${newest.kind} with txnNumber ${newest.number} has already started on this session.`,
      );
    if (newest?.number === number && newest.kind === 'transaction' && !inTransaction)
      throw new CommandError(
        217,
        'Cannot retry a retryable write that has been converted into a transaction',
      );
    // A command that continues a transaction that never began leaves the session as it is.
    if (inTransaction && !startsTransaction) return;
    this.#remember(sessionId, {
      number,
      kind: inTransaction ? 'transaction' : 'retryable write',
    });
  }

  #remember(sessionId: string, newest: Newest): void {
    this.#newest.delete(sessionId);
    this.#newest.set(sessionId, newest);
    const oldest = this.#newest.keys().next().value;
    if (this.#newest.size > SESSIONS_MAX && oldest !== undefined) this.#newest.delete(oldest);
  }
}
