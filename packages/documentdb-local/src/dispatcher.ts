import { setTimeout } from 'node:timers/promises';
import { BSON } from 'bson';
import { administrationHandlers } from './administration.ts';
import { decodeDocument, type Command } from './command.ts';
import type { Connections } from './connections.ts';
import { Cursors } from './cursors.ts';
import { CommandError, lostUpsertRace, readFailure } from './errors.ts';
import type { Answer, Context, Handler } from './handler.ts';
import { ENDING, refuseContent, refuseMisplaced } from './refusals.ts';
import { RetryableWrites } from './retryable-writes.ts';
import { serverHandlers, type ServerIdentity } from './server-commands.ts';
import { SessionNumbers } from './session-numbers.ts';
import { SteppingDown } from './stepping-down.ts';
import { getParameter, setParameter } from './set-parameter.ts';
import { unsatisfied } from './shapes.ts';
import type { RunSql } from './sql.ts';
import { Transactions } from './transactions.ts';
import { writeHandlers } from './writes.ts';

/**
 * Outside a transaction MongoDB repeats a conflicting write by itself, for as long as it takes, and waits
 * longer before each time; here, longer than any transaction may last, in milliseconds.
 * Source: mongodb/mongo, `writeConflictRetry`.
 */
const CONFLICT_MS_MAX = 150_000;
/** Tries that follow one another at once; before the others it waits, so that others come first. */
const EAGER_TRIES = 3;
/** The longest of these waits, in milliseconds. */
const CONFLICT_WAIT_MS_MAX = 50;

/** After one lost race the document is there; more than a few means somebody keeps deleting it. */
const LOST_RACES_MAX = 5;

/** Connections, by what waits for how long on them. */
type ConnectionsByUse = {
  readonly ordinary: Connections;
  readonly writing: Connections;
  readonly inTransactions: Connections;
};

/** Carries commands out: alone, or as part of a transaction. */
export class Dispatcher {
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #transactions: Transactions;
  readonly #retryableWrites = new RetryableWrites();
  readonly #stepping = new SteppingDown();
  readonly #numbers = new SessionNumbers();
  readonly #cursors = new Cursors();
  readonly #connections: Connections;
  readonly #run: RunSql;
  readonly #write: RunSql;
  readonly #counts = new Map<string, number>();

  constructor(
    { ordinary, writing, inTransactions }: ConnectionsByUse,
    {
      isSweeping,
      ...identity
    }: Omit<ServerIdentity, 'counts' | 'isPrimary'> & { readonly isSweeping: boolean },
  ) {
    this.#connections = ordinary;
    this.#run = ordinary.run;
    this.#write = writing.run;
    this.#transactions = new Transactions(inTransactions);
    this.#handlers = new Map(
      Object.entries({
        ...serverHandlers({
          ...identity,
          counts: this.#counts,
          isPrimary: this.#stepping.isPrimary,
        }),
        ...writeHandlers,
        ...this.#cursors.handlers,
        ...administrationHandlers,
        setParameter: setParameter(this.#transactions),
        getParameter: getParameter(isSweeping),
        replSetStepDown: this.#stepping.handler(() => this.#transactions.abortAll()),
      }),
    );
  }

  /** @throws CommandError or an error of PostgreSQL's when the command fails */
  async dispatch(command: Command): Promise<Answer> {
    const given = await this.#dispatch(command);
    const writeConcernError = unsatisfied(command);
    if (writeConcernError === undefined) return given;
    const document = BSON.serialize({ ...decodeDocument(given.document), writeConcernError });
    return { ...given, document };
  }

  async #dispatch(command: Command): Promise<Answer> {
    this.#count(command.name);
    if (!this.#handlers.has(command.name) && !ENDING.has(command.name))
      throw new CommandError(59, `no such command: '${command.name}'`);
    refuseMisplaced(command);
    this.#stepping.refuse(command);
    this.#numbers.enter(command);
    if (command.inTransaction)
      return this.#transactions.run(command, (run) => {
        refuseContent(command);
        return this.#execute(command, { run });
      });
    if (changesCollections(command))
      return this.#connections.changeCollections(() =>
        this.#persevere(command, { run: this.#run }),
      );
    const run = command.name in writeHandlers ? this.#write : this.#run;
    return this.#retryableWrites.once(command, () => this.#persevere(command, { run }));
  }

  /** Takes away what nobody needs any more: forgotten cursors. */
  async tidy(): Promise<void> {
    await this.#cursors.closeIdle({ run: this.#run }, Date.now());
  }

  async stop(): Promise<void> {
    await this.#transactions.abortAll();
  }

  async #execute(command: Command, context: Context): Promise<Answer> {
    const handler = this.#handlers.get(command.name);
    if (handler === undefined)
      throw new Error(`unreachable: ${command.name} outside a transaction`);
    return handler(command, context);
  }

  #count(name: string): void {
    if (this.#handlers.has(name)) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  async #persevere(command: Command, context: Context): Promise<Answer> {
    const startedMs = performance.now();
    let lostRaces = 0;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#execute(command, context);
      } catch (error) {
        const { code, message } = readFailure(error, false);
        const hasLost = lostUpsertRace(message);
        // Counted by itself: a statement that waits for a transaction conflicts several times before.
        if (hasLost) lostRaces += 1;
        const isAgain = hasLost
          ? lostRaces <= LOST_RACES_MAX
          : code === 112 && performance.now() < startedMs + CONFLICT_MS_MAX;
        if (!isAgain) throw error;
        if (performance.now() > startedMs + patienceMs(command))
          throw new CommandError(50, 'operation exceeded time limit', { cause: error });
        if (tries > EAGER_TRIES)
          await setTimeout(Math.random() * Math.min(tries, CONFLICT_WAIT_MS_MAX));
      }
    }
  }
}

/** How long a command may take in all; its own limit bounds each try in the engine alone. */
function patienceMs({ fields }: Command): number {
  const limit = fields.get('maxTimeMS');
  return typeof limit === 'number' && limit > 0 ? limit : Infinity;
}

/** Whether a command drops collections or changes what is known of them; what makes them changes nothing known. */
function changesCollections({ name, document }: Command): boolean {
  return CHANGING.has(name) || (name === 'aggregate' && document.includes(OUT));
}

/** The name of the stage as BSON has it, with its end: a field `$outcome` is none. */
const OUT = '$out\0';

const CHANGING: ReadonlySet<string> = new Set(['drop', 'dropDatabase', 'collMod']);
