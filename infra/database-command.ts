import type { Db } from 'mongodb';
import { MongoClient, MongoNetworkError, MongoServerSelectionError } from 'mongodb';

/** Reaching a cluster for the first time takes a second or two; longer is a wrong address. */
const TIMEOUT_MS = 5_000;

/** How a command ends that could not do what it was asked; 1 is for those that found something. */
const NOT_DONE = 2;

const DATABASE_NAME = 'headroom';

/** A command line tool that works on the database of MONGODB_URI. */
export type DatabaseCommand = {
  /** What it does and how it is called, for --help and for wrong calls. */
  readonly usage: string;
  /** How the sentence begins that says why it was not done: `Not verified`. */
  readonly notDone: string;
  /**
   * Understands what the command is called with, before anything is connected.
   *
   * @returns the work, which ends with the exit code: 0, or 1 where it found what it looks for
   * @throws UsageError, or parseArgs's TypeError
   */
  readonly read: (parameters: readonly string[]) => (db: Db) => Promise<number>;
};

/** Why a command was not done, in a sentence that says it all. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** The command cannot be understood; its usage is shown below the message. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError';
}

/** Runs a command with what this process was called with, and sets how the process ends. */
export async function runDatabaseCommand(command: DatabaseCommand): Promise<void> {
  const parameters = process.argv.slice(2);
  if (parameters.includes('--help') || parameters.includes('-h')) {
    console.log(usageOf(command));
    return;
  }
  try {
    const work = command.read(parameters);
    process.exitCode = await onDatabase(work);
  } catch (error) {
    console.error(whyNot(command, error));
    process.exitCode = NOT_DONE;
  }
}

async function onDatabase(work: (db: Db) => Promise<number>): Promise<number> {
  const client = new MongoClient(requiredSetting('MONGODB_URI'), {
    serverSelectionTimeoutMS: TIMEOUT_MS,
  });
  try {
    await client.connect(); // by itself, so that a wrong address is told as one
    return await work(client.db(setting('MONGODB_DATABASE') ?? DATABASE_NAME));
  } finally {
    await client.close();
  }
}

/** A variable of the environment; an empty one is one that is not set. */
export function setting(name: string): string | undefined {
  const text = process.env[name];
  return text === '' ? undefined : text;
}

/** @throws UsageError where it is not set */
export function requiredSetting(name: string): string {
  const text = setting(name);
  if (text === undefined) throw new UsageError(`${name} is not set.`);
  return text;
}

/** So many of something: `1 row`, `2 rows`. */
export function numbered(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function usageOf({ usage }: DatabaseCommand): string {
  return `${usage}\n\nMONGODB_URI and MONGODB_DATABASE (${DATABASE_NAME}) name the database.`;
}

function whyNot(command: DatabaseCommand, error: unknown): string {
  if (!(error instanceof Error)) return `${command.notDone}: unknown`;
  if (error instanceof UsageError || isOfParseArgs(error))
    return `${error.message}\n\n${usageOf(command)}`;
  if (error instanceof CommandError) return error.message;
  const isAway = error instanceof MongoServerSelectionError || error instanceof MongoNetworkError;
  const hint = isAway ? '; is MONGODB_URI right, and does its server run?' : '';
  return `${command.notDone}: ${error.message}${hint}`;
}

/** Node.js documentation, "Errors": codes of `util.parseArgs`. */
function isOfParseArgs(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}
