import type { Command } from './command.ts';
import { CommandError } from './errors.ts';
import type { Answer } from './handler.ts';
import { RETRYABLE } from './refusals.ts';

/** Sessions whose newest write is remembered. */
const SESSIONS_MAX = 2000;

/** The newest write of a session: its number, and whether it was answered. */
type Newest = { readonly number: bigint; readonly isAnswered: Promise<boolean> };

/**
 * Writes that a driver may repeat if it did not hear the answer: each is carried out once. A repeat of
 * one that was answered fails, as where MongoDB has lost what it remembered of the write. One that
 * failed as a whole did nothing, and is carried out. A repeat that overtakes its original waits for it.
 * Source: mongodb/mongo, src/mongo/base/error_codes.yml, IncompleteTransactionHistory.
 */
export class RetryableWrites {
  readonly #sessions = new Map<string, Newest>();

  /** Whether a command carries what makes it repeatable. */
  static isRetryable(command: Command): boolean {
    return RETRYABLE.has(command.name) && command.number !== undefined && !command.inTransaction;
  }

  /** @throws CommandError 217 for a repeat of what was answered; what the write throws */
  async once(command: Command, write: () => Promise<Answer>): Promise<Answer> {
    const { sessionId, number } = command;
    if (!RetryableWrites.isRetryable(command) || number === undefined) return write();
    const before = this.#sessions.get(sessionId);
    const given = this.#given(before?.number === number ? before.isAnswered : undefined, write);
    const isAnswered = given.then(
      () => true,
      (error: unknown) => error instanceof CommandError && error.code === ANSWERED_BEFORE,
    );
    this.#remember(sessionId, { number, isAnswered });
    return given;
  }

  async #given(isAnswered: Promise<boolean> | undefined, write: () => Promise<Answer>) {
    if ((await isAnswered) === true)
      throw new CommandError(
        ANSWERED_BEFORE,
        'the write was carried out, and its answer was not kept',
      );
    return write();
  }

  #remember(sessionId: string, newest: Newest): void {
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, newest);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest);
  }
}

/** IncompleteTransactionHistory. */
const ANSWERED_BEFORE = 217;
