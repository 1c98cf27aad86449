import type { Command } from './command.ts';
import type { Answer } from './handler.ts';
import type { RunSql } from './sql.ts';

const RETRYABLE = new Set(['insert', 'update', 'delete', 'findAndModify', 'findandmodify']);

/** Sessions whose last write is remembered here; the engine keeps its own memory behind it. */
const SESSIONS_MAX = 2000;

/** A session lives 30 minutes: after that nobody can repeat its writes. */
const FORGET_OLD =
  "DELETE FROM documentdb_data.retryable_writes WHERE write_time < now() - interval '30 minutes'";

type Remembered = { readonly number: bigint; readonly answer: Promise<Answer> };

/**
 * Writes that a driver repeats when it did not hear the answer: carried out at most once.
 *
 * The last answer of each session is kept here, also while it is still being worked out, so a
 * repeat that overtakes its original waits for it. The engine keeps answers of single statements
 * itself, which holds across a restart.
 */
export class RetryableWrites {
  readonly #last = new Map<string, Remembered>();
  readonly #run: RunSql;

  constructor(run: RunSql) {
    this.#run = run;
  }

  /** Whether a command carries what makes it repeatable. */
  static isRetryable(command: Command): boolean {
    return RETRYABLE.has(command.name) && command.number !== undefined && !command.inTransaction;
  }

  /**
   * Runs the write, or gives the answer it had.
   *
   * @param write gets the name under which the engine remembers the write, or null
   */
  async once(
    command: Command,
    write: (retryId: string | null) => Promise<Answer>,
  ): Promise<Answer> {
    const { sessionId, number } = command;
    if (!RetryableWrites.isRetryable(command) || number === undefined) return write(null);
    const known = this.#last.get(sessionId);
    if (known?.number === number) return known.answer;

    const answer = write(`${sessionId}:${number}`);
    const remembered = { number, answer };
    this.#remember(sessionId, remembered);
    try {
      return await answer;
    } catch (error) {
      // A write that failed as a whole has done nothing: the repeat tries again.
      if (this.#last.get(sessionId) === remembered) this.#last.delete(sessionId);
      throw error;
    }
  }

  /** Empties the engine's memory of what is too old; the engine itself never does. */
  async forgetOld(): Promise<void> {
    await this.#run(FORGET_OLD, []);
  }

  #remember(sessionId: string, remembered: Remembered): void {
    this.#last.delete(sessionId);
    this.#last.set(sessionId, remembered);
    const oldest = this.#last.keys().next().value;
    if (this.#last.size > SESSIONS_MAX && oldest !== undefined) this.#last.delete(oldest);
  }
}
