import { MongoClient, MongoNetworkError, MongoServerSelectionError, type Db } from 'mongodb';
import { CommandError, UsageError } from './command-error.ts';
import { ENCRYPTED_EXPECTED, isUnencrypted } from '../lib/edge/connection-string.ts';
import { OWN_WRITES } from '../lib/mongo/client.ts';

/** Reaching a cluster for the first time takes a second or two; longer is a wrong address. */
const TIMEOUT_MS = 5_000;

const DATABASE_NAME = 'headroom';

/**
 * Does work on the database of MONGODB_URI and MONGODB_DATABASE.
 *
 * @param notDone how the sentence begins that says why it was not done: `Not verified`
 * @throws CommandError in that sentence
 */
export async function onDatabase<T>(notDone: string, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await connected(work);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(reasonOf(notDone, error), { cause: error });
  }
}

async function connected<T>(work: (db: Db) => Promise<T>): Promise<T> {
  const uri = databaseUri();
  const isSaid = /[?&]serverSelectionTimeoutMS=/i.test(uri);
  const client = new MongoClient(uri, {
    ...OWN_WRITES,
    ...(isSaid ? {} : { serverSelectionTimeoutMS: TIMEOUT_MS }),
  });
  try {
    await client.connect(); // by itself, so that the error names a wrong address
    return await work(client.db(setting('MONGODB_DATABASE') ?? DATABASE_NAME));
  } finally {
    await client.close();
  }
}

/** Says on stderr that a database has nothing: most likely another one is meant. */
export async function sayIfEmpty(db: Db): Promise<void> {
  const found = await db
    .listCollections({}, { nameOnly: true })
    .hasNext()
    .catch(() => true); // this user may not ask
  if (found) return;
  console.error(`The database ${db.databaseName} is empty. Is MONGODB_DATABASE right?`);
}

/** A variable of the environment; an empty one is one that is not set. */
export function setting(name: string): string | undefined {
  const text = process.env[name];
  return text === '' ? undefined : text;
}

/** MONGODB_URI. @throws UsageError where it is not set, and no `npm start` runs that has set it */
export function databaseUri(): string {
  const uri = setting('MONGODB_URI');
  if (uri === undefined)
    throw new UsageError('MONGODB_URI is not set. Set it, or run npm start in this folder.');
  if (setting('MONGODB_TLS') !== 'off' && isUnencrypted(uri))
    throw new UsageError(`MONGODB_URI has no TLS, expected ${ENCRYPTED_EXPECTED}.`);
  return uri;
}

/** @throws UsageError where it is not set */
export function requiredSetting(name: string): string {
  const text = setting(name);
  if (text === undefined) throw new UsageError(`${name} is not set.`);
  return text;
}

/** Whether no server answered. */
export function isAway(error: unknown): boolean {
  return error instanceof MongoServerSelectionError || error instanceof MongoNetworkError;
}

function reasonOf(notDone: string, error: unknown): string {
  if (!(error instanceof Error)) return `${notDone}: unknown`;
  const hint = isAway(error) ? '; is MONGODB_URI right, and does its server run?' : '';
  return `${notDone}: ${error.message}${hint}`;
}
