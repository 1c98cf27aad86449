import { BSON, Long } from 'bson';
import { decodeDocument, OK, type Command } from './command.ts';
import { CommandError } from './errors.ts';
import { answer, type Answer, type Context, type Handler } from './handler.ts';
import { documentIn } from './sql.ts';

/** A cursor nobody reads from for so long is closed, as in MongoDB (10 minutes). */
const IDLE_SECONDS_MAX = 600;

/** More cursors than this are a leak in the caller: the one that was idle longest is closed. */
const OPEN_CURSORS_MAX = 5000;

type Cursor = {
  readonly continuation: Buffer;
  readonly usedAt: number;
  /** The session that asked, and its transaction where it was part of one: only they go on. */
  readonly sessionId: string;
  readonly transaction: bigint | undefined;
};

const DELETE_CURSORS = 'SELECT documentdb_api_internal.delete_cursors($1)';
const GET_MORE =
  'SELECT cursorpage::bytea, continuation::bytea FROM documentdb_api.cursor_get_more($1, $2, $3)';

/** The open cursors: the engine gives back where to go on, and the adapter keeps it. */
export class Cursors {
  readonly #open = new Map<string, Cursor>();

  /** Commands that answer with a first page. */
  readonly handlers: Readonly<Record<string, Handler>> = {
    find: this.#firstPage('find_cursor_first_page'),
    aggregate: this.#firstPage('aggregate_cursor_first_page'),
    listCollections: this.#firstPage('list_collections_cursor_first_page'),
    listIndexes: this.#firstPage('list_indexes_cursor_first_page'),
    getMore: (command, context) => this.#getMore(command, context),
    killCursors: (command, context) => this.#kill(command, context),
  };

  /** Closes cursors that were forgotten. */
  async closeIdle(context: Context, now: number): Promise<void> {
    const idle = [...this.#open].filter(([, { usedAt }]) => usedAt + IDLE_SECONDS_MAX * 1000 < now);
    await this.#close(
      idle.map(([id]) => id),
      context,
    );
  }

  #firstPage(statement: string): Handler {
    const text = `SELECT cursorpage::bytea, continuation::bytea, cursorid FROM documentdb_api.${statement}($1, $2)`;
    return async (command, context) => {
      const rows = await context.run(text, [command.database, command.document]);
      const continuation = documentIn(rows, 1);
      if (continuation !== undefined) {
        await this.#makeRoom(context);
        this.#open.set(String(rows[0]?.[2]), {
          continuation,
          usedAt: Date.now(),
          sessionId: command.sessionId,
          transaction: transactionOf(command),
        });
      }
      return answer(documentIn(rows, 0) ?? OK);
    };
  }

  async #getMore(command: Command, context: Context): Promise<Answer> {
    const id = String(command.fields.get('getMore'));
    const cursor = this.#open.get(id);
    if (cursor === undefined) throw new CommandError(43, `cursor id ${id} not found`);
    refuseStranger(id, cursor, command);
    const values = [command.database, command.document, cursor.continuation];
    const rows = await context.run(GET_MORE, values);
    const continuation = documentIn(rows, 1);
    this.#open.delete(id);
    // Entered again, so that the map stays in the order of use.
    if (continuation !== undefined)
      this.#open.set(id, { ...cursor, continuation, usedAt: Date.now() });
    return answer(documentIn(rows, 0) ?? OK);
  }

  async #kill(command: Command, context: Context): Promise<Answer> {
    // The drivers send an array of 64-bit integers.
    const ids = (decodeDocument(command.document).cursors ?? []) as readonly Long[];
    const known = ids.filter((id) => this.#open.has(id.toString()));
    await this.#close(
      known.map((id) => id.toString()),
      context,
    );
    return answer(
      BSON.serialize({
        cursorsKilled: known,
        cursorsNotFound: ids.filter((id) => !known.includes(id)),
        cursorsAlive: [],
        cursorsUnknown: [],
        ok: 1,
      }),
    );
  }

  async #makeRoom(context: Context): Promise<void> {
    const oldest = this.#open.keys().next().value;
    if (this.#open.size >= OPEN_CURSORS_MAX && oldest !== undefined)
      await this.#close([oldest], context);
  }

  async #close(ids: readonly string[], context: Context): Promise<void> {
    if (ids.length === 0) return;
    for (const id of ids) this.#open.delete(id);
    await context.run(DELETE_CURSORS, [`{${ids.join(',')}}`]);
  }
}

function transactionOf({ inTransaction, number }: Command): bigint | undefined {
  return inTransaction ? number : undefined;
}

/**
 * Only the session that opened a cursor reads on, and only within the same transaction or without.
 * Source: mongodb/mongo, src/mongo/db/commands/query_cmd/getmore_cmd.cpp, `validateLSID` and
 * `validateTxnNumber`.
 */
function refuseStranger(id: string, cursor: Cursor, command: Command): void {
  const refuse = (code: number, how: string) =>
    new CommandError(code, `Cannot run getMore on cursor ${id}, which was ${how}`);
  const { sessionId } = command;
  if (cursor.sessionId !== sessionId) {
    if (cursor.sessionId === '')
      throw refuse(50736, `not created in a session, in session ${sessionId}`);
    throw sessionId === ''
      ? refuse(50737, `created in session ${cursor.sessionId}, without an lsid`)
      : refuse(50738, `created in session ${cursor.sessionId}, in session ${sessionId}`);
  }
  const number = transactionOf(command);
  if (cursor.transaction === number) return;
  if (cursor.transaction === undefined)
    throw refuse(50739, `not created in a transaction, in transaction ${number ?? ''}`);
  throw number === undefined
    ? refuse(50740, `created in transaction ${cursor.transaction}, without a txnNumber`)
    : refuse(50741, `created in transaction ${cursor.transaction}, in transaction ${number}`);
}
