import { decodeDocument, type Command } from './command.ts';
import type { BatchReply, Effect, Part } from './effects.ts';
import { effectOf, effectsOfInsert, joinParts, repeatedReply } from './effects.ts';
import { CommandError } from './errors.ts';
import { answer, type Answer } from './handler.ts';
import { askForImage, bufferOf, lastErrorObjectIn, takeImage } from './images.ts';
import { RETRYABLE } from './refusals.ts';
import { recallEffect } from './recalled-effects.ts';
import type { RunSql } from './sql.ts';
import { statementsOf, withStatement } from './statements.ts';

/** Sessions whose last write is remembered here; the engine keeps its own memory behind it. */
const SESSIONS_MAX = 2000;

/** A session lives 30 minutes: after that nobody can repeat its writes. */
const FORGET_OLD =
  "DELETE FROM documentdb_data.retryable_writes WHERE write_time < now() - interval '30 minutes'";

/** The newest write of a session. */
type Numbered = {
  readonly number: bigint;
  /** The changes of its statements, by their place. One that changed nothing is not there. */
  readonly effects: Map<number, Effect>;
  /** How often it was carried out, in whole or in part. */
  tries: number;
};

type Session = { newest: Numbered | undefined; last: Promise<unknown> };

/** Carries a command out; the name is what the engine remembers it by, so that it happens once. */
type Write = (command: Command, retryId: string | null) => Promise<Answer>;

/**
 * Writes that a driver repeats when it did not hear the answer: each change is made once.
 *
 * As in MongoDB, what is remembered of a statement is what it changed, not what was answered. So
 * the repeat of a findAndModify gets the whole document as it was before or after the first one,
 * without `fields`; and a statement that changed nothing is carried out again, and may change
 * something now. A session's commands come one after the other: a repeat that overtakes its
 * original waits for it. Sources, in mongodb/mongo under src/mongo/db:
 * commands/query_cmd/find_and_modify.cpp, `typedRun`; ops/write_ops_retryability.cpp;
 * op_observer/op_observer_impl.cpp, `onUpdate`, "Do not log a no-op operation". SERVER-31242 says
 * why `fields` is not applied.
 */
export class RetryableWrites {
  readonly #sessions = new Map<string, Session>();
  readonly #run: RunSql;
  readonly #keepsData: boolean;

  /** @param keepsData whether the engine is to remember writes, too, for an adapter after this one */
  constructor(run: RunSql, keepsData: boolean) {
    this.#run = run;
    this.#keepsData = keepsData;
  }

  /** Whether a command carries what makes it repeatable. */
  static isRetryable(command: Command): boolean {
    return RETRYABLE.has(command.name) && command.number !== undefined && !command.inTransaction;
  }

  /** Carries the write out, except what a try before this one has done of it. */
  async once(command: Command, write: Write): Promise<Answer> {
    const { number } = command;
    if (!RetryableWrites.isRetryable(command) || number === undefined) return write(command, null);
    const session = this.#sessionOf(command.sessionId);
    const turn = session.last.then(async () => {
      if (session.newest?.number !== number)
        session.newest = await this.#begin(command, number, session.newest === undefined);
      return carryOut(command, session.newest, (part, retryId) =>
        write(part, this.#keepsData ? retryId : null),
      );
    });
    session.last = turn.catch(() => undefined);
    return turn;
  }

  /** Empties the engine's memory of what is too old; the engine itself never does. */
  async forgetOld(): Promise<void> {
    if (this.#keepsData) await this.#run(FORGET_OLD, []);
  }

  /** A session that is not known here may be one from before a restart: the engine remembers. */
  async #begin(command: Command, number: bigint, isNew: boolean): Promise<Numbered> {
    const effects = new Map<number, Effect>();
    const recalled =
      isNew && this.#keepsData
        ? await recallEffect(command, retryIdOf(command, 0), this.#run)
        : undefined;
    if (recalled === undefined) return { number, effects, tries: 0 };
    if (recalled !== 'nothing') effects.set(0, recalled);
    return { number, effects, tries: 1 };
  }

  #sessionOf(id: string): Session {
    const session = this.#sessions.get(id) ?? { newest: undefined, last: Promise.resolve() };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const oldest = this.#sessions.keys().next().value;
    if (this.#sessions.size > SESSIONS_MAX && oldest !== undefined) this.#sessions.delete(oldest);
    return session;
  }
}

function retryIdOf({ sessionId, number }: Command, tries: number, index = 0): string {
  const base = `${sessionId}:${number ?? ''}`;
  return tries === 0 && index === 0 ? base : `${base}:${tries}:${index}`;
}

async function carryOut(command: Command, numbered: Numbered, write: Write): Promise<Answer> {
  const isFind = command.name.toLowerCase() === 'findandmodify';
  const done = numbered.effects.get(0);
  if (isFind) return done === undefined ? find(command, numbered, write) : repeatFind(done);
  const statements = statementsOf(command);
  const isWhole = statements.length === 1 || command.name === 'insert';
  return isWhole && numbered.effects.size === 0
    ? whole(command, numbered, statements.length, write)
    : oneByOne(command, numbered, statements, write);
}

async function find(command: Command, numbered: Numbered, write: Write): Promise<Answer> {
  const ask = askForImage(command);
  const asked = ask.kind === 'asked' ? ask.command : command;
  const given = await write(asked, retryIdOf(command, numbered.tries++));
  const { document, image = null } = takeImage(bufferOf(given.document));
  if (given.changed === true)
    numbered.effects.set(0, {
      kind: 'found',
      lastErrorObject: lastErrorObjectIn(document),
      ...(ask.kind === 'not to be had' ? {} : { image }),
    });
  return { ...given, document };
}

function repeatFind(effect: Effect): Answer {
  if (effect.kind !== 'found')
    throw new CommandError(40609, 'the repeated findAndModify was another command before');
  const { lastErrorObject, image } = effect;
  if (image === undefined)
    throw new CommandError(217, 'Incomplete transaction history: the image was not kept');
  return answer(repeatedReply(lastErrorObject, image));
}

async function whole(
  command: Command,
  numbered: Numbered,
  count: number,
  write: Write,
): Promise<Answer> {
  const given = await write(command, retryIdOf(command, numbered.tries++));
  const reply = decodeDocument(given.document) as BatchReply; // the engine's own shape
  if (command.name === 'insert') {
    const isOrdered = command.fields.get('ordered') !== false;
    for (const [index, effect] of effectsOfInsert(reply, count, isOrdered))
      numbered.effects.set(index, effect);
    return given;
  }
  const effect = effectOf(command, reply);
  if (effect !== undefined) numbered.effects.set(0, effect);
  return given;
}

async function oneByOne(
  command: Command,
  numbered: Numbered,
  statements: readonly Buffer[],
  write: Write,
): Promise<Answer> {
  const parts: Part[] = [];
  const tries = numbered.tries++;
  const stops = command.fields.get('ordered') !== false;
  let failed = false;
  for (const [index, statement] of statements.entries()) {
    const before = numbered.effects.get(index);
    if (before !== undefined) {
      parts.push({ index, isRepeated: true, effect: before });
      continue;
    }
    const given = await write(
      withStatement(command, statement),
      retryIdOf(command, tries + 1, index),
    );
    const reply = decodeDocument(given.document) as BatchReply; // the engine's own shape
    const effect = effectOf(command, reply);
    if (effect !== undefined) numbered.effects.set(index, effect);
    parts.push({ index, isRepeated: false, reply });
    failed ||= given.failed;
    if (given.failed && stops) break;
  }
  return { document: joinParts(command, parts), failed };
}
